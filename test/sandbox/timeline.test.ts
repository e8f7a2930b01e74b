import { describe, expect, it } from 'vitest'
import { createTimeline } from '../../demo/sandbox/index.ts'
import type { Wall } from '../../demo/sandbox/index.ts'

const START = 1_000_000

describe('without a wall', () => {
  it('time stands still until advance', () => {
    const timeline = createTimeline({ wall: null, start: START })
    timeline.after(0, () => expect.unreachable())
    expect(timeline.now()).toBe(START)
  })

  it('due tasks run in order of time, then of adding, each at its own time', async () => {
    const timeline = createTimeline({ wall: null, start: START })
    const seen: string[] = []
    const note = (name: string) => () => void seen.push(`${name} at ${timeline.now() - START}`)
    timeline.after(20, note('c'))
    timeline.after(10, note('a'))
    timeline.after(10, note('b'))
    timeline.after(31, note('late'))
    await timeline.advance(30)
    expect(seen).toEqual(['a at 10', 'b at 10', 'c at 20'])
    expect(timeline.now()).toBe(START + 30)
  })

  it('everything that a task started settles before time moves on', async () => {
    const timeline = createTimeline({ wall: null, start: START })
    const seen: number[] = []
    timeline.after(10, async () => {
      for (let hop = 0; hop < 3; hop++) await Promise.resolve()
      seen.push(timeline.now() - START)
      await timeline.sleep(5)
      seen.push(timeline.now() - START)
    })
    timeline.after(12, () => void seen.push(timeline.now() - START))
    await timeline.advance(100)
    expect(seen).toEqual([10, 12, 15])
  })

  it('a cancelled task does not run', async () => {
    const timeline = createTimeline({ wall: null })
    const cancel = timeline.after(5, () => expect.unreachable())
    timeline.after(1, cancel)
    await timeline.advance(10)
  })

  it('advance continues after a task that throws, then rejects', async () => {
    const timeline = createTimeline({ wall: null, start: START })
    let ran = false
    timeline.after(1, () => {
      throw new Error('first')
    })
    timeline.after(2, () => Promise.reject(new Error('second')))
    timeline.after(3, () => void (ran = true))
    await expect(timeline.advance(10)).rejects.toThrow('first')
    expect(ran).toBe(true)
    expect(timeline.now()).toBe(START + 10)
    await timeline.advance(1)
  })

  it('time cannot go back, and has no speed', () => {
    const timeline = createTimeline({ wall: null })
    expect(() => timeline.advance(-1)).toThrow(RangeError)
    expect(() => timeline.setSpeed(2)).toThrow(RangeError)
  })
})

describe('with a wall', () => {
  it('time passes at the given speed', () => {
    const wall = handWall()
    const timeline = createTimeline({ wall, start: START })
    wall.pass(100)
    expect(timeline.now()).toBe(START + 100)
    timeline.setSpeed(60)
    wall.pass(1_000)
    expect(timeline.now()).toBe(START + 60_100)
    timeline.setSpeed(0)
    wall.pass(1_000)
    expect(timeline.now()).toBe(START + 60_100)
  })

  it('one real timer waits for the next due task', () => {
    const wall = handWall()
    const timeline = createTimeline({ wall, start: START })
    const seen: number[] = []
    timeline.after(500, () => void seen.push(500))
    timeline.after(100, () => void seen.push(100))
    expect(wall.timers()).toBe(1)
    wall.pass(100)
    expect(seen).toEqual([100])
    timeline.setSpeed(4)
    wall.pass(100)
    expect(seen).toEqual([100, 500])
    expect(wall.timers()).toBe(0)
  })

  it('advance runs everything that becomes due', async () => {
    const wall = handWall()
    const timeline = createTimeline({ wall, start: START })
    const seen: number[] = []
    timeline.after(1_000, () => void seen.push(timeline.now() - START))
    await timeline.advance(3_600_000)
    expect(seen).toEqual([1_000])
    expect(timeline.now()).toBe(START + 3_600_000)
    wall.pass(5)
    expect(timeline.now()).toBe(START + 3_600_005)
  })
})

function handWall(): Wall & { pass(ms: number): void; timers(): number } {
  let now = 0
  const timers = new Map<() => void, number>()
  return {
    now: () => now,
    wakeAfter(ms, wake) {
      timers.set(wake, now + ms)
      return () => void timers.delete(wake)
    },
    pass(ms) {
      now += ms
      for (const [wake, at] of timers) {
        if (at > now) continue
        timers.delete(wake)
        wake()
      }
    },
    timers: () => timers.size,
  }
}
