/**
 * Charges a payer for the merchant, once.
 *
 * The merchant's external_reference is the idempotency key: the same request again brings the same charge, another
 * under its reference is refused. Splits are held to their rules before anything is sent.
 */

import type { Clock } from '../clock.ts'
import type { ChargeTerms, ServiceCodes } from '../config.ts'
import type { FieldError } from '../api/problem.ts'
import type { Randomness } from '../randomness.ts'
import type { MerchantAccount, Store } from '../store.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { Charge, ChargeRecord } from './record.ts'
import { z } from 'zod'
import { ChargeRequest } from '../contract/charge.ts'
import { isExactIn } from '../money/currency.ts'
import { completeSplits, finenessRule, findSplitErrors } from '../money/splits.ts'
import { isNeverSent } from './transition.ts'
import { readCharge } from './record.ts'
import { nextQueryAt } from './schedule.ts'

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
    const { request } = read
    const reference = request.external_reference

    const created_at = clock.now()
    const record: ChargeRecord = { phase: 'intended', request, missing: 0, stuck: null }
    const isNew = await store.insert({
      id: randomness.token(),
      kind: 'charge',
      account,
      reference,
      group: reference,
      attempt: 1,
      outcome: 'sending',
      record,
      created_at,
      due_at: nextQueryAt({ record, created_at }, created_at),
    })
    const row = await store.findByReference(account, 'charge', reference)
    if (!row) throw new Error(`Charge ${reference} is gone from the store.`)
    const charge = readCharge(row)
    if (!isNew && JSON.stringify(charge.record.request) !== JSON.stringify(request))
      return { kind: 'reference_reused' }
    // Unclear is no failure: it is stored, and settled by asking.
    const sent = isNeverSent(charge) ? readCharge((await synchronizer.submit(row.id)).transaction) : charge
    return { kind: isNew ? 'created' : 'existing', charge: sent }
  }
}

const Body = z.record(z.string(), z.unknown())

/** What the configuration knows need not be said. */
function readRequest(
  body: unknown,
  account: MerchantAccount,
  serviceCodes: ServiceCodes,
  { clientCode, partners }: ChargeTerms,
): { request: ChargeRequest } | { errors: FieldError[] } {
  const given = Body.safeParse(body)
  if (!given.success) return { errors: [{ path: 'body', message: 'must be an object' }] }
  const parsed = ChargeRequest.safeParse({
    account_number: account.account_number,
    service_code: serviceCodeOf(serviceCodes, given.data.currency_code),
    ...(clientCode !== null && { client_code: clientCode }),
    ...given.data,
  })
  if (!parsed.success) return { errors: distinct(parsed.error.issues.map(fieldError)) }
  const request = withSplits(parsed.data, completeSplits(splitsOf(parsed.data), partners))
  const errors = findErrors(request)
  return errors.length > 0 ? { errors: distinct(errors) } : { request }
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

function fieldError({ path, message }: z.core.$ZodIssue): FieldError {
  return { path: z.core.toDotPath(path), message }
}

/** One rule for each field: the first that it breaks. */
function distinct(errors: FieldError[]): FieldError[] {
  return errors.filter(({ path }, index) => errors.findIndex((other) => other.path === path) === index)
}
