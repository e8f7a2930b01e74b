import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { setImmediate } from 'node:timers/promises'
import type { Priority } from '../../server/gateway/query-queue.ts'
import { createTimeline } from '../../demo/sandbox/index.ts'
import { QueryQueue } from '../../server/gateway/query-queue.ts'
import { silentLog } from '../../server/log.ts'
import { START } from '../support/world.ts'

const SECOND = 1_000

function start(perSecond = 50) {
  const clock = createTimeline({ wall: null, start: START })
  const queue = new QueryQueue({ clock, log: silentLog, perSecond })
  const admitted: string[] = []
  const ask = (id: string, priority: Priority) =>
    Promise.resolve(queue.admit(id, priority)).then((is) => void admitted.push(is ? id : `not ${id}`))
  return { clock, queue, admitted, ask }
}

/** Returns a clock whose sleeps end at once, and set it forward. */
function sleeplessClock() {
  let now = START
  return {
    now: () => now,
    set: (at: number) => void (now = at),
    async sleep(ms: number) {
      await setImmediate()
      now += ms
    },
  }
}

describe('the budget', () => {
  test('allows at most so many queries in any second, whenever they are asked for', async () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 20, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 5, max: 60 }), pauses, async (perSecond, ms) => {
        const clock = sleeplessClock()
        const queue = new QueryQueue({ clock, log: silentLog, perSecond })
        const admittedAt: number[] = []
        for (const pause of ms) {
          clock.set(clock.now() + pause)
          const ask = async (_: unknown, id: number) => {
            expect(await queue.admit(`${id}`, 'due')).toBe(true)
            admittedAt.push(clock.now())
          }
          await Promise.all(Array.from({ length: 8 }, ask))
        }
        expect(mostInOneSecond(admittedAt)).toBeLessThanOrEqual(perSecond)
      }),
      { numRuns: 50 },
    )
  })

  test('counts requests that do not wait', async () => {
    const { clock, queue, admitted, ask } = start()
    for (let request = 0; request < 5; request++) queue.attempt({ isQuery: false, isRetry: false })
    void ask('a', 'due')
    await clock.advance(0)
    expect(admitted).toEqual([])
    await clock.advance(SECOND)
    expect(admitted).toEqual(['a'])
  })

  test('goes on after the clock was set back', async () => {
    const clock = sleeplessClock()
    const queue = new QueryQueue({ clock, log: silentLog, perSecond: 50 })
    for (let request = 0; request < 5; request++) queue.attempt({ isQuery: false, isRetry: false })
    clock.set(0)
    expect(await queue.admit('a', 'due')).toBe(true)
    expect(clock.now()).toBeLessThan(SECOND)
  })
})

describe('the queue', () => {
  const fail = (queue: ReturnType<typeof start>['queue'], times: number) => {
    for (let time = 0; time < times; time++) queue.report('gateway_timeout')
  }

  test('admits at once what the budget allows, and the rest in the order of urgency', async () => {
    const { clock, admitted, ask } = start()
    for (let query = 0; query < 5; query++) void ask(`first ${query}`, 'due')
    void ask('due', 'due')
    void ask('watched', 'watched')
    void ask('notified', 'notified')
    await clock.advance(0)
    expect(admitted).toEqual([0, 1, 2, 3, 4].map((query) => `first ${query}`))
    await clock.advance(SECOND)
    expect(admitted.slice(5)).toEqual(['notified', 'watched', 'due'])
  })

  test('lets a callback make a waiting query more urgent, once', async () => {
    const { clock, queue, admitted, ask } = start()
    for (let query = 0; query < 5; query++) void ask(`first ${query}`, 'due')
    void ask('a', 'watched')
    void ask('b', 'watched')
    expect([
      queue.promote('b', 'notified'),
      queue.promote('b', 'due'),
      queue.promote('c', 'notified'),
    ]).toEqual([true, true, false])
    await clock.advance(SECOND)
    expect(admitted.slice(5)).toEqual(['b', 'a'])
  })

  test('sends everybody away when the gateway goes away, but for one probe', async () => {
    const { clock, queue, admitted, ask } = start()
    for (let query = 0; query < 6; query++) void ask(String(query), 'watched')
    fail(queue, 20)
    await clock.advance(0)
    expect(admitted.at(-1)).toBe('not 5')
    expect([queue.admits(), queue.admit('a', 'notified')]).toEqual(['none', false])
    await clock.advance(SECOND)
    expect([queue.admit('a', 'watched'), queue.admit('b', 'notified')]).toEqual([true, false])
    queue.report(null)
    expect(queue.admits()).toBe('any')
  })

  test('makes no retries while the gateway is away', () => {
    const { queue } = start()
    const retry = () => queue.attempt({ isQuery: true, isRetry: true })
    expect(retry()).toBe(true)
    fail(queue, 20)
    expect([retry(), queue.attempt({ isQuery: false, isRetry: false })]).toEqual([false, true])
  })

  test('takes any answer for a sign of life', () => {
    for (const code of [null, 'gateway_refused', 'gateway_unauthorized', 'gateway_answer_invalid'] as const) {
      const { queue } = start()
      fail(queue, 19)
      queue.report(code)
      fail(queue, 19)
      expect(queue.probeAt).toBeNull()
    }
  })

  test('lets nobody wait once it is stopped', async () => {
    const { clock, queue, admitted, ask } = start()
    for (let query = 0; query < 7; query++) void ask(String(query), 'due')
    queue.stop()
    await clock.advance(0)
    expect(admitted.slice(5)).toEqual(['not 5', 'not 6'])
    expect(queue.admit('late', 'notified')).toBe(false)
  })
})

function mostInOneSecond(times: readonly number[]): number {
  let [most, from] = [0, 0]
  for (const [index, at] of times.entries()) {
    while (times[from]! <= at - 1_000) from += 1
    most = Math.max(most, index - from + 1)
  }
  return most
}
