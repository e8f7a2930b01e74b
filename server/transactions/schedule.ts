/**
 * Computes when the gateway is queried next about a transaction, when the merchant's decision about it is sent next, and
 * whether it is overdue; also how long pages show the stored state before the gateway is queried again. Pure. Callbacks
 * must not be the only source of truth. [spec: What the service does, 1]
 *
 * After the system clock jumps back, a stored time may lie in the future. A query with such a time counts as if it had
 * never been made.
 */

import { backoffDelay } from '../work/backoff.ts'

import type { Transaction } from '../store/transactions.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/**
 * The progress of a transaction, which determines the time of the next status query. All times are in milliseconds
 * since the Unix epoch.
 */
export type Progress =
  /**
   * The gateway has not acknowledged the transaction. The request was sent or is about to be sent. `since` is the time
   * of the last send; if the transaction was never sent, the time of its creation.
   */
  | { stage: 'unacknowledged'; since: number }
  /**
   * The transaction is not settled, or a requested refund is pending. `since` is the time at which the transaction was
   * created or last sent, or the refund was requested. `deadlines` are the times of additional queries.
   */
  | { stage: 'open'; since: number; deadlines?: readonly number[] }
  /**
   * A decision of the merchant about the service is stored, which the gateway has neither accepted nor refused. `since` is
   * the time of the first such decision. `next` is the one that is sent next, beside the status queries; `null` while the
   * gateway has not named the payment.
   */
  | { stage: 'confirming'; since: number; next: SendTimes | null }
  /** The transaction was settled at the time `at`. */
  | { stage: 'settled'; at: number }
  /** The transaction can no longer change. It is queried again only on request, for example after a callback. */
  | { stage: 'ended' }

/** When the merchant decided about a service, and when the decision was last sent; `null` before the first time. */
export interface SendTimes {
  decided_at: number
  sent_at: number | null
}

/**
 * Returns the progress of an acknowledged transaction. A payout may be sent again long after its creation, so the age
 * of an open transaction counts from the last send (`sent_at`).
 *
 * @param settled_at Milliseconds since the Unix epoch; `null` while the transaction is unsettled.
 */
export function progressSince(
  { created_at, sent_at }: Pick<Transaction, 'created_at' | 'sent_at'>,
  settled_at: number | null,
): Progress {
  return settled_at === null
    ? { stage: 'open', since: sent_at ?? created_at }
    : { stage: 'settled', at: settled_at }
}

/**
 * An entry of a table of pauses. `pause` applies from the age `olderThan` on. Both are in milliseconds. A table lists
 * the highest age first.
 */
type Pace = { olderThan: number; pause: number }

/**
 * The pauses between queries about an unacknowledged transaction, by the time since the request was sent.
 *
 * The first query runs 20 seconds after the send, so that the transaction's state is soon known if this server crashed
 * before it received the acknowledgement. The next two follow after 51 seconds each: the third runs 122 seconds after
 * the send, when the submission policy may send the request again or give it up (`submission.ts`: three queries in two
 * minutes).
 */
const WHILE_UNACKNOWLEDGED: readonly Pace[] = [
  { olderThan: 15 * SECOND, pause: 51 * SECOND },
  { olderThan: 0, pause: 20 * SECOND },
]
/** The pauses between queries about an open transaction, by the time since `since` of its progress. [assumed] */
const WHILE_OPEN: readonly Pace[] = [
  { olderThan: 7 * DAY, pause: DAY },
  { olderThan: DAY, pause: 6 * HOUR },
  { olderThan: 2 * HOUR, pause: HOUR },
  { olderThan: 30 * MINUTE, pause: 5 * MINUTE },
  { olderThan: 5 * MINUTE, pause: MINUTE },
  { olderThan: 0, pause: 20 * SECOND },
]
/**
 * The time after a change at the gateway in which its answers may still be from before, in milliseconds. [assumed]
 */
export const REPORT_LAG_MS = 2 * MINUTE
/**
 * The times of queries about a settled transaction, in milliseconds after settlement. The spec promises no callback
 * then. [assumed] Queries for 30 days detect reversals, refunds and late payments. The first is answered after
 * {@link REPORT_LAG_MS}: what it says is no answer from before.
 */
const AFTER_SETTLEMENT = [REPORT_LAG_MS + MINUTE, HOUR, 6 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY]
/** The time from settlement to the last scheduled query, in milliseconds. */
export const LAST_QUERY_AFTER_MS = Math.max(...AFTER_SETTLEMENT)
/**
 * The time after which a person has to check a transaction that is open or unacknowledged, in milliseconds. [assumed]
 */
export const LAST_DEADLINE_MS = 30 * DAY
/**
 * The time after which a person has to deliver the merchant's decision about a service, in milliseconds. [assumed]
 */
