import fc from 'fast-check'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'

import { createTimeline } from '../../../demo/sandbox/index.ts'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { QueryQueue } from '../../../server/gateway/query-queue.ts'
import { silentLog } from '../../../server/log/log.ts'
import { admits, CLOSED, next as nextOf } from '../../../server/work/breaker.ts'
import { START } from '../../support/worlds/world.ts'

import type { Family } from '../../../server/contract/endpoints.ts'
import type { Endpoint as AnyEndpoint } from '../../../server/gateway/endpoint.ts'
import type { Priority } from '../../../server/gateway/query-priority.ts'
import type { Breaker, BreakerEvent, BreakerPolicy } from '../../../server/work/breaker.ts'

const SECOND = 1_000

function start(perSecond = 50) {
  const clock = createTimeline({ wall: null, start: START })
  const queue = new QueryQueue({ clock, log: silentLog, perSecond })
  const admitted: string[] = []
  const ask = (id: string, priority: Priority, family: Family = 'checkout') =>
    Promise.resolve(queue.admit(id, priority, family)).then((is) => void admitted.push(is ? id : `not ${id}`))
  return { clock, queue, admitted, ask }
}

type Endpoint = AnyEndpoint<unknown>
const SEND = { family: null, isQuery: false, isRetry: false }

const fail = (queue: QueryQueue, times: number, endpoint: Endpoint = endpoints.getCheckoutStatus) => {
  for (let time = 0; time < times; time++) {
    queue.report(endpoint, 'gateway_timeout')
  }
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
  test('the budget allows at most so many queries in any second, whenever they are asked for', async () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 20, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 5, max: 60 }), pauses, async (perSecond, ms) => {
        const clock = sleeplessClock()
        const queue = new QueryQueue({ clock, log: silentLog, perSecond })
        const admittedAt: number[] = []
        for (const pause of ms) {
          clock.set(clock.now() + pause)

          const ask = async (_: unknown, id: number) => {
            expect(await queue.admit(`${id}`, 'due', 'checkout')).toBe(true)
            admittedAt.push(clock.now())
          }

          await Promise.all(Array.from({ length: 8 }, ask))
        }

        expect(mostInOneSecond(admittedAt)).toBeLessThanOrEqual(perSecond)
      }),
      { numRuns: 50 },
    )
  })

  test('the budget counts requests that do not wait', async () => {
    const { clock, queue, admitted, ask } = start()
    for (let request = 0; request < 5; request++) {
      queue.onAttempt(SEND)
    }

    void ask('a', 'due')
    await clock.advance(0)
    expect(admitted).toEqual([])
    await clock.advance(SECOND)
    expect(admitted).toEqual(['a'])
  })

  test('the budget goes on after the clock was set back', async () => {
    const clock = sleeplessClock()
    const queue = new QueryQueue({ clock, log: silentLog, perSecond: 50 })
    for (let request = 0; request < 5; request++) {
      queue.onAttempt(SEND)
    }

    clock.set(0)
    expect(await queue.admit('a', 'due', 'checkout')).toBe(true)
    expect(clock.now()).toBeLessThan(SECOND)
  })
})

