/**
 * Decides when an unacknowledged transaction is sent, sent again or given up, and when a person has to check it. Pure.
 * Apart from this, a request is sent again only by `gateway/access-token.ts`, if the gateway has refused the access token,
 * and by `gateway/transport.ts`, if its endpoint is `retryable`: it creates nothing, or the gateway refuses a second one.
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

import { WHY_MISSING } from './missing-report.ts'
import { lastSendOf, mayHaveLost, mayHaveLostSend } from './recovery.ts'
import { DAY, MINUTE, REPORT_LAG_MS } from './schedule.ts'
import { changed, unchanged } from './transition-result.ts'

import type { Transaction } from '../store/transactions.ts'
import type { Missing } from './missing-report.ts'
import type { Progress } from './schedule.ts'
import type { TransitionResult } from './transition-result.ts'

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
  payout: { send: 'after_queries', giveUp: { queries: 3, ms: DAY, since: 'created_at' }, stuck: NOT_SENT },
  charge: { send: 'worker', giveUp: { queries: 1, ms: 2 * MINUTE, since: 'created_at' }, stuck: null },
  airtime: { send: 'worker', giveUp: { queries: 1, ms: DAY, since: 'created_at' }, stuck: NOT_SENT },
}

/** The policies after a send whose response was lost, of what may be sent again. [assumed] */
const LOST_CHECKOUT: Policy = {
  send: 'shopper',
  giveUp: { queries: 1, ms: 2 * MINUTE, since: 'sent_at' },
  stuck: null,
}
const LOST_PAYOUT: Policy = {
  send: 'after_queries',
  giveUp: { queries: 3, ms: DAY, since: 'created_at' },
  stuck: NO_ANSWER,
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

type Times = Pick<Transaction, 'sent_at' | 'recovered_at'> & Pick<Transaction, 'created_at'>
type Row = Times & Pick<Transaction, 'kind'>

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

  const policy = record.refused === null ? policyOf(row, rule) : refusalPolicyOf(record.refused)
  const { giveUp } = policy
  const since = lastSendOf(row)
  const isCounting = record.unknown.since === since
  const before = isCounting ? record.unknown.times : 0
  const times = Math.min(before + 1, giveUp.queries)
  const age = askedAt - startOf(giveUp, row)
  const isGivenUp = times >= giveUp.queries && age >= giveUp.ms
  if (why === 'overdue' || isGivenUp) {
    const stuck = stuckReason(record, policy, why)
    if (stuck === null) {
      return null
    }
    return changed({ ...record, unknown: { times, since }, stuck }, stuck)
  }

  // A policy that gives up after one query needs no stored number of queries.
  if (giveUp.queries === 1 || times === before) {
    return unchanged(record)
  }
  return changed({ ...record, unknown: { times, since } }, WHY_MISSED[why])
}

/**
 * Returns why a person has to check a transaction whose submission ends, as a sentence; `null` if nobody has to.
 */
function stuckReason(
  { refused }: Pick<SubmissionState, 'refused'>,
  { stuck }: Pick<Policy, 'stuck'>,
  why: Missing,
): string | null {
  const whyUnasked = why === 'unfound' || why === 'overdue' ? WHY_UNASKED[why] : null
  if (stuck !== null) {
    return whyUnasked ?? stuck
  }

  // If no query about a refused request was ever answered, the gateway may have the request.
  return refused === null ? null : whyUnasked
}

/** Why a person has to check an unacknowledged transaction about which the gateway could not be asked. */
const WHY_UNASKED = {
  unfound:
    'It was sent once, its answer is missing, and the gateway finds it only by the id in that answer. It is not sent again.',
  overdue: WHY_MISSING.overdue,
} as const

/** The history entries of queries that found nothing that counts. An overdue transaction ends at once. */
const WHY_MISSED: Readonly<Record<Exclude<Missing, 'overdue'>, string>> = {
  unknown: 'The gateway does not know it, or not yet.',
  unfound: 'Its answer is missing, and the gateway finds it only by the id in that answer.',
  unreachable: 'The gateway knows it, and nobody has the address of its page.',
}

/** Returns from when on the time of a policy counts. */
function startOf({ since }: Policy['giveUp'], row: Times): number {
  return (since === 'sent_at' ? lastSendOf(row) : null) ?? row.created_at
}

/**
 * Returns the transition result for the gateway's refusal of the last send. The request may have arrived all the same:
 * the sender asks, and the refusal counts when the gateway does not know the transaction.
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

function policyOf(row: Row, rule: SendRule): Policy {
  const { kind, sent_at } = row
  // A checkout that was unsent in the backup is looked for before it is sent (`checkouts/recovered.ts`).
  const isUnsent = sent_at === null && (kind === 'checkout' || !mayHaveLostSend(row))
  if (isUnsent) {
    return UNSENT[kind]
  }

  switch (rule) {
    case 'idempotent':
      return kind === 'payout' ? LOST_PAYOUT : LOST_CHECKOUT
    case 'once':
      return LOST_ONCE
    case 'once_unseen':
      return LOST_UNSEEN
  }
}

function refusalPolicyOf({ queries }: NonNullable<SubmissionState['refused']>): Policy {
  const ms = queries === REFUSAL_QUERIES.certain ? 0 : REPORT_LAG_MS
  return { send: 'never', giveUp: { queries, ms, since: 'sent_at' }, stuck: null }
}
