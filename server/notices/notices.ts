/**
 * Tells people of payments in words, at least once. A notice is stored in the commit of its event, for each reader, and
 * keeps what became of it. Notices are no deliveries of the event (`outbox/deliver.ts`): they accept nothing, confirm no
 * service, and wait neither for the merchant's backend nor for each other.
 */

import { canonical, compare, subtract } from '../contract/decimal.ts'
import { Availability } from '../work/availability.ts'
import { backoffDelay } from '../work/backoff.ts'
import { isTold, messageOf } from './message.ts'
import { NoticeError } from './tell.ts'

import type { Log } from '../log/log.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { MerchantAccount } from '../store/merchant-account.ts'
import type { NewNotice, StoredNotice } from '../store/notices.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transactions.ts'
import type { PaymentFacts } from '../transactions/kind.ts'
import type { Kinds } from '../transactions/kinds.ts'
import type { BreakerPolicy } from '../work/breaker.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Work } from '../work/work-loop.ts'
import type { Message } from './message.ts'
import type { Failure, Teller } from './tell.ts'

interface NoticeDeps {
  store: Store
  account: MerchantAccount
  kinds: Kinds
  fingerprints: Pick<Fingerprints, 'endsOf'>
  clock: Clock
  log: Log
  randomness: Pick<Randomness, 'fraction'>
}

/** How long a claimed notice stays with its worker, in milliseconds: longer than any delivery takes. */
const LEASE_MS = 12 * 60_000
/**
 * The bounds of the pause between two deliveries of one notice, in milliseconds, by what became of the last one. What was
 * refused will be refused again until somebody changes something, and what was handed over may have been read.
 */
const PAUSES = {
  away: { baseMs: 10_000, capMs: 15 * 60_000 },
  refused: { baseMs: 15 * 60_000, capMs: 3_600_000 },
  unanswered: { baseMs: 15 * 60_000, capMs: 4 * 3_600_000 },
} as const satisfies Record<Failure, object>
const LONGEST_PAUSE_MS = PAUSES.unanswered.capMs
/** [assumed] After this time, the word that somebody has paid is of no use any more. */
const GIVEN_UP_AFTER_MS = 5 * 24 * 3_600_000
/** The most copies of a message that may reach its reader. [assumed] No service is so slow for half a working day. */
const MAX_COPIES = 6
/** Providers refuse who opens many connections at once. */
const LIMITS = { slots: 4, most: 16, slowMs: 1_000 }
/** The conditions under which a way counts as away, and the times between probes. [assumed] */
const AWAY: BreakerPolicy = {
  failures: 20,
  failureSpanMs: 60_000,
  probe: { baseMs: 10_000, capMs: 60_000 },
  probeTimeoutMs: 60_000,
}

type Failed = Pick<NoticeError, 'failure' | 'waitMs'>

/** What became of a message that this server could not make. */
const UNFORESEEN: Failed = { failure: 'refused', waitMs: null }

/** Returns a store that stores, with each change of money that people are told of, a notice for each reader. */
export function withNotices(
  store: Store,
  tellers: readonly Pick<Teller, 'way' | 'readers'>[],
  { kinds, randomness }: { kinds: Kinds; randomness: Pick<Randomness, 'token'> },
): Store {
  return {
    ...store,
    async commit(id, revision, change) {
      // The first event of a change says what has happened to the money, and the others tell a program more about it.
      const notice = change.events?.find(({ type }) => isTold(type))
      // If another commit has changed the row meanwhile, nothing is stored.
      const before = notice === undefined ? null : await store.find(id)
      if (notice === undefined || before === null) {
        return store.commit(id, revision, change)
      }

      const { type } = notice
      const money = moneyOfChange(kinds, before, { ...before, record: change.record ?? before.record })
      const notices = tellers.flatMap(({ way, readers }) =>
        readers.map((reader): NewNotice => ({
          id: `ntc_${randomness.token()}`,
          way,
          reader,
          type,
          ...money,
        })),
      )
      return store.commit(id, revision, { ...change, notices })
    },
  }
}

/** Returns the money of an event: what came and what went back with the change, and what is held after it. */
function moneyOfChange(
  kinds: Kinds,
  before: Transaction,
  after: Transaction,
): Pick<NewNotice, 'came' | 'went' | 'held'> {
  const { received, most } = factsOf(kinds, before) ?? NO_MONEY
  const { received: held, most: mostNow } = factsOf(kinds, after) ?? NO_MONEY
  const gain = subtract(held, received)
  const heard = subtract(mostNow, most)
  // What came and went back between two looks was never held.
  const came = [gain, heard].reduce((one, other) => (compare(one, other) < 0 ? other : one), '0')
  return { came: canonical(came), went: canonical(subtract(came, gain)), held }
}

const NO_MONEY = { received: '0', most: '0' }

