/**
 * Reports changes of transactions to logs and metrics, without payer details. A log line names a transaction by its
 * reference, never by its id: whoever knows the id of a checkout may watch the checkout.
 */

import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Store, Transaction } from '../store.ts'
import type { Kinds } from './kind.ts'
import { FOR_A_PERSON } from '../store.ts'

/** A function that reports a committed change. The arguments are the transaction before and after the change. */
export type ReportChange = (before: Transaction, after: Transaction) => void

interface ReportDeps {
  kinds: Kinds
  log: Log
  metrics: Metrics
}

/**
 * Returns a function that counts each new outcome in the metrics. The function also logs each transaction that has just
 * settled or now needs a check by a person.
 */
export function createReportChange({ kinds, log, metrics }: ReportDeps): ReportChange {
  return (before, after) => {
    const { kind, attempt, outcome } = after
    if (after.version === before.version) return
    const isNew = outcome !== before.outcome
    const isSettledNow = isSettled(after) && !isSettled(before)
    const ms = after.updated_at - after.created_at
    if (isNew) metrics.outcome(kind, outcome)
    if (isSettledNow) metrics.settled(kind, ms)
    const facts = { ...namesOf(after), attempt, outcome, ms }
    if (isNew && FOR_A_PERSON.some((each) => each === outcome))
      log.warn(facts, `The ${kind} needs a person: ${outcome}.`)
    else if (isSettledNow || (isNew && isSettled(after)))
      log.info(facts, `The ${kind} is settled: ${outcome}.`)
  }

  function isSettled(transaction: Transaction): boolean {
    const { stage } = kinds[transaction.kind].progressOf(transaction)
    return stage === 'settled' || stage === 'ended'
  }
}

/** Returns what names a transaction in the log: a checkout has its order, which the merchant knows it by. */
export function namesOf({ kind, reference, group, trace_id }: Transaction) {
  return { kind, reference, ...(kind === 'checkout' && { order: group }), trace_id }
}

/** Logs an error about a transaction, with what names it. */
export async function logError(
  { store, log }: { store: Pick<Store, 'find'>; log: Log },
  id: string,
  err: unknown,
  message: string,
): Promise<void> {
  const row = await store.find(id).catch(() => null)
  log.error({ ...(row && namesOf(row)), err }, message)
}
