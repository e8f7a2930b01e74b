/**
 * Decides when an unacknowledged transaction is sent, sent again or given up, and when a person has to check it. Pure.
 * Beside it, a request is sent again only by `gateway/access-token.ts`, if the gateway has refused the access token, and by
 * `gateway/transport.ts`, if its endpoint is `retryable`: it creates nothing, or the gateway refuses a second one.
 *
 * If the gateway does not know a sent transaction (response code 723 or 120), the request may still be on its way. The
 * request is sent again only if the gateway refuses duplicate requests for transactions of the same kind. The repeated
 * request has the same reference and the same bytes as the first request. [spec: Payout acknowledgement codes, 722;
 * Standard checkout request, merchant_transaction_id]
 *
 * [assumed] If the gateway has received a request, a status query finds the transaction before the numbers of queries
 * and the times in this file are reached.
 */

import { z } from 'zod'

import { storedTime } from './record.ts'
import { DAY, LAST_DEADLINE_MS, MINUTE, REPORT_LAG_MS } from './schedule.ts'
import { changed, hasStood, raise, unchanged } from './transition.ts'

import type { Marks, Transaction } from '../store/store.ts'
import type { Resolution } from './resolution.ts'
import type { Progress } from './schedule.ts'
import type { Alarm, Overdue, TransitionResult } from './transition.ts'

const NOT_SENT = 'It could not be sent for a day, and is no longer sent.'
const NO_ANSWER = 'The gateway did not acknowledge it within a day, and it is no longer sent.'
const NEVER_ANSWERED =
  'It was sent once, its answer was lost, and the gateway does not know it. It is not sent again.'

/**
 * How often a request may be sent, and what its loss means. It follows from the call.
 *
 * - `idempotent`: the gateway refuses duplicates, or creates nothing that can be paid twice.
 * - `once`: the gateway does not refuse a duplicate. After a lost response, money may move.
 * - `once_unseen`: the gateway does not refuse a duplicate. After a lost response, nobody can pay: the response contains
 *   the address of the page.
 */
export type SendRule = 'idempotent' | 'once' | 'once_unseen'

interface Policy {
  /**
   * When the server sends the transaction. With `worker`, it is sent when its row is due. With `after_queries`, it is
   * sent under the conditions of {@link SEND_AGAIN}. With `shopper`, it is sent when the shopper starts a checkout for the
   * same order again. With `never`, it is not sent.
   */
  send: 'worker' | 'after_queries' | 'shopper' | 'never'
  /**
   * The submission ends when at least `queries` status queries have not found the transaction and at least `ms`
   * milliseconds have passed. The time counts from the creation or from the last send, as `since` says.
   */
  giveUp: { queries: number; ms: number; since: 'created_at' | 'sent_at' }
  /** Why a person has to check the transaction then, as a sentence; `null` if nobody has to. */
  stuck: string | null
}

/** The policy before the first send. [assumed] */
const UNSENT: Record<Transaction['kind'], Policy> = {
  checkout: { send: 'shopper', giveUp: { queries: 1, ms: 2 * MINUTE, since: 'created_at' }, stuck: null },
  payout: { send: 'after_queries', giveUp: { queries: 3, ms: DAY, since: 'created_at' }, stuck: NO_ANSWER },
  charge: { send: 'worker', giveUp: { queries: 1, ms: 2 * MINUTE, since: 'created_at' }, stuck: null },
  airtime: { send: 'worker', giveUp: { queries: 1, ms: DAY, since: 'created_at' }, stuck: NOT_SENT },
}
/** The policy after a send whose response was lost, of what may be sent again. [assumed] */
const LOST: Record<'checkout' | 'payout', Policy> = {
  checkout: { send: 'shopper', giveUp: { queries: 1, ms: 2 * MINUTE, since: 'sent_at' }, stuck: null },
  payout: { send: 'after_queries', giveUp: { queries: 3, ms: DAY, since: 'created_at' }, stuck: NO_ANSWER },
}
/** The policy after a send whose response was lost, of what is sent once. [assumed] */
const LOST_ONCE: Policy = {
  send: 'never',
  giveUp: { queries: 3, ms: 2 * MINUTE, since: 'sent_at' },
  stuck: NEVER_ANSWERED,
}
/** The same, if nobody can pay what was lost. [assumed] */
const LOST_UNSEEN: Policy = { ...LOST_ONCE, stuck: null }

/**
 * The conditions under which `after_queries` sends a transaction. Since the last send, at least `queries` status
 * queries did not find the transaction, and at least `ms` milliseconds have passed. The required time grows with each
 * send: it is at least the time from the creation to the last send. If the transaction was never sent, its creation
 * counts as the last send.
 */