describe('the queue', () => {
  test('the queue admits at once what the budget allows, and the rest in the order of urgency', async () => {
    const { clock, admitted, ask } = start()
    for (let query = 0; query < 5; query++) {
      void ask(`first ${query}`, 'due')
    }

    void ask('due', 'due')
    void ask('watched', 'watched')
    void ask('notified', 'notified')
    await clock.advance(0)
    expect(admitted).toEqual([0, 1, 2, 3, 4].map((query) => `first ${query}`))
    await clock.advance(SECOND)
    expect(admitted.slice(5)).toEqual(['notified', 'watched', 'due'])
  })

  test('the queue lets a callback make a waiting query more urgent, once', async () => {
    const { clock, queue, admitted, ask } = start()
    for (let query = 0; query < 5; query++) {
      void ask(`first ${query}`, 'due')
    }

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

  test('the queue sends everybody of a family away when it goes away, but for one probe', async () => {
    const { clock, queue, admitted, ask } = start()
    for (let query = 0; query < 6; query++) {
      void ask(String(query), 'watched')
    }

    void ask('airtime', 'due', 'airtime')
    fail(queue, 20)
    await clock.advance(0)
    expect(admitted.slice(5)).toEqual(['not 5'])
    expect(queue.admit('a', 'notified', 'checkout')).toBe(false)
    await clock.advance(SECOND)
    expect(admitted.slice(6)).toEqual(['airtime'])
    expect([queue.admit('b', 'due', 'checkout'), queue.admit('a', 'notified', 'checkout')]).toEqual([
      true,
      false,
    ])
    expect(queue.admit('c', 'due', 'airtime')).toBe(true)
    queue.report(endpoints.getCheckoutStatus, null)
    expect(queue.admit('a', 'notified', 'checkout')).toBe(true)
  })

  test('the queue makes no retries while the family is away', () => {
    const { queue } = start()
    const retry = (family: Family | null) => queue.onAttempt({ family, isQuery: true, isRetry: true })
    expect(retry('checkout')).toBe(true)
    fail(queue, 20)
    expect([retry('checkout'), retry('charge'), retry(null)]).toEqual([false, true, true])
    expect(queue.onAttempt({ family: 'checkout', isQuery: false, isRetry: false })).toBe(true)
  })

  test('the queue takes any answer for a sign of life', () => {
    for (const code of [null, 'gateway_refused', 'gateway_unauthorized', 'gateway_answer_invalid'] as const) {
      const { queue } = start()
      fail(queue, 19)
      queue.report(endpoints.getCheckoutStatus, code)
      fail(queue, 19)
      expect(queue.probeAt).toBeNull()
    }
  })

  test('the queue lets nobody wait once it is stopped', async () => {
    const { clock, queue, admitted, ask } = start()
    for (let query = 0; query < 7; query++) {
      void ask(String(query), 'due')
    }

    queue.stop()
    await clock.advance(0)
    expect(admitted.slice(5)).toEqual(['not 5', 'not 6'])
    expect(queue.admit('late', 'notified', 'checkout')).toBe(false)
  })
})

describe('a family', () => {
  const FAMILIES = ['checkout', 'charge', 'payout', 'airtime'] as const
  const away = (queue: QueryQueue) =>
    FAMILIES.filter((family) => queue.admit('any', 'watched', family) === false)
  /** An access token that a query of airtime needs. */
  const authenticate = { ...endpoints.authenticate, family: 'airtime' } as const

  test.each([
    ['getCheckoutStatus', ['checkout']],
    ['getChargeStatus', ['charge']],
    ['getPayoutStatus', ['payout']],
    ['getB2bStatus', ['payout']],
    ['getAirtimeStatus', ['airtime']],
    // Only the access token of a query that needs it.
    ['authenticate', []],
    ['initiateCheckout', []],
    ['postCharge', []],
    ['initiatePayout', []],
    ['initiateTransfer', []],
    ['initiateB2b', []],
    ['sendAirtime', []],
    ['getRates', []],
    ['getBalance', []],
    ['confirmService', []],
  ] as const satisfies [keyof typeof endpoints, Family[]][])(
    'when %s fails, the families that are away are %j',
    (name, families) => {
      const { queue } = start()
      fail(queue, 100, endpoints[name])
      expect(away(queue)).toEqual(families)
      expect(queue.probeAt === null).toBe(families.length === 0)
    },
  )

  test('a family is away when its queries get no access token, and back when they are answered', () => {
    const { queue } = start()
    fail(queue, 20, authenticate)
    expect(away(queue)).toEqual(['airtime'])
    for (const endpoint of [authenticate, endpoints.sendAirtime, endpoints.getCheckoutStatus]) {
      queue.report(endpoint, null)
      expect(away(queue)).toEqual(['airtime'])
    }

    queue.report(authenticate, 'gateway_unauthorized')
    expect(away(queue)).toEqual([])
  })

  test('a family is probed by the most urgent query first, one that failed last, unless a callback came', async () => {
    const { clock, queue } = start()
    fail(queue, 20)
    const refuse = (id: string, priority: Priority) =>
      expect(queue.admit(id, priority, 'checkout')).toBe(false)
    for (const id of ['due 1', 'due 2', 'page', 'callback']) {
      refuse(id, 'due')
    }

    refuse('page', 'watched')
    refuse('callback', 'notified')
    const probes: string[] = []
    for (let turn = 0; turn < 7; turn++) {
      await clock.advance((queue.probeAt ?? 0) - clock.now())
      const [id = ''] = queue.takeProbes()
      expect({ takeProbes: queue.takeProbes(), admit: queue.admit(id, 'probe', 'checkout') }).toEqual({
        takeProbes: [],
        admit: true,
      })
      fail(queue, 1)
      expect(queue.postpone(id, 'checkout')).toBe(true)
      probes.push(id)
      // The page is still open.
      refuse('page', 'watched')
      if (turn === 4) {
        refuse('due 2', 'notified')
      }
    }

    expect(probes).toEqual(['callback', 'page', 'due 2', 'due 1', 'callback', 'due 2', 'page'])
  })

  test('a family is probed when no query of another one is', async () => {
    const { clock, queue } = start()
    fail(queue, 20)
    await clock.advance(SECOND / 2)
    fail(queue, 20, endpoints.getAirtimeStatus)
    for (const family of ['checkout', 'airtime'] as const) {
      void queue.admit(family, 'due', family)
    }

    const probesAfter = async (ms: number) => {
      await clock.advance(ms)
      return queue.takeProbes()
    }

    expect(await probesAfter(SECOND / 2)).toEqual(['checkout'])
    expect(queue.probeAt).toBe(clock.now() + SECOND / 2)
    expect(await probesAfter(SECOND / 2)).toEqual(['airtime'])
  })

  test('a family that is back names whose callbacks came meanwhile', () => {
    const { queue } = start()
    const back: (readonly string[])[] = []
    queue.onBack((notified) => back.push(notified))
    fail(queue, 20)
    for (const [id, priority] of [
      ['a', 'due'],
      ['b', 'notified'],
      ['c', 'watched'],
      ['a', 'notified'],
    ] as const) {
      void queue.admit(id, priority, 'checkout')
    }

    queue.report(endpoints.getCheckoutStatus, null)
    expect({ back, takeProbes: queue.takeProbes(), postpone: queue.postpone('a', 'checkout') }).toEqual({
      back: [['b', 'a']],
      takeProbes: [],
      postpone: false,
    })
  })

  test('a family remembers a limited number of refused queries, the urgent ones too', async () => {
    const { clock, queue } = start()
    fail(queue, 20)
    for (const priority of ['due', 'watched', 'notified'] as const) {
      for (let id = 0; id < 10_000; id++) {
        void queue.admit(`${priority} ${id}`, priority, 'checkout')
      }
    }

    const probes = new Set<string>()
    for (let turn = 0; turn < 5_000; turn++) {
      await clock.advance(4 * SECOND)
      for (const id of queue.takeProbes()) {
        probes.add(id.replace(/ .*/, ''))
      }

      fail(queue, 1)
      if (queue.probeAt === Infinity) {
        break
      }
    }

    expect([...probes]).toEqual(['notified', 'watched', 'due'])
  })
})

function mostInOneSecond(times: readonly number[]): number {
  let most = 0
  let from = 0
  for (const [index, at] of times.entries()) {
    while (times[from]! <= at - 1_000) {
      from += 1
    }

    most = Math.max(most, index - from + 1)
  }

  return most
}

const POLICY: BreakerPolicy = {
  failures: 20,
  failureSpanMs: 30_000,
  probe: { baseMs: 1_000, capMs: 5_000 },
  probeTimeoutMs: 60_000,
}

const next = (breaker: Breaker, event: BreakerEvent, now: number) => nextOf(breaker, event, now, POLICY)
const failed = (times: number, from: Breaker = CLOSED, now = 0) =>
  Array.from({ length: times }).reduce<Breaker>((breaker) => next(breaker, 'failed', now), from)

test('the breaker opens after twenty failures without a success between them', () => {
  expect(admits(failed(19), 0)).toBe('any')
  expect(failed(20)).toEqual({ state: 'open', probes: 0, probeAt: 1_000 })
  expect(failed(19, next(failed(19), 'succeeded', 0))).toEqual({ state: 'closed', failures: 19, since: 0 })
})

test('the breaker opens after a few failures over half a minute, where there are few requests', () => {
  const first = next(CLOSED, 'failed', 5_000)
  const second = next(first, 'failed', 60_000)
  expect(second).toEqual({ state: 'closed', failures: 2, since: 5_000 })
  expect(next(second, 'failed', 60_000)).toEqual({ state: 'open', probes: 0, probeAt: 61_000 })
  expect(next(next(first, 'failed', 20_000), 'failed', 34_999).state).toBe('closed')
})

test('the breaker admits one probe at a time, with longer pauses up to five seconds', () => {
  const pauses: number[] = []
  let breaker = failed(20)
  let now = 0
  for (let probe = 0; probe < 5; probe++) {
    expect({
      admits: admits(breaker, breaker.state === 'closed' ? 0 : breaker.probeAt - 1),
      state: breaker.state,
    }).toEqual({ admits: 'none', state: 'open' })
    pauses.push((breaker.state === 'closed' ? 0 : breaker.probeAt) - now)
    now += pauses.at(-1) ?? 0
    expect(admits(breaker, now)).toBe('probe')
    breaker = next(breaker, 'probe', now)
    expect(admits(breaker, now)).toBe('none')
    breaker = next(breaker, 'failed', now)
  }

  expect(pauses).toEqual([1_000, 2_000, 4_000, 5_000, 5_000])
})

test('the breaker repeats a probe that has no result within a minute', () => {
  const probing = next(failed(20), 'probe', 1_000)
  expect(admits(probing, 60_999)).toBe('none')
  expect(admits(probing, 61_000)).toBe('probe')
})

test('the breaker probes when the clock was set back by more than the longest pause', () => {
  expect(admits(failed(20, CLOSED, 3_600_000), 0)).toBe('probe')
})

test('late failures do not prolong the pause', () => {
  expect(next(failed(20), 'failed', 900)).toEqual(failed(20))
})

test('the breaker closes with any success, and never stays shut for longer than a minute', () => {
  const event = fc.constantFrom<BreakerEvent>('succeeded', 'failed', 'probe')
  fc.assert(
    fc.property(fc.array(fc.tuple(event, fc.nat(10_000))), (events) => {
      let [breaker, now]: [Breaker, number] = [CLOSED, 0]
      for (const [name, ms] of events) {
        now += ms
        breaker = next(breaker, name, now)
        if (name === 'succeeded') {
          expect(breaker).toEqual(CLOSED)
        }
      }

      expect(admits(breaker, now + 60_000)).not.toBe('none')
    }),
  )
})