/** Returns what people are told of a transaction; `null` if nobody is told of its kind. */
function factsOf(kinds: Kinds, row: Transaction): PaymentFacts | null {
  const kind = kinds.of(row.kind)
  return kind.factsOf?.(kind.read(row)) ?? null
}

/** Returns the worker that tells people by one way. */
export function noticeWork(deps: NoticeDeps, { way, readers, tell }: Teller): Work<StoredNotice> {
  const { store, account, clock, log, randomness } = deps
  const availability = new Availability(AWAY)
  let wake: (dueAt: number | null) => void = () => {}
  return {
    name: `notices by ${way}`,
    limits: LIMITS,
    onChange: (woken) => {
      wake = woken
      return store.watch(({ event_due_at }) => woken(event_due_at))
    },

    // At the start, something may have been mended. No pause and no lease is longer than these.
    correctTimes: (isHourly) =>
      store.limitNotices(account, way, clock.now() + (isHourly ? LONGEST_PAUSE_MS : PAUSES.away.capMs)),

    async claim(limit) {
      const now = clock.now()
      const admitted = availability.admits(now)
      if (admitted === 'none') {
        return []
      }

      const most = admitted === 'probe' ? 1 : limit
      const notices = await store.claimNotices(account, way, now, now + LEASE_MS, most)
      if (admitted === 'probe' && notices[0]) {
        availability.probe(notices[0].id, now)
      }
      return notices
    },

    async nextDue() {
      const due = await store.nextNoticeDue(account, way)
      return due === null ? null : availability.notBefore(due)
    },

    async run(notice) {
      const { id, type, reader, trace_id, failures } = notice
      const facts = { id, way, type, trace_id }
      const reportEnd = availability.observe(id, clock.now())
      try {
        const message = await findMessage(deps, notice)
        // Who was taken out of the configuration is not told any more.
        if (message === null || !readers.includes(reader)) {
          return await store.finishNotice(id, 'given_up')
        }

        await tell(message, reader)
        report(true)
        log.info({ ...facts, attempt: failures + 1 }, 'People were told of a payment.')
      } catch (error) {
        const failed = error instanceof NoticeError ? error : UNFORESEEN
        report(failed.failure === 'refused')
        const err = error instanceof NoticeError ? { type: error.name, message: error.message } : error
        return retryOrGiveUp(notice, failed, err)
      }

      await store.finishNotice(id, 'told')

      function report(isAnswered: boolean): void {
        const wasAway = availability.isAway
        reportEnd(isAnswered)
        if (wasAway && !availability.isAway) {
          wake(clock.now())
        }
      }
    },
  }

  async function retryOrGiveUp(notice: StoredNotice, failed: Failed, err: unknown): Promise<void> {
    const { id, type, trace_id } = notice
    const { failure, waitMs } = failed
    const now = clock.now()
    if (waitMs !== null) {
      availability.rest(waitMs, now)
    }

    const facts = { id, way, type, trace_id, failures: notice.failures + 1, err }
    const end = endOf(notice, failure, now)
    if (end !== null) {
      log.error(facts, end)
      return store.finishNotice(id, 'given_up')
    }

    log.warn(facts, 'Nobody could be told of a payment; this is retried.')
    const dueAt = now + pauseAfter(notice, failed, randomness.fraction())
    await store.retryNotice(id, dueAt, failure === 'unanswered')
    wake(dueAt)
  }
}

/** Returns the pause before a notice that has failed is sent again, in milliseconds. */
function pauseAfter(
  { failures, unanswered }: Pick<StoredNotice, 'failures' | 'unanswered'>,
  { failure, waitMs }: Failed,
  random: number,
): number {
  const attempt = 1 + (failure === 'unanswered' ? unanswered : failures)
  const pause = backoffDelay(attempt, random, PAUSES[failure])
  return Math.max(pause, Math.min(waitMs ?? 0, LONGEST_PAUSE_MS))
}

/** Returns with which words a notice that failed is given up; `null` if it is sent again. */
function endOf(
  { unanswered, created_at }: Pick<StoredNotice, 'unanswered' | 'created_at'>,
  failure: Failure,
  now: number,
): string | null {
  if (failure === 'unanswered' && unanswered + 1 >= MAX_COPIES) {
    return 'A message about a payment was sent several times, and nobody said whether it was taken; this is given up.'
  }
  const isOld = now - created_at >= GIVEN_UP_AFTER_MS
  return isOld ? 'Nobody could be told of a payment; this is given up.' : null
}

/** Resolves with what a notice tells; `null` if the transaction is gone. */
async function findMessage(deps: NoticeDeps, notice: StoredNotice): Promise<Message | null> {
  const { store, kinds, fingerprints } = deps
  const row = await store.find(notice.transaction_id)
  const facts = row && factsOf(kinds, row)
  if (row === null || facts === null) {
    return null
  }

  const ends = facts.ends.flatMap((print) => fingerprints.endsOf(print) ?? [])
  return messageOf(notice, row, facts, ends)
}