const SEND_AGAIN = { queries: 3, ms: 2 * MINUTE }

/**
 * The number of status queries that must not find a refused transaction before the refusal counts. A refusal may follow
 * an arrival: of an earlier send, or of the same one, if the gateway refuses it for a reason of its own. A certain
 * refusal is about the request itself. [assumed]
 */
export const REFUSAL_QUERIES = { certain: 1, doubtful: 3 } as const

/**
 * Returns the schema of the submission fields of a record. They exist until the gateway acknowledges the transaction,
 * or its refusal counts.
 *
 * @param answer The schema of the gateway's refusal.
 */
export function submissionState<Answer extends z.ZodType>(answer: Answer) {
  return {
    /**
     * Counts the status queries that did not find the transaction. `times` is the number of these queries since the
     * last send. `since` is the time of the last send, in milliseconds since the Unix epoch; `null` if the transaction
     * was never sent.
     */
    unknown: z.object({ times: z.number(), since: z.number().nullable() }),
    /**
     * A sentence that states why the transaction is no longer sent and a person has to check it; `null` if the
     * transaction may still be sent or acknowledged.
     */
    stuck: z.string().nullable(),
    /**
     * The refusal of the last send, which counts once `queries` status queries did not find the transaction; `null` if
     * there is none. `why` is a sentence. The transaction is not sent again.
     */
    refused: z
      .object({ why: z.string(), queries: z.literal(Object.values(REFUSAL_QUERIES)), answer })
      .nullable(),
  }
}

/** The submission fields, whatever the kind's refusal is. */
export interface SubmissionState<Answer = unknown> {
  unknown: { times: number; since: number | null }
  stuck: string | null
  refused: { why: string; queries: 1 | 3; answer: Answer } | null
}

export const NEW_SUBMISSION = { unknown: { times: 0, since: null }, stuck: null, refused: null }

type Sends = Pick<Transaction, 'sent_at' | 'recovered_at'>
type Times = Sends & Pick<Transaction, 'created_at'>
type Row = Times & Pick<Transaction, 'kind'>

/**
 * Returns whether the store may have lost a send of the transaction, or the answer to its last one: it was restored since
 * then from a backup.
 */
export function mayHaveLostSend({ sent_at, recovered_at }: Sends): boolean {
  return recovered_at !== null && (sent_at === null || sent_at < recovered_at)
}

/** Returns when the transaction was last sent, at the latest; `null` if it never was. */
export function lastSendOf(row: Sends): number | null {
  return mayHaveLostSend(row) ? row.recovered_at : row.sent_at
}

/**
 * Returns whether the transaction may be sent if the shopper or the merchant's backend requests a send. What the server
 * sends by itself may be sent until it is given up: a repeated request gives it no longer time.
 */
export function isSendable(row: Row, submission: SubmissionState, rule: SendRule, now: number): boolean {
  const { stuck, refused } = submission
  if (stuck !== null || refused !== null) {
    return false
  }

  const { send, giveUp } = policyOf(row, rule)
  switch (send) {
    case 'worker':
      return now - startOf(giveUp, row) < giveUp.ms
    case 'after_queries':
    case 'shopper':
      return true
    case 'never':
      return false
  }
}

/**
 * Returns whether the gateway must be queried before a transaction is sent. A checkout that was sent before may have
 * been paid since; one that was not has been looked for (`checkouts/recovered.ts`). A charge or an airtime request may
 * repeat one that the store has lost.
 */
export function isQueriedFirst({ kind, created_at, sent_at }: Row, recoveredAt: number | null): boolean {
  if (kind === 'checkout') {
    return sent_at !== null
  }
  return kind !== 'payout' && sent_at === null && mayHaveLost(created_at, recoveredAt)
}

/**
 * Returns whether a request that is new to the store may have been sent before. After the store was restored from a
 * backup, it lacks the requests that were sent since the backup, and the gateway may know them.
 *
 * [assumed] No request is repeated later than 30 days after the store was restored.
 *
 * @param recoveredAt When the store was recovered; `null` if it never was.
 */
export function mayHaveLost(created_at: number, recoveredAt: number | null): boolean {
  return recoveredAt !== null && created_at - recoveredAt < 30 * DAY
}

/**
 * Returns whether the store may have lost a decision about the transaction that was sent since the backup from which the
 * store was restored. A transaction that this store has never sent was found at the gateway.
 */
