/**
 * The reduction that makes the exploration finite. Two states with one key give equal answers to every letter:
 *
 * - A time is its distance to now. Beyond the last limit that a rule reads, all distances are alike.
 * - A time that rules compare only with limits is its place between these limits.
 * - Versions, ids and fingerprints are left out, and what the rules never read: texts, visits, requests.
 * - When the worker looks next is left out: the letter `query` comes at any time.
 * - What a lagging answer says counts only while answers lag.
 *
 * Counters stay as they are: each has an end.
 */

import { createHash } from 'node:crypto'

import { lastSendOf } from '../../server/transactions/recovery.ts'
import { sessionLimitsOf } from './machine.ts'
import { DAY, FORGETS_AFTER_MS, isLagging, LAG_MS, LONGEST_MOVE_MS, MINUTE, SECOND } from './truth.ts'

import type { Transaction } from '../../server/store/transactions.ts'
import type { Backup, State } from './state.ts'
import type { Thing } from './truth.ts'

/** No rule reads a distance beyond 30 days. */
const FARTHEST_MS = 31 * DAY
/** No rule asks whether a query was recent after a longer time. */
const RECENT_MS = MINUTE

/** The names of a record's times of which the distance to now counts. */
const TIMES = new Set(['expires_at'])
/** The names of a record's times that rules compare only with the end of the session. */
const REPORTED_TIMES = new Set(['at', 'gone_at', 'answered_at'])
/** The names of times of which it counts only whether there is one. */
const MARKS = new Set(['settled_at', 'rejected_at'])
/** The names of the times by which a decision is sent. */
const SEND_TIMES = new Set(['decided_at', 'sent_at'])
/** The longest pause between two sends of a decision. */
const LONGEST_PAUSE_MS = 5 * MINUTE
const UNREAD = new Set([
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
export function keyOf(state: State, grain?: number): string {
  return createHash('sha1').update(described(state, grain)).digest('base64')
}

/**
 * Returns what counts of a state, as text.
 *
 * @param grain The unit of distances. At the end of a story, only hours count.
 */
export function described(state: State, grain = 1): string {
  const { now, ahead, things, recoveredAt, backup, ...rest } = state
  const clock = now + ahead
  const { amount, secrets, troubles, used, toldBefore, said } = rest
  return [
    ...storeOf(state, state, grain),
    ...(backup === null ? [] : ['a backup', ...storeOf(backup, state, grain)]),
    ...things.map((thing) => JSON.stringify(truthOf(thing, now, grain))),
    JSON.stringify({
      ahead,
      amount,
      secrets,
      toldBefore,
      said,
      recovered: recoveredAt && cut(recoveredAt - clock),
    }),
    JSON.stringify(troubles.toSorted()),
    JSON.stringify(Object.keys(used).toSorted()),
  ].join('\n')
}

/** Returns what counts of the rows and the events of a store. */
function storeOf(
  { rows, events }: Backup,
  { now, ahead, recoveredAt, things }: State,
  grain: number,
): string[] {
  const clock = now + ahead
  const places = new Map(rows.map(({ id }, place) => [id, place]))
  const paidAgainAt = Math.max(...things.map((each) => (each.isPaidAgain ? each.changedAt : -Infinity)))
  const told = events.map(({ transactionId, type, about, received, finish, at }) => {
    const isOld = [at < (recoveredAt ?? 0), at < paidAgainAt]
    return `${places.get(transactionId)} ${type} ${about} ${received} ${finish} ${isOld.join()}`
  })
  return [
    ...rows.map((row) => `${rowOf(row, clock, grain)} ${(row.asked_at ?? 0) >= (recoveredAt ?? 0)}`),
    ...told,
  ]
}

function cut(distance: number, farthest = FARTHEST_MS): number {
  return Math.max(-farthest, Math.min(farthest, distance))
}

function inGrains(distance: number, grain: number): number {
  return Math.round(cut(distance) / grain)
}

function rowOf(row: Transaction, clock: number, grain: number): string {
  const { kind, reference, group, attempt, outcome, failures, due_at } = row
  const { created_at, updated_at, sent_at, recovered_at } = row
  const since = [created_at, updated_at, sent_at, recovered_at].map((at) =>
    at === null ? 'never' : inGrains(at - clock, grain),
  )
  const facts = [kind, reference, group, attempt, outcome, failures, due_at === null, ...since]
  const writer = { clock, grain, limits: sessionLimitsOf(row), last_sent_at: lastSendOf(row) }
  return `${facts.join()} ${askedOf(row, clock)} ${requestOf(row, clock)} ${write(row.record, writer)}`
}

/** A query counts while it is recent, and as one that was made since the last send. */
function askedOf({ asked_at, sent_at }: Transaction, clock: number): string {
  if (asked_at === null) {
    return 'never asked'
  }
  return `${cut(asked_at - clock, RECENT_MS)} ${asked_at > (sent_at ?? 0)}`
}

/** A requested query counts until it has started, and for the second in which no other is requested. */
function requestOf({ requested_at, requested_revision }: Transaction, clock: number): string {
  if (requested_at === null) {
    return ''
  }

  const isServed = requested_revision === null && requested_at <= clock - SECOND
  return isServed ? '' : `${cut(requested_at - clock)} ${requested_revision !== null}`
}

interface Writer {
  clock: number
  grain: number
  limits: readonly number[]
  last_sent_at: number | null
}

/** Writes a part of a record with its names in order. */
function write(value: unknown, writer: Writer): string {
  if (Array.isArray(value)) {
    return `[${value.map((each) => write(each, writer)).join()}]`
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value) ?? ''
  }

  const parts: string[] = []
  for (const name of Object.keys(value).toSorted()) {
    const part: unknown = Reflect.get(value, name)
    if (!UNREAD.has(name) && part !== undefined) {
      parts.push(`${name}:${writePart(name, part, writer)}`)
    }
  }

  return `{${parts.join()}}`
}

function writePart(name: string, part: unknown, writer: Writer): string {
  if (part === null) {
    return 'null'
  }
  if (name === 'call' || name === 'request' || name === 'result') {
    return String(isThere(part))
  }
  if (MARKS.has(name)) {
    return 'set'
  }
  if (SEND_TIMES.has(name)) {
    return String(inGrains(cut(timeOf(part) - writer.clock, LONGEST_PAUSE_MS), writer.grain))
  }
  // What one send leaves open, two do not leave more open.
  if (name === 'unanswered') {
    return String(part !== 0)
  }
  // The time from which a report stands, or of the send after which a query did not find the transaction.
  if (name === 'since') {
    const since = part === writer.last_sent_at ? 'the last send' : 'an earlier send'
    return `${since} ${inGrains(cut(timeOf(part) - writer.clock, LAG_MS), writer.grain)}`
  }
  if (TIMES.has(name)) {
    return String(inGrains(timeOf(part) - writer.clock, writer.grain))
  }
  if (REPORTED_TIMES.has(name)) {
    return String(writer.limits.filter((limit) => timeOf(part) >= limit).length)
  }
  return write(part, writer)
}

/** Of a request, it counts whether it can still be sent. */
function isThere(part: unknown): boolean {
  return typeof part === 'object' && part !== null && (!('request' in part) || part.request !== null)
}

function timeOf(part: unknown): number {
  return typeof part === 'number' ? part : Date.parse(String(part))
}

function truthOf(thing: Thing, now: number, grain: number) {
  const { arrivedAt, expiresAt, changedAt, before, money } = thing
  return {
    ...thing,
    arrivedAt: inGrains(cut(arrivedAt - now, LAG_MS), grain),
    expiresAt: inGrains(cut(expiresAt - now, Math.max(LONGEST_MOVE_MS, FORGETS_AFTER_MS)), grain),
    changedAt: inGrains(cut(changedAt - now, Math.max(LAG_MS, FORGETS_AFTER_MS)), grain),
    before: isLagging(thing, now) ? before : money,
  }
}