export const CONFIRMING_DEADLINE_MS = DAY
/**
 * The shortest and the longest pause between two sends of a decision, in milliseconds. In between, it is as long as the
 * decision was old when it was last sent. The shortest one is longer than the gateway may take for an answer.
 */
const BETWEEN_SENDS = { shortestMs: 10 * SECOND, longestMs: 5 * MINUTE }
/**
 * The first and the longest pause after a failed query, until the transaction is queried again, in milliseconds. The
 * pauses have no random part, because transactions are created at different times, so their queries seldom coincide.
 */
const AFTER_FAILURE = { baseMs: 5 * SECOND, capMs: 5 * MINUTE }
const NO_RANDOM_PART = 1
/**
 * The minimum pause between requested queries about one transaction, in milliseconds. A thousand callbacks cause one
 * immediate query, and then at most one query per second. Queries for the polls of a page do not count, because a
 * callback often arrives during a poll, and the query for the callback must not wait.
 */
const REQUEST_PAUSE_MS = SECOND

/**
 * How long a page shows the stored state of a transaction that may still change before the gateway is queried again, by
 * its age in {@link freshForMs}. In the first 15 minutes, a page therefore causes up to 86 queries.
 */
const FRESH_WHILE_OPEN: readonly Pace[] = [
  { olderThan: 5 * MINUTE, pause: 20 * SECOND },
  { olderThan: 2 * MINUTE, pause: 10 * SECOND },
  { olderThan: 30 * SECOND, pause: 4 * SECOND },
  { olderThan: 0, pause: 2 * SECOND },
]
/** How long a page shows the stored state of a settled transaction, in milliseconds. */
const FRESH_SETTLED_MS = MINUTE

/** The facts in a row, besides its progress, that determine the next query. */
export type Facts = Pick<Transaction, 'asked_at' | 'failures' | 'requested_at' | 'requested_revision'>

/**
 * A failed query about a transaction that has ended is repeated after at least this part of the time since then: what
 * the gateway does not answer about is asked about less and less often, and no longer than it would be otherwise.
 */
const RETRY_AFTER_END = 1 / 8

/**
 * Returns the time of the next query or of the next send of a decision, in milliseconds since the Unix epoch; `null` if
 * none is scheduled.
 *
 * @param now The current time, in milliseconds since the Unix epoch.
 * @param isPostponed Whether the query waits for the end of an outage, which brings it forward. Until then, it is
 * scheduled in case this process ends first.
 */
export function nextLookAt(
  progress: Progress,
  facts: Facts,
  now: number,
  isPostponed = false,
): number | null {
  const queryAt = nextQueryAt(progress, facts, now, isPostponed)
  if (progress.stage !== 'confirming' || progress.next === null) {
    return queryAt
  }
  return Math.min(nextSendAt(progress.next, now), queryAt ?? Infinity)
}

/** Returns the time of the next send of a decision. After the system clock jumped back, it is sent at once. */
export function nextSendAt(times: SendTimes, now: number): number {
  const isKnown = times.sent_at !== null && times.sent_at <= now
  return isKnown ? Math.max(sendAtOf(times), now) : now
}

/** Returns the earliest time of the next send of a decision, also if it has passed; 0 before the first one. */
export function sendAtOf({ decided_at, sent_at }: SendTimes): number {
  if (sent_at === null) {
    return 0
  }

  const { shortestMs, longestMs } = BETWEEN_SENDS
  return sent_at + Math.min(Math.max(sent_at - decided_at, shortestMs), longestMs)
}

/** Returns the time of the next query. An outage, a request and a failure come before what the progress says. */
function nextQueryAt(progress: Progress, facts: Facts, now: number, isPostponed: boolean): number | null {
  if (isPostponed) {
    return now + AFTER_FAILURE.capMs
  }

  const requestedAt = requestedQueryAt(facts, now)
  if (requestedAt !== null) {
    return requestedAt
  }

  const askedAt = ifPast(facts.asked_at, now)
  const scheduledAt = scheduledQueryAt(progress, askedAt, now)
  if (facts.failures === 0) {
    return scheduledAt
  }
  if (askedAt === null) {
    return now
  }

  const pause = backoffDelay(facts.failures, NO_RANDOM_PART, AFTER_FAILURE)
  if (!isOver(progress)) {
    return askedAt + pause
  }

  const endedAt = Math.max(
    progress.stage === 'settled' ? progress.at : -Infinity,
    facts.requested_at ?? -Infinity,
  )
  const age = askedAt - endedAt
  if (age >= LAST_QUERY_AFTER_MS) {
    return scheduledAt
  }
  return Math.min(askedAt + Math.max(pause, Math.ceil(age * RETRY_AFTER_END)), scheduledAt ?? Infinity)
}