export function mayHaveLostDecision({ sent_at }: Pick<Row, 'sent_at'>, recoveredAt: number | null): boolean {
  return recoveredAt !== null && (sent_at === null || sent_at < recoveredAt)
}

/**
 * Returns whether a charge may have been lost that the gateway finds only by its id, which is lost as well. A person has
 * to compare the store with the merchant portal (`recover --compared`).
 */
export function mayHaveLostById(created_at: number, { recovered, compared }: Marks): boolean {
  const isCompared = recovered !== null && compared !== null && compared >= recovered
  return mayHaveLost(created_at, recovered) && !isCompared
}

/**
 * Returns whether the server sends the transaction now, without a new request from the shopper or the merchant's
 * backend. Called after a status query that did not find the transaction.
 */
export function isDueToSend(row: Row, submission: SubmissionState, rule: SendRule, now: number): boolean {
  if (!isSendable(row, submission, rule, now)) {
    return false
  }

  switch (policyOf(row, rule).send) {
    case 'worker':
      return true
    case 'after_queries': {
      const { created_at, sent_at } = row
      const { unknown } = submission
      const last = lastSendOf(row)
      const pause = Math.max(SEND_AGAIN.ms, (sent_at ?? created_at) - created_at)
      const isAsked = unknown.since === last && unknown.times >= SEND_AGAIN.queries
      return isAsked && now - (last ?? created_at) >= pause
    }
    case 'shopper':
    case 'never':
      return false
  }
}

/**
 * Returns the progress of an unacknowledged transaction. A transaction that needs a decision of a person (`stuck`) is
 * queried like an acknowledged transaction, because the gateway may still report the transaction.
 */
export function submissionProgress({ stuck }: SubmissionState, row: Times): Progress {
  return stuck === null ? unacknowledgedProgress(row) : { stage: 'open', since: row.created_at }
}

/** Returns the progress of an unacknowledged transaction that may still be sent or acknowledged. */
export function unacknowledgedProgress(row: Times): Progress {
  return { stage: 'unacknowledged', since: lastSendOf(row) ?? row.created_at }
}

/**
 * Returns whether the transaction was sent more than once. A rejection of the last send does not mean that an earlier
 * send failed.
 */
export function wasSentAgain({ sent_at }: Pick<Row, 'sent_at'>, { unknown }: SubmissionState): boolean {
  return unknown.times > 0 && unknown.since !== null && unknown.since !== sent_at
}

/**
 * Why there is no report about a transaction, or none that counts. `unknown`: the gateway does not know the transaction.
 * `unfound`: the gateway was not queried, because it finds the transaction only by an id that the server does not know.
 * `unreachable`: the gateway knows it, and nobody has the address of its page. `overdue`: the last deadline has passed.
 */
export type Missing = 'unknown' | 'unfound' | 'unreachable' | Overdue['kind']

/**
 * Returns the transition result of an unacknowledged transaction without a report; `null` if its submission is given
 * up, or its refusal counts.
 *
 * @param askedAt Time of the query, in milliseconds since the Unix epoch.
 */
export function countMissing<Record extends SubmissionState>(
  row: Row & { record: Record },
  rule: SendRule,
  askedAt: number,
  why: Missing = 'unknown',
): TransitionResult<Record> | null {
  const { record } = row
  if (record.stuck !== null) {
    return unchanged(record)
  }
  // Nothing can be asked about the request, and the gateway has refused it for certain.
  if (record.refused?.queries === REFUSAL_QUERIES.certain && why === 'unfound') {
    return null
  }

  const { giveUp, stuck } = record.refused === null ? policyOf(row, rule) : refusalPolicyOf(record.refused)
  const since = lastSendOf(row)
  const before = record.unknown.since === since ? record.unknown.times : 0
  const times = Math.min(before + 1, giveUp.queries)
  const age = askedAt - startOf(giveUp, row)
  const isGivenUp = times >= giveUp.queries && age >= giveUp.ms
  if (why === 'overdue' || isGivenUp) {
    const whyUnasked = why === 'unfound' || why === 'overdue' ? WHY_UNASKED[why] : null
    // If no query about a refused request was ever answered, the gateway may have the request.
    const isDoubtful = stuck !== null || (record.refused !== null && whyUnasked !== null)
    const whyStuck = whyUnasked ?? stuck
    if (whyStuck === null || !isDoubtful) {
      return null
    }
    return changed({ ...record, unknown: { times, since }, stuck: whyStuck }, whyStuck)
  }

  // A policy that gives up after one query needs no stored number of queries.
  if (giveUp.queries === 1 || times === before) {
    return unchanged(record)
  }
  return changed({ ...record, unknown: { times, since } }, WHY_MISSED[why])
}

