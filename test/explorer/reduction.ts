/**
 * The reduction that makes the exploration finite. Two states with one key give equal answers to every letter:
 *
 * - A time is its distance to now. Beyond the last limit that a rule reads, all distances are alike.
 * - Versions, ids and fingerprints are left out, and what the rules never read: texts, visits, requests.
 * - What a lagging answer says counts only while answers lag.
 *
 * Counters stay as they are: each has an end.
 */

import { createHash } from 'node:crypto'
import type { Transaction } from '../../server/store/store.ts'
import type { State } from './state.ts'
import type { Thing } from './truth.ts'
import { DAY, FORGETS_AFTER_MS, HOUR, isLagging, LAG_MS, LONGEST_MOVE_MS, SECOND } from './truth.ts'

/** No rule reads a distance beyond 30 days. */
const FARTHEST_MS = 31 * DAY

const TIMES = new Set([
  'created_at',
  'updated_at',
  'due_at',
  'sent_at',
  'asked_at',
  'at',
  'settled_at',
  'unknown_at',
  'rejected_at',
  'expires_at',
  'since',
])
const UNREAD = new Set([
  'id',
  'version',
  'trace_id',
  'account',
  'personal',
  'requested_at',
  'people',
  'visit',
  'given_digest',
  'request_fingerprint',
  'fingerprint',
  'recipient',
  'narration',
  'response_description',
  'redirect_url',
  'checkout_reference',
  'methods',
])

/** Returns the key of a state. */
export function keyOf(state: State): string {
  return hashOf(described(state))
}

/**
 * Returns the key of a state of which only days are looked at any more: distances are hours.
 */
export function coarseKeyOf({ now, ...state }: State): string {
  return hashOf(described({ ...state, now }, HOUR))
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64')
}

/** Returns what counts of a state, as text. `grain` is the unit of its distances. */
export function described(state: State, grain = 1): string {
  const { now, ahead, rows, events, things, recoveredAt, ...rest } = state
  const clock = now + ahead
  const places = new Map(rows.map(({ id }, place) => [id, place]))
  const told = events.map(
    ({ transactionId, type, about, finish }) => `${places.get(transactionId)} ${type} ${about} ${finish}`,
  )
  const { amount, secrets, troubles, used, toldBefore } = rest
  return [
    ...rows.map((row) => `${write(row, clock, grain)} ${requestOf(row, clock)}`),
    ...told,
    ...things.map((thing) => JSON.stringify(truthOf(thing, now, grain))),
    JSON.stringify({
      ahead,
      amount,
      secrets,
      toldBefore,
      recovered: recoveredAt && cut(recoveredAt - clock),
    }),
    JSON.stringify(troubles.toSorted()),
    JSON.stringify(Object.keys(used).toSorted()),
  ].join('\n')
}

function cut(distance: number, farthest = FARTHEST_MS): number {
  return Math.max(-farthest, Math.min(farthest, distance))
}

/** A requested query counts until it has started, and for the second in which no other is requested. */
function requestOf({ requested_at, asked_at }: Transaction, clock: number): string {
  if (requested_at === null) return ''
  const isServed = requested_at <= (asked_at ?? 0) && requested_at <= clock - SECOND
  return isServed ? '' : String(cut(requested_at - clock))
}

/** Writes a value with its names in order, and its times as distances. */
function write(value: unknown, clock: number, grain: number): string {
  if (Array.isArray(value)) return `[${value.map((each) => write(each, clock, grain)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const parts: string[] = []
  for (const name of Object.keys(value).toSorted()) {
    const part: unknown = Reflect.get(value, name)
    if (UNREAD.has(name) || part === undefined) continue
    if (name === 'call' || name === 'request' || name === 'result') parts.push(`${name}:${isThere(part)}`)
    else if (TIMES.has(name)) parts.push(`${name}:${distanceOf(part, clock, grain)}`)
    else parts.push(`${name}:${write(part, clock, grain)}`)
  }
  return `{${parts.join()}}`
}

/** Of a request, it counts whether it can still be sent. */
function isThere(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false
  return !('request' in part) || part.request !== null
}

function distanceOf(time: unknown, clock: number, grain: number): string {
  if (typeof time === 'string') return String(Math.round(cut(Date.parse(time) - clock) / grain))
  return typeof time === 'number' ? String(Math.round(cut(time - clock) / grain)) : 'null'
}

function truthOf(thing: Thing, now: number, grain: number) {
  const { arrivedAt, expiresAt, changedAt, before, money } = thing
  const inGrains = (distance: number, farthest: number) => Math.round(cut(distance, farthest) / grain)
  return {
    ...thing,
    arrivedAt: inGrains(arrivedAt - now, LAG_MS),
    expiresAt: inGrains(expiresAt - now, Math.max(LONGEST_MOVE_MS, FORGETS_AFTER_MS)),
    changedAt: inGrains(changedAt - now, Math.max(LAG_MS, FORGETS_AFTER_MS)),
    before: isLagging(thing, now) ? before : money,
  }
}
