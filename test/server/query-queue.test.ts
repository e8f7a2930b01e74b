import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Priority } from '../../server/gateway/budget.ts'
import { createTimeline } from '../../demo/sandbox/index.ts'
import { count, fullBudget, nextPriority, PRIORITIES, readyAt, take } from '../../server/gateway/budget.ts'
import { createQueryQueue } from '../../server/gateway/query-queue.ts'
import { silentLog } from '../../server/log.ts'
import { START } from '../support/world.ts'

const SECOND = 1_000

describe('the budget', () => {
  test('allows at most so many queries in any second, whenever they are asked for', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 50, maxLength: 300 })
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 60 }), pauses, (perSecond, ms) => {
        let [budget, now] = [fullBudget(perSecond, 0), 0]
        const taken: number[] = []
        for (const pause of ms) {
          now += pause
          for (let left = take(budget, perSecond, now); left; left = take(budget, perSecond, now)) {
            budget = left
            taken.push(now)
          }
        }
        const most = Math.max(
          ...taken.map((at) => taken.filter((each) => each >= at && each < at + SECOND).length),
        )
        expect(most).toBeLessThanOrEqual(perSecond)
      }),
      { numRuns: 50 },
    )
  })

  test('says when the next query may start, and keeps a fifth for queries', () => {
    let [budget, now, queries] = [fullBudget(50, 0), 0, 0]
    while (now < 10 * SECOND) {
      // Many more checkouts start than the budget allows.
      for (let start = 0; start < 10; start++) budget = count(budget, 50, now)
      const left = take(budget, 50, now)
      if (left) queries += 1
      budget = left ?? budget
      now = Math.max(now + 1, readyAt(budget, 50))
    }
    expect(queries / 10).toBeGreaterThan(8)
    expect(queries / 10).toBeLessThan(11)
  })

  test('goes on after the clock was set back', () => {
    const empty = { shared: 0, reserved: 0, at: 1_000_000 }
    const later = count(empty, 50, 0)
    expect(take(later, 50, SECOND)).not.toBeNull()
  })

  test('gives every fifth turn to the least urgent query', () => {
    const order = (waiting: Priority[]) =>
      Array.from({ length: 10 }, (_, served) => nextPriority((each) => waiting.includes(each), served))
    expect(order([...PRIORITIES]).filter((each) => each === 'due')).toHaveLength(2)
    expect(order(['watched', 'due']).filter((each) => each === 'watched')).toHaveLength(8)
    expect(order(['due'])).toEqual(Array(10).fill('due'))
    expect(order([])).toEqual(Array(10).fill(undefined))
  })
})

describe('the queue', () => {
  function start(perSecond = 50) {
    const clock = createTimeline({ wall: null, start: START })
    const queue = createQueryQueue({ clock, log: silentLog, perSecond })
    const admitted: string[] = []
    const ask = (id: string, priority: Priority) =>
      Promise.resolve(queue.admit(id, priority)).then((is) => void admitted.push(is ? id : `not ${id}`))
    return { clock, queue, admitted, ask }
  }
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