/** The history entries of queries that found nothing that counts. An overdue transaction ends at once. */
const WHY_MISSED: Readonly<Record<Missing, string>> = {
  unknown: 'The gateway does not know it, or not yet.',
  unfound: 'Its answer is missing, and the gateway finds it only by the id in that answer.',
  unreachable: 'The gateway knows it, and nobody has the address of its page.',
  overdue: '',
}

/** Returns from when on the time of a policy counts. */
function startOf({ since }: Policy['giveUp'], row: Times): number {
  return (since === 'sent_at' ? lastSendOf(row) : null) ?? row.created_at
}

function refusalPolicyOf({ queries }: NonNullable<SubmissionState['refused']>): Policy {
  const ms = queries === REFUSAL_QUERIES.certain ? 0 : REPORT_LAG_MS
  return { send: 'never', giveUp: { queries, ms, since: 'sent_at' }, stuck: null }
}

/**
 * Returns the transition result for the gateway's refusal of the last send. The request may have arrived all the same:
 * the synchronizer asks, and the refusal counts when the gateway does not know the transaction.
 */
export function refuseSubmission<Record extends SubmissionState>(
  record: Record,
  refused: NonNullable<Record['refused']>,
): TransitionResult<Record> {
  if (record.stuck !== null) {
    return changed(record, refused.why)
  }
  return changed({ ...record, refused }, refused.why)
}

/** Why a person has to check an acknowledged transaction without a report, as a sentence. */
export const WHY_MISSING = {
  unknown: 'The gateway does not know it, and once acknowledged it.',
  overdue: `The gateway has reported no end for ${LAST_DEADLINE_MS / DAY} days.`,
} as const

/** Why a person has to check an unacknowledged transaction about which the gateway could not be asked. */
const WHY_UNASKED = {
  unfound:
    'It was sent once, its answer is missing, and the gateway finds it only by the id in that answer. It is not sent again.',
  overdue: WHY_MISSING.overdue,
} as const

/** The history entry of a settled transaction that the gateway no longer knows. Nothing is wrong with it. */
export const FORGOTTEN = 'The gateway no longer knows it.'

/**
 * Since when the gateway has not known an acknowledged transaction, or its recipient, in milliseconds since the Unix
 * epoch; `null` while it knows it. Servers of one gateway may lag behind each other: only what has been missing for
 * {@link REPORT_LAG_MS} is unknown.
 */
export const missing_since = storedTime.nullable()

interface Missable {
  missing_since: number | null
  alarm: Alarm | null
  resolution: Resolution | null
}

/**
 * Returns the transition result of an acknowledged transaction, or of its recipient, which the gateway does not know.
 * `null` if the gateway has not known it for so long that it counts as unknown.
 *
 * @param isSettled Whether it has ended: the gateway may forget it then.
 */
export function missForNow<Subject extends Missable>(
  subject: Subject,
  isSettled: boolean,
  at: number,
): TransitionResult<Subject> | null {
  const { missing_since: since } = subject
  if (since === null) {
    const missing = { ...subject, missing_since: at }
    return { record: missing, historyEntry: isSettled ? FORGOTTEN : null }
  }
  return isSettled || !hasStood({ since }, at) ? unchanged(subject) : null
}

/**
 * Returns the transition result of a payout or a recipient that the gateway has acknowledged and does not report.
 *
 * @param isSettled Whether it has ended: the gateway may forget it then.
 */
export function alarmIfMissing<Subject extends Missable>(
  subject: Subject,
  isSettled: boolean,
  askedAt: number,
  why: 'unknown' | 'overdue',
): TransitionResult<Subject> {
  if (why === 'overdue') {
    if (isSettled || subject.alarm !== null) {
      return unchanged(subject)
    }
    return raise(subject, WHY_MISSING.overdue, 'settled')
  }
  return missForNow(subject, isSettled, askedAt) ?? raise(subject, WHY_MISSING.unknown, 'reported')
}

function policyOf(row: Row, rule: SendRule): Policy {
  const { kind, sent_at } = row
  // A checkout that was unsent in the backup is looked for before it is sent (`checkouts/recovered.ts`).
  const isUnsent = sent_at === null && (kind === 'checkout' || !mayHaveLostSend(row))
  if (isUnsent) {
    return UNSENT[kind]
  }

  switch (rule) {
    case 'idempotent':
      return LOST[kind === 'payout' ? 'payout' : 'checkout']
    case 'once':
      return LOST_ONCE
    case 'once_unseen':
      return LOST_UNSEEN
  }
}
