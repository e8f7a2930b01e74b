/**
 * Decides when an unacknowledged transaction is sent, sent again or given up, and when a person has to check it. Pure.
 * Only `gateway/transport.ts` sends a request again beside it, if the gateway has refused the access token.
 *
 * If the gateway does not know a sent transaction (response code 723 or 120), the request may still be on its way. The
 * request is sent again only if the gateway refuses duplicate requests for transactions of the same kind. The repeated
 * request has the same reference and the same bytes as the first request. [spec: Payout acknowledgement codes, 722;
 * Standard checkout request, merchant_transaction_id]
 *
 * [assumed] If the gateway has received a request, a status query finds the transaction before the numbers of queries
 * and the times in this file are reached.
 */

import type { Transaction } from '../store/store.ts'
import type { Progress } from './schedule.ts'
import type { Alarm, Overdue, TransitionResult } from './transition.ts'
import { z } from 'zod'
import { DAY, LAST_DEADLINE_MS, MINUTE } from './schedule.ts'
import { changed, raise, unchanged } from './transition.ts'

const NOT_SENT = 'It could not be sent for a day, and is no longer sent.'
const NO_ANSWER = 'The gateway did not acknowledge it within a day, and it is no longer sent.'
const LOST = 'It was sent once, its answer was lost, and the gateway does not know it. It is not sent again.'

/**
 * The submission policy of each kind, and of a prompt: a checkout that the payer approves on the phone. An order with
 * splits has the policy of a prompt if the gateway finds its charge only by an id in the response. `unsent` applies
 * before the first send. `lost` applies after a send whose response was lost, if the gateway does not know the
 * transaction. [assumed]
 */
const SUBMISSION_POLICY = {
  checkout: {
    unsent: { send: 'shopper', giveUp: { queries: 1, ms: 2 * MINUTE, since: 'created_at' }, stuck: null },
    lost: { send: 'shopper', giveUp: { queries: 1, ms: 2 * MINUTE, since: 'sent_at' }, stuck: null },
  },
  prompt: {
    unsent: { send: 'shopper', giveUp: { queries: 1, ms: 2 * MINUTE, since: 'created_at' }, stuck: null },
    lost: { send: 'never', giveUp: { queries: 3, ms: 2 * MINUTE, since: 'sent_at' }, stuck: LOST },
  },
  payout: {
    unsent: { send: 'after_queries', giveUp: { queries: 3, ms: DAY, since: 'created_at' }, stuck: NO_ANSWER },
    lost: { send: 'after_queries', giveUp: { queries: 3, ms: DAY, since: 'created_at' }, stuck: NO_ANSWER },
  },
  charge: {
    unsent: { send: 'worker', giveUp: { queries: 1, ms: 2 * MINUTE, since: 'created_at' }, stuck: null },
    lost: { send: 'never', giveUp: { queries: 3, ms: 2 * MINUTE, since: 'sent_at' }, stuck: LOST },
  },
  airtime: {
    unsent: { send: 'worker', giveUp: { queries: 1, ms: DAY, since: 'created_at' }, stuck: NOT_SENT },
    lost: { send: 'never', giveUp: { queries: 3, ms: 2 * MINUTE, since: 'sent_at' }, stuck: LOST },
  },
} as const satisfies Record<Transaction['kind'] | 'prompt', Record<'unsent' | 'lost', Policy>>

