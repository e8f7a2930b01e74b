/**
 * Creates a charge from the merchant's request, and sends it.
 *
 * The merchant's external_reference is the idempotency key. A repeated request returns the existing charge. A different
 * request with the same reference is refused. The splits (shares for partner accounts) are validated before the request
 * is stored or sent.
 */

import { z } from 'zod'

import {
  CHARGES_OFF,
  RECOVERY_UNCOMPARED,
  distinct,
  fieldErrorsOf,
  invalid,
  isRefusal,
  refuse,
} from '../api/refusal.ts'
import { partnerSharesIn } from '../config/charges.ts'
import { currencyOf, valueFor } from '../config/gateway.ts'
import { ChargeRequest, splitSettlementsIn } from '../contract/charge.ts'
import { referenceKey } from '../contract/comparison-keys.ts'
import { findInexact } from '../contract/currency.ts'
import { safeParse } from '../contract/parse.ts'
import { completeSplits, findSplitErrors } from '../money/splits.ts'
import { newTransaction } from '../transactions/new-transaction.ts'
import { mayHaveLostById } from '../transactions/recovery.ts'
import { NEW_SUBMISSION } from '../transactions/submission.ts'
import { textOfTerms } from '../transactions/terms.ts'
import { chargeKind } from './kind.ts'
import { readCharge, withoutPayer } from './record.ts'

import type { FieldError, Refusal } from '../api/refusal.ts'
import type { ChargeTerms } from '../config/charges.ts'
import type { Config } from '../config/config.ts'
import type { SplitSettlement } from '../contract/charge.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Created, SubmitDeps } from '../transactions/sender.ts'
import type { Charge, ChargeRecord } from './record.ts'

interface SubmitChargeDeps extends SubmitDeps {
  config: Pick<Config, 'gateway' | 'charges'>
  client: Pick<GatewayClient, 'chargeStatusKey'>
}

const REUSED = refuse('reference_reused', 'Another charge was sent under this external_reference.')
const REUSED_OF_CHECKOUT = refuse(
  'reference_reused',
  'A checkout has this merchant_transaction_id: give the charge a reference of its own.',
)

export async function submitCharge(
  deps: SubmitChargeDeps,
  body: unknown,
  trace_id: string | null,
): Promise<Created<Charge> | Refusal> {
  const { config, store, account, sender, fingerprints } = deps
  if (!config.charges) {
    return CHARGES_OFF
  }

  const read = readRequest(body, config.gateway, config.charges)
  if (isRefusal(read)) {
    return read
  }

  const { request, sentFields } = read
  // At the gateway they share their references. Nobody can know that of a checkout before the store has it.
  if ((await store.findByReference(account, 'checkout', request.external_reference)) !== null) {
    return REUSED_OF_CHECKOUT
  }
  if (await isUncompared(deps, request.external_reference)) {
    return RECOVERY_UNCOMPARED
  }

  const record: ChargeRecord = {
    phase: 'intended',
    request: withoutPayer(request),
    given_digest: fingerprints.of('terms', textOfTerms(sentFields)),
    narration: request.description ?? null,
    people: fingerprints.ofPayer(request),
    call: { request },
    told: [],
    resolution: null,
    named_id: null,
    ...NEW_SUBMISSION,
  }
  const reference = request.external_reference
  const row = newTransaction(deps, { kind: 'charge', reference, record, trace_id })
  const submitted = await sender.submitOnce({
    rows: [row],
    kind: chargeKind,
    terms: [sentFields],
    reused: REUSED,
  })
  if (submitted.kind !== 'existing') {
    return submitted
  }

  const { transaction } = await sender.submit(submitted.rows[0].id)
  return { kind: 'existing', rows: [readCharge(transaction)] }
}

/**
 * Returns whether the store may have lost a charge with this reference, at a gateway that cannot be asked about it: it
 * finds charges only by an id that is lost, too.
 */
async function isUncompared(
  { store, account, client, clock }: SubmitChargeDeps,
  reference: string,
): Promise<boolean> {
  if (client.chargeStatusKey === 'external_reference') {
    return false
  }
  if (!mayHaveLostById(clock.now(), await store.marks())) {
    return false
  }
  return (await store.findByReference(account, 'charge', reference)) === null
}

/** A valid request: with the defaults, and as the merchant sent it. */
type ReadRequest = { request: ChargeRequest; sentFields: Readonly<Record<string, unknown>> }

const Body = z.record(z.string(), z.unknown())

/**
 * Validates the merchant's request and adds defaults from the configuration. Returns all errors if the request is
 * invalid.
 */
function readRequest(
  body: unknown,
  { serviceCodes, accountNumbers }: Config['gateway'],
  terms: ChargeTerms,
): ReadRequest | Refusal {
  const { data: sent } = Body.safeParse(body)
  if (!sent) {
    return invalid([{ path: 'body', message: 'must be an object' }])
  }

  const { service_code, currency_code = currencyOf(serviceCodes, service_code) } = sent
  const defaults = {
    account_number: valueFor(accountNumbers, currency_code),
    service_code: valueFor(serviceCodes, currency_code),
    currency_code,
    ...(terms.clientCode !== null && { client_code: terms.clientCode }),
  }
  const { data, error } = safeParse(ChargeRequest, { ...defaults, ...sent })
  if (!data) {
    return invalid(fieldErrorsOf(error.issues, z.core.toDotPath))
  }

  const { extra_data, currency_code: currency } = data
  const partners = partnerSharesIn(terms, currency)
  if (typeof extra_data === 'string' && partners.length > 0) {
    return invalid([EXTRA_DATA_IS_TEXT])
  }

  const request = withSplits(data, completeSplits(splitSettlementsIn(extra_data), partners))
  const errors = findErrors(request)
  if (errors.length > 0) {
    return invalid(distinct(errors))
  }

  // With their parsed values, and the key of the reference: `100` and `"100"` are the same amount.
  const fields = { ...data, external_reference: referenceKey(data.external_reference) }
  const sentFields = Object.entries(fields).filter(([name]) => Object.hasOwn(sent, name))
  return { request, sentFields: Object.fromEntries(sentFields) }
}

const EXTRA_DATA_IS_TEXT: FieldError = {
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
  const splitErrors = splits.map(({ path, message }) => ({
    path: `extra_data.split_settlements${path}`,
    message,
  }))
  return [...inexact, ...splitErrors]
}

function withSplits(request: ChargeRequest, splits: SplitSettlement[]): ChargeRequest {
  const { extra_data = {} } = request
  if (splits.length === 0 || typeof extra_data === 'string') {
    return request
  }
  return { ...request, extra_data: { ...extra_data, split_settlements: splits } }
}
