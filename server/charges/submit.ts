/**
 * Creates a charge: stores the request and sends it at most once.
 *
 * The merchant's external_reference is the idempotency key. A repeated request returns the existing charge. A different
 * request with the same reference is refused. The splits (shares for partner accounts) are validated before the request
 * is stored or sent.
 */

import type { ChargeTerms, Config } from '../config/config.ts'
import type { FieldError } from '../api/problem.ts'
import type { SplitSettlement } from '../contract/charge.ts'
import type { Refusal } from '../api/refusal.ts'
import type { Created, SubmitDeps } from '../transactions/submit.ts'
import type { Charge, ChargeRecord } from './record.ts'
import { z } from 'zod'
import { valueFor, currencyOf, partnerSharesIn } from '../config/gateway.ts'
import { ChargeRequest, splitSettlementsIn } from '../contract/charge.ts'
import { safeParse } from '../contract/safe-parse.ts'
import { findInexact } from '../money/currency.ts'
import { completeSplits, findSplitErrors } from '../money/splits.ts'
import { CHARGES_OFF, distinct, fieldErrorsOf, invalid, refuse } from '../api/refusal.ts'
import { NEW_SUBMISSION } from '../transactions/submission.ts'
import { newTransaction, submitOnce } from '../transactions/submit.ts'
import { peopleOf } from '../payins/requests.ts'
import { chargeKind } from './kind.ts'
import { readCharge, withoutPayer } from './record.ts'

interface SubmitChargeDeps extends SubmitDeps {
  config: Pick<Config, 'gateway' | 'charges'>
}

const REUSED = refuse('reference_reused', 'Another charge was sent under this external_reference.')

export async function submitCharge(
  deps: SubmitChargeDeps,
  body: unknown,
  trace_id: string | null,
): Promise<Created<Charge> | Refusal> {
  const { config, synchronizer, fingerprints } = deps
  if (!config.charges) return CHARGES_OFF
  const read = readRequest(body, config.gateway, config.charges)
  if ('errors' in read) return invalid(read.errors)
  const { request, given } = read
  const record: ChargeRecord = {
    phase: 'intended',
    request: withoutPayer(request),
    given_digest: fingerprints.of('terms', JSON.stringify(given)),
    people: peopleOf(request, fingerprints),
    call: { request },
    told: [],
    ...NEW_SUBMISSION,
  }
  const reference = request.external_reference
  const row = newTransaction(deps, { kind: 'charge', reference, record, trace_id })
  const submitted = await submitOnce(deps, [row], chargeKind, [given], REUSED)
  if (submitted.kind !== 'existing') return submitted
  const { transaction } = await synchronizer.submit(submitted.rows[0].id)
  return { kind: 'existing', rows: [readCharge(transaction)] }
}

/** A valid request: the complete request, and the fields that the merchant sent. */
interface Read {
  request: ChargeRequest
  given: readonly [field: string, value: unknown][]
}

const Body = z.record(z.string(), z.unknown())

/**
 * Validates the merchant's request and adds defaults from the configuration. Returns all errors if the request is
 * invalid.
 */
function readRequest(
  body: unknown,
  { serviceCodes, accountNumbers }: Config['gateway'],
  terms: ChargeTerms,
): Read | { errors: FieldError[] } {
  const given = Body.safeParse(body)
  if (!given.success) return { errors: [{ path: 'body', message: 'must be an object' }] }
  const { service_code, currency_code = currencyOf(serviceCodes, service_code) } = given.data
  const completed = {
    account_number: valueFor(accountNumbers, currency_code),
    service_code: valueFor(serviceCodes, currency_code),
    currency_code,
    ...(terms.clientCode !== null && { client_code: terms.clientCode }),
    ...given.data,
  }
  const parsed = safeParse(ChargeRequest, completed)
  if (!parsed.success) return { errors: fieldErrorsOf(parsed.error.issues, z.core.toDotPath) }
  const partners = partnerSharesIn(terms, parsed.data.currency_code)
  if (typeof parsed.data.extra_data === 'string' && partners.length > 0) return { errors: [NEEDS_OBJECT] }
  const request = withSplits(
    parsed.data,
    completeSplits(splitSettlementsIn(parsed.data.extra_data), partners),
  )
  const errors = findErrors(request)
  if (errors.length > 0) return { errors: distinct(errors) }
  // With their parsed values: `100` and `"100"` are the same amount.
  return { request, given: Object.entries(parsed.data).filter(([field]) => Object.hasOwn(given.data, field)) }
}

const SPLITS = 'extra_data.split_settlements'
const NEEDS_OBJECT: FieldError = {
  path: 'extra_data',
  message: 'must be an object, because PARTNER_ACCOUNTS_DYNAMIC adds shares to it',
}

function findErrors(request: ChargeRequest): FieldError[] {
  const { amount, transaction_charge = 0, currency_code: currency } = request
  const inexact = findInexact([
    { path: 'amount', amount, currency },
    { path: 'transaction_charge', amount: transaction_charge, currency },
  ])
  const splits = findSplitErrors(splitSettlementsIn(request.extra_data), String(amount), currency)
  return [...inexact, ...splits.map(({ path, message }) => ({ path: SPLITS + path, message }))]
}

function withSplits(request: ChargeRequest, splits: SplitSettlement[]): ChargeRequest {
  const { extra_data = {} } = request
  if (splits.length === 0 || typeof extra_data === 'string') return request
  return { ...request, extra_data: { ...extra_data, split_settlements: splits } }
}
