/** The ways in which an event reaches a webhook: as the server sends it, as a forger does, or on a bad connection. */

import type { Secret } from '../config/secret.ts'
import type { Clock } from '../work/clock.ts'
import type { Fetch, FetchAnswer, FetchInit } from '../http/exchange.ts'
import { once } from 'node:events'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'

interface Way {
  /** How far the clock is off that signs, in milliseconds. */
  shiftMs?: number
  /** The secrets that sign, of the webhook's own and one that it does not know. */
  secrets?: (own: readonly Secret[], other: Secret) => readonly Secret[]
  fetch?: (fetch: Fetch, clock: Clock) => Fetch
}

/** How far a wrong clock is off: more than the five minutes that a signature lives. */
const OFF_MS = 600_000
/** Longer than any event, and than the limit of usual servers. */
const HUGE_BYTES = 4_000_000
/** Long enough for each piece to arrive by itself. */
const PAUSE_MS = 30
const SIGNATURE = 'webhook-signature'

export const WAYS = {
  'without a signature': { fetch: withHeader(SIGNATURE, () => null) },
  'with an empty signature': { fetch: withHeader(SIGNATURE, () => 'v1,') },
  'with the beginning of its signature': { fetch: withHeader(SIGNATURE, (whole) => whole.slice(0, 12)) },
  'by another secret': { secrets: (_, other) => [other] },
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
  'signed with a new secret, then yours': { secrets: (own, other) => [other, ...own] },
  'signed with yours, then an old secret': { secrets: (own, other) => [...own, other] },
  'with a body of 4 MB, unsigned': {
    fetch: (fetch) => (url, init) =>
      fetch(url, { ...init, headers: { ...init.headers, [SIGNATURE]: '' }, body: 'x'.repeat(HUGE_BYTES) }),
  },
  'in seven pieces': { fetch: (_, clock) => writing(clock, { pieces: 7 }) },
  'by half, then closed': { fetch: (_, clock) => writing(clock, { pieces: 2, closeAt: 0.5 }) },
  'whole, then closed before the answer': { fetch: (_, clock) => writing(clock, { pieces: 1, closeAt: 1 }) },
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

/** Writes a body in pieces. Closes the connection when so much of the body is written as `closeAt` says. */
function writing(clock: Clock, { pieces, closeAt }: { pieces: number; closeAt?: number }): Fetch {
  return async (url, { method, headers, body = '', signal }: FetchInit): Promise<FetchAnswer> => {
    const bytes = Buffer.from(body)
    const last = Math.floor(bytes.length * (closeAt ?? 1))
    const send = url.startsWith('https:') ? overHttps : overHttp
    const request = send(url, { method, signal, headers: { ...headers, 'content-length': bytes.length } })
    const answered = once(request, 'response')
    answered.catch(() => {})
    for (let piece = 0; piece < pieces; piece += 1) {
      request.write(bytes.subarray((last * piece) / pieces, (last * (piece + 1)) / pieces))
      await clock.sleep(PAUSE_MS, signal)
    }
    if (closeAt !== undefined) {
      request.destroy()
      throw new Error('closed on purpose')
    }
    request.end()
    const [response] = await answered
    const named = { get: (name: string) => [response.headers[name]].flat()[0] ?? null }
    return { status: response.statusCode, headers: named, body: response }
  }
}
