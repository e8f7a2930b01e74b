/**
 * A clock that skips pauses, for a run of `prove` and its shop in this process. It goes on to the next pause or deadline
 * when nobody is at work: each request is answered, or waits for this clock, too. So no time depends on the machine.
 */

import { createPooledFetch } from '../../server/http/pooled-fetch.ts'
import { systemClock } from '../../server/work/clock.ts'

import type { Fetch } from '../../server/http/exchange.ts'
import type { Clock } from '../../server/work/clock.ts'

/** A shorter pause while a request is sent lets a piece of its body arrive, which takes real time. */
const SHORTEST_DEADLINE_MS = 1_000
/** What one side of a connection has written, the other reads in the next turn of the event loop. */
const IDLE_TURNS = 3
/** The turns in which a connection is opened and its first bytes are read, also when a timer of this process is late. */
const ARRIVAL_TURNS = 20

const send = createPooledFetch({ privateHosts: 'any' })

export interface SkippingClock extends Clock {
  /** The server's own `fetch`. Its requests keep the clock from going on. */
  fetch: Fetch
  /** Work of the shop, which keeps the clock from going on. */
  working: <T>(work: () => Promise<T>) => Promise<T>
  /** A pause in this work. */
  pause: (ms: number) => Promise<void>
}

interface Sleeper {
  at: number
  isDeadline: boolean
  wake: () => void
}

export function createSkippingClock(): SkippingClock {
  let now = systemClock.now()
  let isWaiting = false
  const sleepers = new Set<Sleeper>()
  const busy = { requests: 0, works: 0, pieces: 0, pauses: 0 }
  const clock: Clock = { now: () => now, sleep }
  return {
    ...clock,
    fetch: (url, init) => during('requests', async () => send(url, init)),
    working: (work) => during('works', work),
    pause: (ms) => during('pauses', () => sleep(ms)),
  }

  async function during<T>(what: keyof typeof busy, work: () => Promise<T>): Promise<T> {
    busy[what] += 1
    try {
      return await work()
    } finally {
      busy[what] -= 1
      void goOn()
    }
  }

  async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal && ms < SHORTEST_DEADLINE_MS) {
      return during('pieces', () => arrive(ms, signal))
    }

    signal?.throwIfAborted()
    const { promise, resolve, reject } = withResolvers()
    const sleeper = { at: now + ms, isDeadline: signal !== undefined, wake: resolve }
    sleepers.add(sleeper)
    signal?.addEventListener('abort', () => {
      sleepers.delete(sleeper)
      reject(signal.reason)
    })
    void goOn()
    return promise
  }

  /** Wakes the sleepers, one after the other, while nobody is at work. */
  async function goOn(): Promise<void> {
    if (isWaiting) {
      return
    }

    isWaiting = true
    for (let turns = 0; isIdle(); turns += 1) {
      await new Promise(setImmediate)
      if (turns < IDLE_TURNS || !isIdle()) {
        continue
      }

      turns = 0
      const [next] = [...sleepers].toSorted((one, other) => one.at - other.at)
      if (!next) {
        break
      }

      sleepers.delete(next)
      now = Math.max(now, next.at)
      next.wake()
    }

    isWaiting = false
  }

  /** Without a pause that ends, a deadline has no answer to wait for: it is about to be cancelled. */
  function isIdle(): boolean {
    const { requests, works, pieces, pauses } = busy
    const hasPause = [...sleepers].some(({ isDeadline }) => !isDeadline)
    return hasPause && pieces === 0 && requests <= pauses && works <= pauses
  }
}

async function arrive(ms: number, signal: AbortSignal): Promise<void> {
  await systemClock.sleep(ms, signal)
  for (let turns = 0; turns < ARRIVAL_TURNS; turns += 1) {
    await new Promise(setImmediate)
  }
}

function withResolvers() {
  let [resolve, reject]: [() => void, (reason: unknown) => void] = [() => {}, () => {}]
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}
