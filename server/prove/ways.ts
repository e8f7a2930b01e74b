/** The ways in which an event reaches a webhook: as the server sends it, as a forger does, or on a bad connection. */

import { once } from 'node:events'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'

import type { Secret } from '../config/secret.ts'
import type { Fetch, FetchAnswer, FetchInit } from '../http/exchange.ts'
import type { Clock } from '../work/clock.ts'

interface Way {
  /** How far the clock of the sender is ahead, in milliseconds. */
  shiftMs?: number
  /** Chooses the secrets that sign: the webhook's own, or one that it does not know. By default, its own. */
  secrets?: (own: readonly Secret[], unknown: Secret) => readonly Secret[]
  /** Replaces the function that sends the signed request. */
  fetch?: (fetch: Fetch, clock: Clock) => Fetch
}

/** How far a wrong clock is off: more than the five minutes that a signature lives. */
const OFF_MS = 600_000
/** Longer than any event, and than what web servers accept by default. */
const HUGE_BYTES = 4_000_000
/** Long enough for each piece to arrive by itself. */
const PAUSE_MS = 30
const SIGNATURE = 'webhook-signature'

export const WAYS = {
  'without a signature': { fetch: withHeader(SIGNATURE, () => null) },
  'with an empty signature': { fetch: withHeader(SIGNATURE, () => 'v1,') },
  'with the beginning of its signature': { fetch: withHeader(SIGNATURE, (whole) => whole.slice(0, 12)) },
  'by another secret': { secrets: (_, unknown) => [unknown] },
  'with another body': {
    fetch: (fetch) => (url, init) => fetch(url, { ...init, body: `{"forged":true,${init.body?.slice(1)}` }),
  },
  'with another id': { fetch: withHeader('webhook-id', (id) => `${id}x`) },
  'signed ten minutes ago, with another time': {
    shiftMs: -OFF_MS,
    fetch: withHeader('webhook-timestamp', (time) => String(Number(time) + OFF_MS / 1000)),
  },
  'signed ten minutes ago': { shiftMs: -OFF_MS },
  'signed in ten minutes': { shiftMs: OFF_MS },
  'signed with a new secret, then yours': { secrets: (own, unknown) => [unknown, ...own] },
  'signed with yours, then an old secret': { secrets: (own, unknown) => [...own, unknown] },
  'with a body of 4 MB, unsigned': {
    fetch: (fetch) => (url, init) =>
      fetch(url, { ...init, headers: { ...init.headers, [SIGNATURE]: '' }, body: 'x'.repeat(HUGE_BYTES) }),
  },
  'in seven pieces': { fetch: (_, clock) => inPieces(clock, { pieces: 7 }) },
  'by half, then closed': { fetch: (_, clock) => inPieces(clock, { pieces: 2, closeAt: 0.5 }) },
  'whole, then closed before the answer': { fetch: (_, clock) => inPieces(clock, { pieces: 1, closeAt: 1 }) },
} as const satisfies Readonly<Record<string, Way>>

export type WayName = keyof typeof WAYS
export const wayOf = (name: WayName | undefined): Way => (name === undefined ? {} : WAYS[name])

function withHeader(name: string, change: (value: string) => string | null): (fetch: Fetch) => Fetch {
  return (fetch) => (url, init) => {
    const { [name]: value = '', ...others } = init.headers
    const changed = change(value)
    return fetch(url, { ...init, headers: { ...others, ...(changed !== null && { [name]: changed }) } })
  }
}

/**
 * Returns a function that writes the body in pieces. If `closeAt` is given, it closes the connection when this share of
 * the body is written.
 */
function inPieces(clock: Clock, { pieces, closeAt }: { pieces: number; closeAt?: number }): Fetch {
  return async (url, { method, headers, body = '', signal }: FetchInit): Promise<FetchAnswer> => {
    const bytes = Buffer.from(body)
    const writtenBytes = Math.floor(bytes.length * (closeAt ?? 1))
    const send = url.startsWith('https:') ? overHttps : overHttp
    const request = send(url, { method, signal, headers: { ...headers, 'content-length': bytes.length } })
    const answered = once(request, 'response')
    // The connection may fail while pieces are written. Before the answer, `await answered` reports it; after an early
    // answer, it does not matter any more.
    answered.catch(() => {})
    request.on('error', () => {})
    for (let piece = 0; piece < pieces; piece += 1) {
      request.write(bytes.subarray((writtenBytes * piece) / pieces, (writtenBytes * (piece + 1)) / pieces))
      await clock.sleep(PAUSE_MS, signal)
    }

    if (closeAt !== undefined) {
      request.destroy()
      throw new Error('closed on purpose')
    }

    request.end()
    const [response] = await answered
    // Node lists the values of a header that is repeated.
    const get = (name: string) => [response.headers[name]].flat()[0] ?? null
    return { status: response.statusCode, headers: { get }, body: response }
  }
}
