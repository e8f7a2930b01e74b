/**
 * Tells people of payments in words, at least once. A notice is stored in the commit of its event, for each way, and is
 * deleted when it was told. Notices are no deliveries of the event: they accept nothing, confirm no service, and wait
 * neither for the merchant's backend nor for each other.
 */

import { backoffDelay } from '../work/breaker.ts'
import { isTold, messageOf } from './message.ts'
import { NoticeError } from './tell.ts'

import type { Log } from '../log/log.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { MerchantAccount, NewNotice, NoticeWay, Store, StoredNotice } from '../store/store.ts'
import type { Kinds } from '../transactions/kinds.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Work } from '../work/work-loop.ts'
import type { Message } from './message.ts'
import type { Tell } from './tell.ts'

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
const LEASE_MS = 120_000
/** The bounds of the pause between two deliveries of one notice, in milliseconds. */
const RETRY = { baseMs: 10_000, capMs: 15 * 60_000 }
/** [assumed] After this time, the word that somebody has paid is of no use any more. */
const GIVEN_UP_AFTER_MS = 5 * 24 * 3_600_000
/** Providers refuse who opens many connections at once. */
const LIMITS = { slots: 4, most: 16, slowMs: 1_000 }

/** Returns a store that stores, with each event that people are told of, a notice for each way. */
export function withNotices(
  store: Store,
  ways: readonly NoticeWay[],
  randomness: Pick<Randomness, 'token'>,
): Store {
  return {
    ...store,
    commit: (id, revision, change) => {
      const told = (change.events ?? []).filter(({ type }) => isTold(type))
      const notices = told.flatMap(({ type }) =>
        ways.map((way): NewNotice => ({ id: `ntc_${randomness.token()}`, way, type })),
      )
      return store.commit(id, revision, { ...change, notices })
    },
  }
}

/** Returns the worker that tells people by one way. */
export function noticeWork(deps: NoticeDeps, way: NoticeWay, tell: Tell): Work<StoredNotice> {
  const { store, account, clock, log, randomness } = deps
  let wake: (dueAt: number | null) => void = () => {}
  return {
    name: `notices by ${way}`,
    limits: LIMITS,
    onChange: (woken) => {
      wake = woken
      return store.watch(({ event_due_at }) => woken(event_due_at))
    },
    // No pause and no lease is longer.
    bringForward: () => store.limitNotices(account, way, clock.now() + RETRY.capMs),
    claim: (limit) => store.claimNotices(account, way, clock.now(), clock.now() + LEASE_MS, limit),
    nextDue: () => store.nextNoticeDue(account, way),

    async run(notice) {
      const { id, type, trace_id, failures, created_at } = notice
      const facts = { id, way, type, trace_id }
      try {
        const message = await findMessage(deps, notice)
        const complaint = message && (await tell(message))
        if (complaint !== null) {
          log.warn({ ...facts, complaint }, 'Not everybody was told of a payment.')
        }
      } catch (error) {
        const err = error instanceof NoticeError ? { type: error.name, message: error.message } : error
        const failed = { ...facts, failures: failures + 1, err }
        if (clock.now() - created_at >= GIVEN_UP_AFTER_MS) {
          log.error(failed, 'Nobody could be told of a payment; this is given up.')
          return store.finishNotice(id)
        }

        log.warn(failed, 'Nobody could be told of a payment; this is retried.')
        const dueAt = clock.now() + backoffDelay(failures + 1, randomness.fraction(), RETRY)
        await store.retryNotice(id, dueAt)
        return wake(dueAt)
      }

      await store.finishNotice(id)
      log.info({ ...facts, attempt: failures + 1 }, 'People were told of a payment.')
    },
  }
}

/** Resolves with what a notice tells; `null` if the transaction is gone. */
async function findMessage(deps: NoticeDeps, notice: StoredNotice): Promise<Message | null> {
  const { store, kinds, fingerprints } = deps
  const row = await store.find(notice.transaction_id)
  const kind = row && kinds.of(row.kind)
  if (!row || !kind?.factsOf) {
    return null
  }

  const facts = kind.factsOf(kind.read(row))
  const ends = facts.ends.flatMap((print) => fingerprints.endsOf(print) ?? [])
  return messageOf(notice, row, facts, ends)
}
