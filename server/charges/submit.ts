/**
 * Creates a charge: stores it and sends it at most once.
 *
 * The merchant's external_reference is the idempotency key: a repeated request returns the existing charge, and a
 * different request with the same reference is refused. Splits are validated before anything is sent.
 */

import type { Clock } from '../clock.ts'
import type { ChargeTerms, ServiceCodes } from '../config.ts'
import type { FieldError } from '../api/problem.ts'
import type { Randomness } from '../randomness.ts'
import type { MerchantAccount, Store } from '../store.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { Charge, ChargeRecord } from './record.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ChargeRequest } from '../contract/charge.ts'
import { distinct, fieldErrorsOf } from '../field-errors.ts'
import { isExactIn } from '../money/currency.ts'
import { completeSplits, finenessRule, findSplitErrors } from '../money/splits.ts'
import { newTransaction, openOnce } from '../transactions/record.ts'
import { isSendable, NEW_SUBMISSION } from '../transactions/submission.ts'
import { readCharge } from './record.ts'

export type SubmittedCharge =
  | { kind: 'created' | 'existing'; charge: Charge }
  | { kind: 'invalid'; errors: FieldError[] }
  | { kind: 'reference_reused' }
  /** GATEWAY_CHARGE_PATH is not set. */
  | { kind: 'charges_off' }

interface SubmitDeps {
  store: Store
  account: MerchantAccount
  synchronizer: Synchronizer
  clock: Clock
  randomness: Randomness
  serviceCodes: ServiceCodes
  /** `null` while charges are off. */
  terms: ChargeTerms | null
}

export type SubmitCharge = (body: unknown) => Promise<SubmittedCharge>

export function createSubmitCharge(deps: SubmitDeps): SubmitCharge {
  const { store, account, synchronizer, clock, randomness, terms, serviceCodes } = deps

  return async function submit(body) {
    if (!terms) return { kind: 'charges_off' }
    const read = readRequest(body, account, serviceCodes, terms)
    if ('errors' in read) return { kind: 'invalid', errors: read.errors }
    const { request, given_digest } = read
    const row = newTransaction({
      id: randomness.token(),
      kind: 'charge',
      account,
      reference: request.external_reference,
      record: { phase: 'intended', request, given_digest, ...NEW_SUBMISSION } satisfies ChargeRecord,
      now: clock.now(),
    })
    const { isNew, stored } = await openOnce(store, [row])
    const [charge] = stored.map(readCharge)
    if (!charge || !isSame(charge.record, read)) return { kind: 'reference_reused' }
    // A lost response is not a failure: the charge is stored, and status queries resolve it.
    const isSendableNow = charge.record.phase === 'intended' && isSendable(charge, charge.record)
    const sent = isSendableNow ? readCharge((await synchronizer.submit(charge.id)).transaction) : charge
    return { kind: isNew ? 'created' : 'existing', charge: sent }
  }
}

type Read = Pick<ChargeRecord, 'request' | 'given_digest'>

/**
 * Whether a request repeats the stored one: the merchant sent the same fields, or the completed requests are equal. The
 * configuration may have changed since.
 */
function isSame(stored: Read, read: Read): boolean {
  const isSameRequest = JSON.stringify(stored.request) === JSON.stringify(read.request)
  return isSameRequest || stored.given_digest === read.given_digest
}

const Body = z.record(z.string(), z.unknown())

/** Completes the merchant's request with defaults from the configuration. */
function readRequest(
  body: unknown,
  account: MerchantAccount,
  serviceCodes: ServiceCodes,
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
  return errors.length > 0
    ? { errors: distinct(errors) }
    : { request, given_digest: digest(parsed.data, given.data) }
}

function serviceCodeOf(serviceCodes: ServiceCodes, currency: unknown): string | undefined {
  if ('any' in serviceCodes) return serviceCodes.any
  return typeof currency === 'string' && Object.hasOwn(serviceCodes.byCurrency, currency)
    ? serviceCodes.byCurrency[currency]
    : undefined
}

const SPLITS = 'extra_data.split_settlements'

function findErrors(request: ChargeRequest): FieldError[] {
  const { amount, transaction_charge = 0, currency_code } = request
  const money = Object.entries({ amount, transaction_charge })
  const inexact = money.filter(([, value]) => !isExactIn(currency_code, String(value)))
  const splits = findSplitErrors(splitsOf(request), String(amount), currency_code)
  return [
    ...inexact.map(([path]) => ({ path, message: finenessRule(currency_code) })),
    ...splits.map(({ path, message }) => ({ path: SPLITS + path, message })),
  ]
}

function splitsOf({ extra_data }: ChargeRequest) {
  return extra_data?.split_settlements ?? []
}

function withSplits(request: ChargeRequest, splits: ReturnType<typeof splitsOf>): ChargeRequest {
  if (splits.length === 0) return request
  return { ...request, extra_data: { ...request.extra_data, split_settlements: splits } }
}

/** Returns a digest of the merchant's fields after parsing, so that `100` and `"100"` are equal. */
function digest(request: ChargeRequest, given: Record<string, unknown>): string {
  const values = Object.entries(request).filter(([field]) => Object.hasOwn(given, field))
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url')
}
