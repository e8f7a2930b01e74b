import { createApp } from '../../server/every-feature.ts'
import { StoreError } from '../../server/store/errors.ts'
import { ownStore } from '../support/worlds/own-store.ts'

import type { SandboxFetch, Timeline } from '../../demo/sandbox/index.ts'
import type { App, AppOptions } from '../../server/app.ts'
import type { Config } from '../../server/config/config.ts'
import type { Fetch } from '../../server/http/exchange.ts'
import type { Store } from '../../server/store/store.ts'
import type { Transaction } from '../../server/store/transactions.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Story } from './story.ts'

export interface ReplicaDeps {
  name: string
  options: Pick<AppOptions, 'orders' | 'randomness' | 'longestSleepMs'>
  /** Return what the process uses from its start on. */
  config: () => Config
  store: () => Store
  inserted: string[]
  timeline: Timeline
  /** Creates the `fetch` function of a new process. The signal `life` aborts when the process crashes. */
  fetch: (life: AbortSignal) => Fetch
  random: SeededRandom
  story: Story
  /**
   * The number of store and network calls of all replicas. While this number does not change, all replicas are idle.
   */
  activity: { count: number }
  /**
   * The probability that a store call fails, and the probability that a store call is delayed by up to
   * {@link SLOWEST_MS}. Both are from 0 to 1.
   */
  storeTrouble: { failing: number; slow: number }
  committed: (row: Transaction) => void
  /** Called when a store call has stored that a transaction is sent, before the request. */
  marked: (reference: string) => void
}

export type Replica = ReturnType<typeof createReplica>

const SLOWEST_MS = 500

export function createReplica(deps: ReplicaDeps, skewMs: number) {
  const { name, timeline, story } = deps
  const clock = { skewMs }
  let isRetired = false
  let process: { app: App; life: AbortController; pass: Pass } | null = boot()

  function boot() {
    const life = new AbortController()
    const calls = { left: Infinity }
    const pass: Pass = {
      stopMs: 0,
      stopped: null,
      crashAfter: (count) => void (calls.left = count),
      marked(reference) {
        deps.marked(reference)
        if (pass.stopMs === 0) {
          return
        }

        story.fault(
          'stopped replica',
          `${name} is stopped for ${pass.stopMs} ms before it sends ${reference}`,
        )
        pass.stopped = timeline.sleep(pass.stopMs).then(() => void (pass.stopped = null))
        pass.stopMs = 0
      },
      step() {
        deps.activity.count += 1
        calls.left -= 1
        if (calls.left === 0) {
          crash()
        }
        return !life.signal.aborted
      },
    }
    const app = createApp({
      ...deps.options,
      config: deps.config(),
      store: storeOf(deps, pass),
      fetch: through(pass, deps.fetch(life.signal)),
      clock: {
        now: () => timeline.now() + clock.skewMs,
        sleep: (ms, signal) => timeline.sleep(ms, signal),
      },
      log: { debug() {}, info() {}, warn() {}, error: (facts, message) => report(facts, message) },
    })
    void app.work(life.signal)
    return { app, life, pass }
  }

  function report(facts: object, message: string): void {
    const error = 'err' in facts ? facts.err : null
    if (error instanceof Error && !EXPECTED.some((expected) => error.name === expected)) {
      story.violation(`${name} failed: ${message} ${error.stack}`)
    }
  }

  function crash(): void {
    if (!process) {
      return
    }

    process.life.abort()
    process = null
    story.fault('crash', `${name} crashes`)
  }

  return {
    name,
    clock,
    crash,
    isUp: () => process !== null && process.pass.stopped === null,
    retire() {
      isRetired = true
      process?.life.abort()
      process = null
    },
    start() {
      if (process || isRetired) {
        return
      }

      process = boot()
      story.tell(`${name} starts`)
    },
    /**
     * Crashes the process after `steps` steps. A step is the moment before or after a call of the store or the
     * network.
     */
    crashAfter: (steps: number) => process?.pass.crashAfter(steps),
    /** Stops the process for `ms` milliseconds between its next mark in the store and the request. */
    stopBeforeSend: (ms: number) => process && void (process.pass.stopMs = ms),
    /** Sends a request to the process. The promise never resolves if the process is down or crashes. */
    fetch: ((url, init) =>
      process
        ? through(process.pass, process.app.request.bind(process.app))(url, init)
        : never()) as SandboxFetch & ((url: string, init: RequestInit) => Promise<Response>),
  }
}

const EXPECTED = ['StoreError', 'GatewayError', 'GatewayRefusal']

interface Pass {
  crashAfter(steps: number): void
  step(): boolean
  /** For how long the process will be stopped before it sends a transaction; 0 if it will not. */
  stopMs: number
  /** Resolves when the stopped process goes on; `null` while the process runs. */
  stopped: Promise<void> | null
  marked(reference: string): void
}

const never = () => new Promise<never>(() => {})

// The promise never resolves if the process crashes before or after the call. A stopped process sees no result.
function through<A extends unknown[], R>(pass: Pass, work: (...args: A) => R | Promise<R>) {
  return async (...args: A): Promise<R> => {
    if (!pass.step()) {
      return never()
    }

    const result = await work(...args)
    if (pass.stopped) {
      await pass.stopped
    }
    return pass.step() ? result : never()
  }
}

function storeOf(deps: ReplicaDeps, pass: Pass): Store {
  const { store, inserted, random, story, name, storeTrouble, timeline, committed } = deps
  const troubled =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const { failing, slow } = storeTrouble
      if (failing > 0 && random.happens(failing)) {
        const isLate = random.happens(0.5)
        const when = isLate ? 'after' : 'before'
        story.fault(`store error ${when} the effect`, `${name}: a store call fails ${when} it took effect`)
        if (isLate) {
          await work(...args)
        }
        throw new StoreError('The connection was lost.')
      }
      if (slow === 0 || !random.happens(slow)) {
        return work(...args)
      }

      const ms = random.between(1, SLOWEST_MS)
      story.fault('slow store call', `${name}: a store call takes ${ms} ms`)
      const waitsBefore = random.happens(0.5)
      if (waitsBefore) {
        await timeline.sleep(ms)
      }

      const result = await work(...args)
      if (!waitsBefore) {
        await timeline.sleep(ms)
      }
      return result
    }
  const marked = (reference: string) => pass.marked(reference)
  const own = ownStore(store(), (work) => through(pass, troubled(work)), inserted, { committed, marked })
  // SQLite's own random numbers have no seed. A spread of 1 ms makes the retry times repeatable.
  return {
    ...own,
    bringEventsForward: (account, now, spans) =>
      own.bringEventsForward(account, now, { ...spans, spreadMs: 1 }),
  }
}