/** Returns the time of the next query if nothing has failed or requested one. */
function scheduledQueryAt(progress: Progress, askedAt: number | null, now: number): number | null {
  switch (progress.stage) {
    case 'unacknowledged':
    case 'open':
    case 'confirming': {
      const since = Math.min(progress.since, now)
      const from = Math.max(since, askedAt ?? since)
      if (progress.stage === 'unacknowledged') {
        return from + paceAt(WHILE_UNACKNOWLEDGED, from - since)
      }

      const deadlines =
        progress.stage === 'confirming'
          ? [progress.since + CONFIRMING_DEADLINE_MS]
          : [...(progress.deadlines ?? []), progress.since + LAST_DEADLINE_MS]
      return Math.min(from + paceAt(WHILE_OPEN, from - since), ...deadlines.filter((at) => at > from))
    }
    case 'settled': {
      const at = Math.min(progress.at, now)
      const from = Math.max(at, askedAt ?? at)
      return AFTER_SETTLEMENT.map((pause) => at + pause).find((slot) => slot > from) ?? null
    }
    case 'ended':
      return null
  }
}

/** Returns whether the transaction has ended: it is asked about in case something changes all the same. */
export function isOver(progress: Progress): boolean {
  return progress.stage === 'settled' || progress.stage === 'ended'
}

/**
 * Returns whether the gateway has reported no end of a transaction until its last deadline, or has not answered the
 * merchant's decision.
 */
export function isOverdue(progress: Progress, now: number): boolean {
  switch (progress.stage) {
    case 'unacknowledged':
    case 'open':
      return now - progress.since >= LAST_DEADLINE_MS
    case 'confirming': {
      // What was never sent could be delivered.
      const isUnsent = progress.next !== null && progress.next.sent_at === null
      return !isUnsent && now - progress.since >= CONFIRMING_DEADLINE_MS
    }
    case 'settled':
    case 'ended':
      return false
  }
}

/**
 * Returns the time of the query that was requested, for example by a callback, and that no query has served since;
 * `null` if there is none.
 */
export function requestedQueryAt(
  { requested_at, requested_revision }: Pick<Facts, 'requested_at' | 'requested_revision'>,
  now: number,
): number | null {
  if (requested_revision === null) {
    return null
  }
  // A later time was stored before the system clock jumped back.
  return Math.min(requested_at ?? now, now + REQUEST_PAUSE_MS)
}

/**
 * Returns the facts that change when a query is requested now. It is permitted a second after the one that was requested
 * before or, if that one is still to come, at its time. A query that has begun does not serve this request, so the
 * request has the revision that the row has once the request is stored.
 */
export function requestQuery(
  { requested_at, revision }: Pick<Transaction, 'requested_at' | 'revision'>,
  now: number,
) {
  const isValid = requested_at !== null && requested_at <= now + REQUEST_PAUSE_MS
  const last = isValid ? requested_at : -Infinity
  return {
    requested_at: last > now ? last : Math.max(now, last + REQUEST_PAUSE_MS),
    requested_revision: revision + 1,
  }
}

/**
 * Returns the facts that change after a query. It has served the requests that were stored before it began, whatever the
 * clocks of other processes show.
 *
 * @param asked The row with which the query began.
 */
export function factsAfterQuery(
  { requested_revision }: Pick<Facts, 'requested_revision'>,
  asked: Pick<Transaction, 'revision'>,
  asked_at: number,
  failures: number,
) {
  const isServed = requested_revision !== null && requested_revision <= asked.revision
  return { asked_at, failures, ...(isServed && { requested_revision: null }) }
}

/** Returns the time; `null` if it lies in the future. */
function ifPast(at: number | null, now: number): number | null {
  return at !== null && at <= now ? at : null
}

/**
 * Returns how long a page shows the stored state of a transaction before the gateway is queried again, in milliseconds.
 *
 * @param now The current time, in milliseconds since the Unix epoch.
 */
export function freshForMs(
  progress: Progress,
  { created_at }: Pick<Transaction, 'created_at'>,
  now: number,
): number {
  switch (progress.stage) {
    case 'settled':
    case 'ended':
      return FRESH_SETTLED_MS
    case 'open':
      return paceAt(FRESH_WHILE_OPEN, now - progress.since)
    // Who waits for an answer asks less and less often, however often the request is sent again.
    case 'unacknowledged':
    case 'confirming':
      return paceAt(FRESH_WHILE_OPEN, now - created_at)
  }
}

function paceAt(paces: readonly Pace[], age: number): number {
  // After the system clock jumped back, the age may be negative.
  return paces.find(({ olderThan }) => age >= olderThan)?.pause ?? SECOND
}
