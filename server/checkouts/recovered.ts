/**
 * Finds the checkouts that a store has lost when it was restored from a backup. The gateway may know them, and their
 * payers may have paid.
 */

import { isRefusal, RECOVERY_UNCOMPARED } from '../api/refusal.ts'
import { refuseFailed } from '../gateway/errors.ts'
import { identifyPayers } from '../payins/status-query.ts'
import { newTransaction } from '../transactions/new-transaction.ts'
import { answeredAt } from '../transactions/observation.ts'
import { mayHaveLost, mayHaveLostById, mayHaveLostSend } from '../transactions/recovery.ts'
import { checkoutKind, queryStatus } from './kind.ts'
import { MAX_UNKNOWN_IN_A_ROW } from './plan.ts'
import { methodsFor, promptMethods } from './prompt.ts'
import { isCharge, readCheckout } from './record.ts'
import { deriveReferences } from './references.ts'
import { NO_ANSWER, openRecord } from './transition.ts'

import type { Refusal } from '../api/refusal.ts'
import type { ChargeTerms } from '../config/charges.ts'
import type { Config } from '../config/config.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { StatusAnswer } from '../payins/status-answer.ts'
import type { Marks } from '../store/store.ts'
import type { SubmitDeps } from '../transactions/sender.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { Checkout, OpenCheckout, RequestedTerms, Visit } from './record.ts'

type Reported = Extract<StatusAnswer, { kind: 'status' }>

interface RecoveredDeps extends SubmitDeps {
  synchronizer: Pick<Synchronizer, 'queryUnstored' | 'applyWithoutQuery'>
  config: Pick<Config, 'charges'>
  client: GatewayClient
}

/**
 * Returns whether the order may have been charged by a checkout that the store has lost, at a gateway that cannot be
 * asked about it: it finds charges only by an id that is lost, too.
 */
function isUncompared(
  { client, clock, config }: RecoveredDeps,
  requested: RequestedTerms,
  marks: Marks,
): boolean {
  if (client.chargeStatusKey === 'external_reference' || !mayHaveLostById(clock.now(), marks)) {
    return false
  }
  return requested.splits.length > 0 || methodsFor(config.charges, requested).length > 0
}

/** The attempt that is to be sent. */
export interface Sending {
  requested: RequestedTerms
  visit: Visit
  attempt: number
  /** The stored checkout with this number, which this store has never sent; `null` if there is none. */
  unsent: Checkout | null
}

/** What the gateway knows of an order that the store may have lost. */
export type Lost =
  /** Nothing. The attempt can be sent. */
  | { kind: 'none' }
  /** The attempt, whose page is open. The same request can be sent again, and no other one. */
  | { kind: 'known' }
  /** Checkouts that are now stored. Nothing is to be sent before they were looked at. */
  | { kind: 'taken' }

/**
 * Stores what the gateway knows of an order and the store has lost, before an attempt of the order is sent. Resolves with a
 * refusal if the gateway cannot be asked.
 */
export async function takeLost(deps: RecoveredDeps, sending: Sending, marks: Marks): Promise<Lost | Refusal> {
  const { requested, unsent } = sending
  if (isUncompared(deps, requested, marks)) {
    return RECOVERY_UNCOMPARED
  }

  const isPerhapsSent = unsent !== null && mayHaveLostSend(unsent)
  if (!isPerhapsSent && !mayHaveLost(deps.clock.now(), marks.recovered)) {
    return { kind: 'none' }
  }

  const lost = await findLost(deps, sending, marks.store).catch(refuseFailed)
  if (isRefusal(lost)) {
    return lost
  }

  let isTaken = false
  for (const { row, report } of lost) {
    const isMissing = unsent === null || row.attempt !== unsent.attempt
    const isStored = isMissing
      ? await insertLost(deps, row, report)
      : await openUnsent(deps, unsent, row, report)
    isTaken ||= isStored
  }

  if (isTaken) {
    return { kind: 'taken' }
  }
  return { kind: lost.length > 0 ? 'known' : 'none' }
}

/** The attempts about which the gateway is asked after a recovery, counted from the one that is to be sent. */
const ASKED_ATTEMPTS = Array.from({ length: MAX_UNKNOWN_IN_A_ROW + 1 }, (_, index) => index)

/** A checkout that the gateway may know, in the form in which it may know it. */
type Known = Parameters<typeof queryStatus>[1] & { record: OpenCheckout; attempt: number }

/**
 * Resolves with those attempts of an order that the gateway knows: the one that is to be sent and those after it. What was
 * unsent in the backup may have been sent since in another form.
 *
 * @throws {GatewayError} if the gateway cannot be asked. A new checkout could then be paid beside a lost one.
 */
async function findLost(deps: RecoveredDeps, sending: Sending, store: number) {
  const { account, clock, fingerprints, client } = deps
  const { requested, visit, unsent } = sending
  const origin = { account, store, order: requested.order }
  const records = possibleRecords(deps.config.charges, requested, visit, clock.now())
  const rows = ASKED_ATTEMPTS.flatMap((index): Known[] => {
    const attempt = sending.attempt + index
    const isStored = unsent?.attempt === attempt
    const references = isStored ? [unsent.reference] : deriveReferences(fingerprints, origin, attempt)
    return references.flatMap((reference) =>
      records.map((record) => ({ attempt, reference, record, trace_id: null })),
    )
  })

  const reports = await Promise.all(
    rows.map((row) => {
      const family = isCharge(row.record) ? 'charge' : 'checkout'
      return deps.synchronizer.queryUnstored(family, () => queryStatus(client, row))
    }),
  )

  return rows.flatMap((row, index) => {
    const report = reports[index]
    return report?.kind === 'status' ? [{ row, report }] : []
  })
}

/** Stores a lost checkout. Its request is lost, and so is its page: its status is queried, and nothing is sent again. */
async function insertLost(deps: RecoveredDeps, known: Known, report: Reported): Promise<true> {
  const record = openRecord(known.record, NO_ANSWER, answeredAt(report, deps.clock.now()))
  const { attempt, reference } = known
  const group = record.requested.order
  await deps.store.insert(
    newTransaction(deps, { kind: 'checkout', group, attempt, reference, trace_id: null, record }),
  )
  return true
}

/** Stores a report about the checkout that the store has as unsent. Resolves with whether it is open now. */
async function openUnsent(
  { synchronizer, fingerprints }: RecoveredDeps,
  { id }: Checkout,
  { record }: Known,
  report: Reported,
): Promise<boolean> {
  const answer = identifyPayers(report, fingerprints)
  const saved = await synchronizer.applyWithoutQuery(checkoutKind, id, { kind: 'recovered', record, answer })
  return saved === null || readCheckout(saved).record.phase === 'open'
}

/** Returns the records that a lost attempt may have: of a checkout on a page and, if an operator may ask, of a prompt. */
function possibleRecords(
  charges: ChargeTerms | null,
  requested: RequestedTerms,
  visit: Visit,
  now: number,
): OpenCheckout[] {
  // A prompt is a charge, as every checkout of an order with splits is: the gateway is asked about a charge only once,
  // whichever operator prompted the payer. It may have been sent by an operator that cannot be asked now.
  const all = requested.splits.length > 0 ? [] : methodsFor(charges, requested)
  const methods = promptMethods(charges, requested)
  const prompts = all.slice(0, 1).map(({ code }) => ({ prompt: { method: code, methods } }))

  const kept = { requested, visit, people: [], told: [], resolution: null, named_id: null }
  return [{}, ...prompts].map((prompt) => openRecord({ ...kept, ...prompt }, NO_ANSWER, now))
}
