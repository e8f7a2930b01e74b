/**
 * Finds the checkouts that a store has lost when it was restored from a backup. The gateway may know them, and their
 * payers may have paid.
 */

import { newTransaction } from '../transactions/new-transaction.ts'
import { mayHaveLostById } from '../transactions/recovery.ts'
import { answeredAt } from '../transactions/transition.ts'
import { queryStatus } from './kind.ts'
import { MAX_UNKNOWN_IN_A_ROW } from './plan.ts'
import { methodsFor, promptMethods } from './prompt.ts'
import { isCharge } from './record.ts'
import { deriveReferences } from './references.ts'
import { NO_ANSWER, openRecord } from './transition.ts'

import type { ChargeTerms } from '../config/charges.ts'
import type { Config } from '../config/config.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Marks } from '../store/store.ts'
import type { SubmitDeps } from '../transactions/sender.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { OpenCheckout, RequestedTerms, Visit } from './record.ts'

interface RecoveredDeps extends SubmitDeps {
  synchronizer: Pick<Synchronizer, 'queryUnstored'>
  config: Pick<Config, 'charges'>
  client: GatewayClient
}

/**
 * Returns whether the order may have been charged by a checkout that the store has lost, at a gateway that cannot be
 * asked about it: it finds charges only by an id that is lost, too.
 */
export function isUncompared(
  { client, clock, config }: RecoveredDeps,
  requested: RequestedTerms,
  marks: Marks,
): boolean {
  if (client.chargeStatusKey === 'external_reference' || !mayHaveLostById(clock.now(), marks)) {
    return false
  }
  return requested.splits.length > 0 || methodsFor(config.charges, requested).length > 0
}

/** The attempts about which the gateway is asked after a recovery, counted from the next one. */
const ASKED_ATTEMPTS = Array.from({ length: MAX_UNKNOWN_IN_A_ROW + 1 }, (_, index) => index)

/**
 * Resolves with the rows of those next attempts of an order that the gateway knows and the store has lost. Their
 * requests are lost, and so are their pages: their status is queried, and nothing is sent again.
 *
 * @throws {GatewayError} if the gateway cannot be asked. A new checkout could then be paid beside a lost one.
 */
export async function findLost(
  deps: RecoveredDeps,
  requested: RequestedTerms,
  visit: Visit,
  origin: Parameters<typeof deriveReferences>[1],
  next: number,
) {
  const sent_at = deps.clock.now()
  const records = possibleRecords(deps.config.charges, requested, visit, sent_at)
  const shared = { kind: 'checkout', group: requested.order, trace_id: null } as const
  const rows = ASKED_ATTEMPTS.map((index) => next + index).flatMap((attempt) =>
    deriveReferences(deps.fingerprints, origin, attempt).flatMap((reference) =>
      records.map((record) => ({ ...shared, attempt, reference, record })),
    ),
  )

  const reports = await Promise.all(
    rows.map((row) => {
      const family = isCharge(row.record) ? 'charge' : 'checkout'
      return deps.synchronizer.queryUnstored(family, () => queryStatus(deps.client, row))
    }),
  )

  return rows.flatMap((row, index) => {
    const report = reports[index]
    if (report?.kind !== 'status') {
      return []
    }

    const record = openRecord(row.record, NO_ANSWER, answeredAt(report, sent_at))
    return [{ ...newTransaction(deps, { ...row, record }), sent_at }]
  })
}

/** Returns the records that a lost attempt may have: of a checkout on a page and, if an operator may ask, of a prompt. */
function possibleRecords(
  charges: ChargeTerms | null,
  requested: RequestedTerms,
  visit: Visit,
  sent_at: number,
): OpenCheckout[] {
  // A prompt is a charge, as every checkout of an order with splits is: the gateway is asked about a charge only once,
  // whichever operator prompted the payer. It may have been sent by an operator that cannot be asked now.
  const all = requested.splits.length > 0 ? [] : methodsFor(charges, requested)
  const methods = promptMethods(charges, requested)
  const prompts = all.slice(0, 1).map(({ code }) => ({ prompt: { method: code, methods } }))

  const kept = { requested, visit, people: [], told: [], resolution: null, named_id: null }
  return [{}, ...prompts].map((prompt) => openRecord({ ...kept, ...prompt }, NO_ANSWER, sent_at))
}
