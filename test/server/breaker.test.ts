import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Breaker, BreakerEvent } from '../../server/outbox/breaker.ts'
import { admits, CLOSED, next } from '../../server/outbox/breaker.ts'

const failed = (times: number, from: Breaker = CLOSED, now = 0) =>
  Array.from({ length: times }).reduce<Breaker>((breaker) => next(breaker, 'failed', now), from)

test('opens after twenty failures without a success between them', () => {
  expect(admits(failed(19), 0)).toBe('any')
  expect(failed(20)).toEqual({ state: 'open', probes: 0, probeAt: 1_000 })
  expect(failed(19, next(failed(19), 'delivered', 0))).toEqual({ state: 'closed', failures: 19 })
})

test('admits one probe at a time, with longer pauses up to five seconds', () => {
  const pauses: number[] = []
  let [breaker, now] = [failed(20), 0]
  for (let probe = 0; probe < 5; probe++) {
    expect([admits(breaker, breaker.state === 'closed' ? 0 : breaker.probeAt - 1), breaker.state]).toEqual([
      'none',
      'open',
    ])
    pauses.push((breaker.state === 'closed' ? 0 : breaker.probeAt) - now)
    now += pauses.at(-1) ?? 0
    expect(admits(breaker, now)).toBe('probe')
    breaker = next(breaker, 'probe', now)
    expect(admits(breaker, now)).toBe('none')
    breaker = next(breaker, 'failed', now)
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 5_000, 5_000])
})

test('repeats a probe that has no result within a minute', () => {
  const probing = next(failed(20), 'probe', 1_000)
  expect(admits(probing, 60_999)).toBe('none')
  expect(admits(probing, 61_000)).toBe('probe')
})

test('late failures do not prolong the pause', () => {
  expect(next(failed(20), 'failed', 900)).toEqual(failed(20))
})

test('closes with any success, and never stays shut for longer than a minute', () => {
  const event = fc.constantFrom<BreakerEvent>('delivered', 'failed', 'probe')
  fc.assert(
    fc.property(fc.array(fc.tuple(event, fc.nat(10_000))), (events) => {
      let [breaker, now]: [Breaker, number] = [CLOSED, 0]
      for (const [name, ms] of events) {
        now += ms
        breaker = next(breaker, name, now)
        if (name === 'delivered') expect(breaker).toEqual(CLOSED)
      }
      expect(admits(breaker, now + 60_000)).not.toBe('none')
    }),
  )
})