interface Policy {
  /**
   * When the server sends the transaction. With `worker`, it is sent when its row is due. With `after_queries`, it is
   * sent under the conditions of {@link RESEND}. With `shopper`, it is sent when the shopper starts a checkout for the
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

/**
 * The conditions under which `after_queries` sends a transaction. Since the last send, at least `queries` status
 * queries did not find the transaction, and at least `ms` milliseconds have passed. The required time grows with each
 * resend: it is at least the time from the creation to the last send. If the transaction was never sent, its creation
 * counts as the last send.
 */
const RESEND = { queries: 3, ms: 2 * MINUTE }
/** The time after a send, in milliseconds, in which the gateway may report an acknowledged transaction as unknown. */
const NOT_YET_MS = 2 * MINUTE

const WHY_UNFOUND =
  'It was sent once, its answer was lost, and the gateway finds it only by the id in that answer. It is not sent again.'

/** The submission fields of a record. They exist until the gateway acknowledges or rejects the transaction. */
export const submissionState = {
  /**
   * Counts the status queries that did not find the transaction. `times` is the number of these queries since the last
   * send. `since` is the time of the last send, in milliseconds since the Unix epoch; `null` if the transaction was
   * never sent.
   */
  unknown: z.object({ times: z.number(), since: z.number().nullable() }),
  /**
   * A sentence that states why the transaction is no longer sent and a person has to check it; `null` if the
   * transaction may still be sent or acknowledged.
   */
  stuck: z.string().nullable(),
  /**
   * The name of the submission policy; absent if the policy is that of the transaction's kind. `splits` is that of a
   * checkout, except that nothing is sent while a request is on its way: the gateway may not refuse a duplicate.
   */
  policy: z.enum(['prompt', 'splits']).optional(),
}
const SubmissionState = z.object(submissionState)
export type SubmissionState = z.output<typeof SubmissionState>

export const NEW_SUBMISSION: SubmissionState = { unknown: { times: 0, since: null }, stuck: null }

type Times = Pick<Transaction, 'created_at' | 'sent_at'>
type Row = Times & Pick<Transaction, 'kind' | 'asked_at' | 'failures'>

/** Returns whether the transaction may be sent if the shopper or the merchant's backend requests a send. */
export function isSendable(row: Row, submission: SubmissionState): boolean {
  const { sent_at, asked_at, failures } = row
  // Neither a failure nor a query was recorded since the last send: another process may be sending it.
  const isOnItsWay = sent_at !== null && failures === 0 && (asked_at ?? 0) <= sent_at
  if (submission.policy === 'splits' && isOnItsWay) return false
  return submission.stuck === null && policyOf(row, submission).send !== 'never'
}

/**
 * Returns whether the gateway must be queried before a transaction is sent. A checkout that was sent before may have
 * been paid since; a new one was looked for before it was stored (`checkouts/initiate.ts`). A charge or an airtime
 * request may repeat one that the store has lost.
 */
export function isQueriedFirst({ kind, created_at, sent_at }: Row, recoveredAt: number | null): boolean {
  if (kind === 'checkout') return sent_at !== null
  const isSentOnce = SUBMISSION_POLICY[kind].lost.send === 'never'
  return isSentOnce && sent_at === null && mayHaveLost(created_at, recoveredAt)
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
 * Returns whether the server sends the transaction now, without a new request from the shopper or the merchant's
 * backend. Called after a status query that did not find the transaction.
 */
export function isDueToSend(row: Row, submission: SubmissionState, now: number): boolean {
  const { stuck, unknown } = submission
  const { send, giveUp } = policyOf(row, submission)
  if (stuck !== null) return false
  switch (send) {
    case 'worker':
      return now - (row[giveUp.since] ?? row.created_at) < giveUp.ms
    case 'after_queries': {
      const { created_at, sent_at } = row
      const last = sent_at ?? created_at
      const pause = Math.max(RESEND.ms, last - created_at)
      return unknown.since === sent_at && unknown.times >= RESEND.queries && now - last >= pause
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
export function unacknowledgedProgress({ created_at, sent_at }: Times): Progress {
  return { stage: 'unacknowledged', since: sent_at ?? created_at }
}

/**
 * Returns whether the transaction was sent more than once. A rejection of the last send does not mean that an earlier
 * send failed.
 */
export function isResent({ sent_at }: Pick<Row, 'sent_at'>, { unknown }: SubmissionState): boolean {
  return unknown.times > 0 && unknown.since !== null && unknown.since !== sent_at
}

/**
 * Returns whether an acknowledged transaction was sent so recently that the gateway may still report the transaction as
 * unknown.
 */
export function isTooEarly({ created_at, sent_at }: Times, askedAt: number): boolean {
  return askedAt - (sent_at ?? created_at) < NOT_YET_MS
}

/**
 * Why there is no report about a transaction. `unknown`: the gateway does not know the transaction. `unfound`: the
 * gateway was not queried, because it finds the transaction only by an id that the server does not know. `overdue`: the
 * last deadline has passed.
 */
export type Missing = 'unknown' | 'unfound' | Overdue['kind']

/**
 * Returns the transition result of an unacknowledged transaction without a report; `null` if its submission is given
 * up.
 *
 * @param askedAt Time of the query, in milliseconds since the Unix epoch.
 */
export function countMissing<Record extends SubmissionState>(
  row: Row & { record: Record },
  askedAt: number,
  why: Missing = 'unknown',
): TransitionResult<Record> | null {
  const { record, sent_at } = row
  const { giveUp, stuck } = policyOf(row, record)
  const before = record.unknown.since === sent_at ? record.unknown.times : 0
  const times = Math.min(before + 1, giveUp.queries)
  const isLate = times >= giveUp.queries && askedAt - (row[giveUp.since] ?? row.created_at) >= giveUp.ms
  const isOver = why === 'overdue' || isLate
  if (isOver && stuck === null) return null
  if (record.stuck !== null) return unchanged(record)
  const unknown = { times, since: sent_at }
  if (isOver && stuck !== null) {
    const whyStuck = { unknown: stuck, unfound: WHY_UNFOUND, overdue: WHY_MISSING.overdue }[why]
    return changed({ ...record, unknown, stuck: whyStuck }, whyStuck)
  }
  // A policy that gives up after one query needs no stored number of queries.
  if (giveUp.queries === 1 || times === before) return unchanged(record)
  const historyEntry =
    why === 'unfound'
      ? 'Its answer is missing, and the gateway finds it only by the id in that answer.'
      : 'The gateway does not know it, or not yet.'
  return changed({ ...record, unknown }, historyEntry)
}

/** Why a person has to check an acknowledged transaction without a report, as a sentence. */
export const WHY_MISSING = {
  unknown: 'The gateway does not know it, and once acknowledged it.',
  overdue: `The gateway has reported no end for ${LAST_DEADLINE_MS / DAY} days.`,
} as const

/** Returns the transition result of an acknowledged transaction, or of its recipient, without a report. */
export function alarmIfMissing<Record extends { alarm: Alarm | null }>(
  row: Times & { record: Record },
  askedAt: number,
  why: Missing,
): TransitionResult<Record> {
  const { record } = row
  const isAlarmed = why === 'overdue' && record.alarm !== null
  if (why === 'unfound' || isAlarmed || isTooEarly(row, askedAt)) return unchanged(record)
  return raise(record, WHY_MISSING[why], why === 'overdue' ? 'settled' : 'reported')
}

function policyOf({ kind, sent_at }: Row, { policy }: Pick<SubmissionState, 'policy'>): Policy {
  return SUBMISSION_POLICY[policy === 'prompt' ? policy : kind][sent_at === null ? 'unsent' : 'lost']
}
