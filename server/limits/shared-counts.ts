/**
 * Adds the counts of this process to counts that all processes share. Requests do not wait for this: the counts are
 * added in the background, one SQL statement at a time. A statement adds all requests of one key that arrived since the
 * last statement, so a flood of requests causes few statements.
 *
 * While the store is unavailable, each process limits requests by its own counts.
 */

import type { Secret } from '../config/secret.ts'
import type { Log } from '../log.ts'
import { createHmac, hkdfSync } from 'node:crypto'

/** Adds `requests` to the shared count of a key. Resolves with the count in the key's current time window. */
export type AddToCount = (key: string, requests: number, windowMs: number) => Promise<SharedCount>

export interface SharedCount {
  count: number
  /** Milliseconds until the time window ends. */
  leftMs: number
}

export interface SharedCounts {
  /** Adds `requests` to the shared count of a key, then calls `learned` with this count. Returns at once. */
  add(key: string, requests: number, windowMs: number, learned: (shared: SharedCount) => void): void
  /** Adds one request to the shared count of a key. Resolves with this count; `null` while the store is unavailable. */
  addNow(key: string, windowMs: number): Promise<SharedCount | null>
}

interface SharedCountsDeps {
  addToCount: AddToCount
  /** The stored keys are HMACs with a key that is derived from this secret. All processes have the same secret. */
  secret: Secret
  log: Log
}

interface Waiting {
  requests: number
  windowMs: number
  learned: (shared: SharedCount) => void
}

/** The maximum number of keys whose counts wait to be added. The counts of further keys are not shared. */
const MOST_WAITING = 1_000
const KEY_BYTES = 32

export function createSharedCounts({ addToCount, secret, log }: SharedCountsDeps): SharedCounts {
  const hmacKey = Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'request counts', KEY_BYTES))
  const waiting = new Map<string, Waiting>()
  let isSending = false
  let hasFailed = false

  return {
    add(key, requests, windowMs, learned) {
      const before = waiting.get(key)?.requests ?? 0
      if (before === 0 && waiting.size >= MOST_WAITING) return
      waiting.set(key, { requests: before + requests, windowMs, learned })
      if (!isSending) void send()
    },
    addNow: (key, windowMs) => tryToAdd(key, 1, windowMs),
  }

  async function send(): Promise<void> {
    isSending = true
    // The loop also visits keys that are added while the loop runs.
    for (const [key, { requests, windowMs, learned }] of waiting) {
      waiting.delete(key)
      const shared = await tryToAdd(key, requests, windowMs)
      const more = waiting.get(key)?.requests ?? 0
      if (shared) learned({ ...shared, count: shared.count + more })
    }
    isSending = false
  }

  async function tryToAdd(key: string, requests: number, windowMs: number): Promise<SharedCount | null> {
    try {
      const shared = await addToCount(digest(key), requests, windowMs)
      hasFailed = false
      return shared
    } catch (error) {
      if (!hasFailed)
        log.warn({ err: error }, 'Until the store is back, each process counts requests for itself.')
      hasFailed = true
      return null
    }
  }

  function digest(key: string): string {
    return createHmac('sha256', hmacKey).update(key).digest('base64url')
  }
}
