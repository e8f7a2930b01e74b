import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Breaker, BreakerEvent, BreakerPolicy } from '../../server/work/breaker.ts'
import { admits, CLOSED, next as nextOf } from '../../server/work/breaker.ts'

const POLICY: BreakerPolicy = {
  failures: 20,
  failureSpanMs: 30_000,
  probe: { baseMs: 1_000, capMs: 5_000 },
  probeTimeoutMs: 60_000,
}

const next = (breaker: Breaker, event: BreakerEvent, now: number) => nextOf(breaker, event, now, POLICY)
const failed = (times: number, from: Breaker = CLOSED, now = 0) =>
  Array.from({ length: times }).reduce<Breaker>((breaker) => next(breaker, 'failed', now), from)

test('opens after twenty failures without a success between them', () => {
  expect(admits(failed(19), 0)).toBe('any')
  expect(failed(20)).toEqual({ state: 'open', probes: 0, probeAt: 1_000 })
  expect(failed(19, next(failed(19), 'succeeded', 0))).toEqual({ state: 'closed', failures: 19, since: 0 })
})

test('opens after a few failures over half a minute, where there are few requests', () => {
  const first = next(CLOSED, 'failed', 5_000)
  const second = next(first, 'failed', 60_000)
  expect(second).toEqual({ state: 'closed', failures: 2, since: 5_000 })
  expect(next(second, 'failed', 60_000)).toEqual({ state: 'open', probes: 0, probeAt: 61_000 })
  expect(next(next(first, 'failed', 20_000), 'failed', 34_999).state).toBe('closed')
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

test('probes when the clock was set back by more than the longest pause', () => {
  expect(admits(failed(20, CLOSED, 3_600_000), 0)).toBe('probe')
})

test('late failures do not prolong the pause', () => {
  expect(next(failed(20), 'failed', 900)).toEqual(failed(20))
})

test('closes with any success, and never stays shut for longer than a minute', () => {
  const event = fc.constantFrom<BreakerEvent>('succeeded', 'failed', 'probe')
  fc.assert(
    fc.property(fc.array(fc.tuple(event, fc.nat(10_000))), (events) => {
      let [breaker, now]: [Breaker, number] = [CLOSED, 0]
      for (const [name, ms] of events) {
        now += ms
        breaker = next(breaker, name, now)
        if (name === 'succeeded') expect(breaker).toEqual(CLOSED)
      }
      expect(admits(breaker, now + 60_000)).not.toBe('none')
    }),
  )
})
