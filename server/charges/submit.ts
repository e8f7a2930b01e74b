/**
 * Creates a charge: stores the request and sends it at most once.
 *
 * The merchant's external_reference is the idempotency key. A repeated request returns the existing charge. A different
 * request with the same reference is refused. The splits (shares for partner accounts) are validated before the request
 * is stored or sent.
 */

import type { ChargeTerms, ServiceCodes } from '../config.ts'
import type { FieldError } from '../api/problem.ts'
import type { Refusal } from '../refusal.ts'
import type { SubmitDeps } from '../transactions/submit.ts'
import type { Charge, ChargeRecord } from './record.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { serviceCodeOf } from '../config/gateway.ts'
import { ChargeRequest } from '../contract/charge.ts'
import { distinct, fieldErrorsOf } from '../field-errors.ts'
import { findInexact } from '../money/currency.ts'
import { completeSplits, findSplitErrors } from '../money/splits.ts'
import { CHARGES_OFF, invalid, refuse } from '../refusal.ts'
import { refusePruned } from '../transactions/retention.ts'
import { isSendable, NEW_SUBMISSION } from '../transactions/submission.ts'
import { newTransaction, submitOnce } from '../transactions/submit.ts'
import { readCharge, requestOf } from './record.ts'

export type SubmittedCharge = { kind: 'created' | 'existing'; charge: Charge } | Refusal

interface SubmitChargeDeps extends SubmitDeps {
  serviceCodes: ServiceCodes
  /** The settings of charges; `null` if charges are off (GATEWAY_CHARGE_PATH is not set). */
  terms: ChargeTerms | null
}

const REUSED = refuse('reference_reused', 'Another charge was sent under this external_reference.')

export type SubmitCharge = (body: unknown, traceId: string | null) => Promise<SubmittedCharge>

export function createSubmitCharge(deps: SubmitChargeDeps): SubmitCharge {
  return async function submit(body, trace_id) {
    if (!deps.terms) return CHARGES_OFF
    const read = readRequest(body, deps, deps.terms)
    if ('errors' in read) return invalid(read.errors)
    const reference = read.request.external_reference
    const record: ChargeRecord = { phase: 'intended', ...read, ...NEW_SUBMISSION }
    const row = newTransaction(deps, { kind: 'charge', reference, record, trace_id })
    // The submission succeeds even if the gateway's response is lost: later status queries show whether the gateway
    // received the charge.
    const { isNew, stored: charge, pruned } = await submitOnce(deps, row, readCharge)
    if (!charge || !isSame(charge.record, read))
      return refusePruned(pruned, [requestOf(record)], REUSED) ?? REUSED
    const isSendableNow = !isNew && charge.record.phase === 'intended' && isSendable(charge, charge.record)
    const sent = isSendableNow ? readCharge((await deps.synchronizer.submit(charge.id)).transaction) : charge
    return { kind: isNew ? 'created' : 'existing', charge: sent }
  }
}

type Read = Pick<ChargeRecord, 'request' | 'given_digest'>

/**
 * Returns whether a request repeats the stored request: the fields that the merchant sent are equal, or the complete
 * requests are equal. If only the merchant's fields are equal, the defaults in the configuration have changed.
 */
function isSame(stored: Read, read: Read): boolean {
  const isSameRequest = JSON.stringify(stored.request) === JSON.stringify(read.request)
  return isSameRequest || stored.given_digest === read.given_digest
}

const Body = z.record(z.string(), z.unknown())

/**
 * Validates the merchant's request and adds defaults from the configuration. Returns the complete request and the
 * digest of the merchant's fields, or all errors if the request is invalid.
 */
function readRequest(
  body: unknown,
  { account, serviceCodes }: SubmitChargeDeps,
  { clientCode, partners }: ChargeTerms,
): Read | { errors: FieldError[] } {
  const given = Body.safeParse(body)
  if (!given.success) return { errors: [{ path: 'body', message: 'must be an object' }] }
  const parsed = ChargeRequest.safeParse({
    account_number: account.account_number,
    service_code: serviceCodeOf(serviceCodes, given.data.currency_code),
    ...(clientCode !== null && { client_code: clientCode }),
    ...given.data,
  })
  if (!parsed.success) return { errors: fieldErrorsOf(parsed.error.issues, z.core.toDotPath) }
  const request = withSplits(parsed.data, completeSplits(splitsOf(parsed.data), partners))
  const errors = findErrors(request)
  if (errors.length > 0) return { errors: distinct(errors) }
  return { request, given_digest: digest(parsed.data, given.data) }
}

const SPLITS = 'extra_data.split_settlements'

function findErrors(request: ChargeRequest): FieldError[] {
  const { amount, transaction_charge = 0, currency_code: currency } = request
  const inexact = findInexact([
    { path: 'amount', amount, currency },
    { path: 'transaction_charge', amount: transaction_charge, currency },
  ])
  const splits = findSplitErrors(splitsOf(request), String(amount), currency)
  return [...inexact, ...splits.map(({ path, message }) => ({ path: SPLITS + path, message }))]
}

function splitsOf({ extra_data }: ChargeRequest) {
  return extra_data?.split_settlements ?? []
}

function withSplits(request: ChargeRequest, splits: ReturnType<typeof splitsOf>): ChargeRequest {
  if (splits.length === 0) return request
  return { ...request, extra_data: { ...request.extra_data, split_settlements: splits } }
}

/**
 * Returns a digest of the fields that the merchant sent. The fields are parsed first, so that `100` and `"100"` have
 * the same digest.
 */
function digest(request: ChargeRequest, given: Record<string, unknown>): string {
  const values = Object.entries(request).filter(([field]) => Object.hasOwn(given, field))
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url')
}
