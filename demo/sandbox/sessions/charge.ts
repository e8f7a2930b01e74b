import { add } from '../../../server/contract/decimal.ts'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { splitSettlementsIn } from '../../../server/contract/charge.ts'
import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { redirectAddressProblem } from '../wire/addresses.ts'
import { present } from '../wire/fields.ts'
import { payloadOf } from './session.ts'
import { CURRENCIES, currencyOfOperator, isNoOperator } from '../money/currencies.ts'
import { sendAnsweredPrompt } from './customer.ts'
import { defaultMethodOf, findAccount } from '../merchant.ts'
import { fits, tooFine, withFraction } from '../money/amounts.ts'
import { fieldWrong, readFields } from '../wire/fields.ts'
import { PROMPT_TIMEOUT_MS } from '../scenarios.ts'
import { openSession, findSession } from './open.ts'
import { splitProblem } from './splits.ts'
import type { ChargeRequest } from '../../../server/contract/charge.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Fields } from '../wire/fields.ts'
import type { CheckoutSession, Payload, Terms } from './session.ts'
import type { Failure, Result } from '../wire/failure.ts'
import type { Merchant, Service } from '../merchant.ts'
import type { World } from '../world.ts'

// [assumed] The hosted page of a charge accepts payments for 30 minutes.
export const PAGE_MS = 30 * 60_000

// A repeated request gets the existing charge. [spec: Charge request]
export function postCharge(world: World, body: Fields, origin: string): Result<object> {
  const { merchant } = world
  const read = readCharge(world, body)
  if ('failure' in read) return read
  const { request, service } = read.value
  if (typeof request.extra_data === 'string')
    return { failure: fieldWrong(CHECKOUT_CODE.validationFailed, 'extra_data must be an object.') }
  const failure = chargeProblem(merchant, request, service)
  if (failure !== null) return { failure }

  const opened = openSession(world, chargeTermsOf(request, service, world.clock.now()), origin)
  if ('failure' in opened) return opened
  const { session, isNew } = opened.value
  if (isNew && request.payment_method_code !== undefined)
    sendAnsweredPrompt(world, session, { methodCode: request.payment_method_code, msisdn: session.msisdn })
  return { value: answerFor(session, request) }
}

export function readCharge(
  { services }: World,
  body: Fields,
): Result<{ request: ChargeRequest; service: Service }> {
  const read = readFields(present(body), endpoints.postCharge.request)
  if ('failure' in read) return read
  const request = read.value
  const service = services.find('checkout', request.service_code)
  if (!service) return { failure: { reason: 'service_unknown', service_code: request.service_code } }
  return { value: { request, service } }
}

export function findChargeStatus(world: World, external_reference: string): Result<Payload> {
  const found = findSession(world, 'charge', external_reference)
  return 'failure' in found ? found : { value: payloadOf(found.value, world.clock.now()) }
}

// [assumed] The spec defines only the code 176; the fields were seen in practice.
function answerFor(session: CheckoutSession, request: ChargeRequest): object {
  const { id, amount, fee, service, chargeRequestId, expiresAt, pageUrl } = session
  return {
    status_code: CHECKOUT_CODE.chargePosted,
    status_description: 'Charge posted successfully',
    charge_request_id: chargeRequestId,
    external_reference: id,
    total_amount: withFraction(amount),
    service_amount: withFraction(String(request.amount)),
    transaction_charge: withFraction(fee),
    currency_code: service.currency,
    expires_at: new Date(expiresAt).toISOString(),
    ...(request.payment_method_code === undefined && { redirect_url: pageUrl }),
  }
}

export function chargeTermsOf(request: ChargeRequest, service: Service, now: number): Terms {
  const { payment_method_code: method, external_reference: id, description, extra_data = {} } = request
  const fee = feeOf(request, service)
  return {
    instruction: { kind: 'charge', request },
    id,
    amount: add(String(request.amount), fee),
    fee,
    msisdn: request.payer_msisdn,
    methodCode: method ?? defaultMethodOf(service),
    accountNumber: request.account_number,
    service,
    // [assumed] The narration of a charge without a description is its reference.
    narration: description ?? id,
    extraData: extra_data,
    splits: splitSettlementsIn(extra_data),
    callbackUrl: null,
    ...returnUrlsIn(extra_data),
    dialect: 'spec',
    // [assumed] A direct charge expires with its prompt.
    expiresAt: now + (method === undefined ? PAGE_MS : PROMPT_TIMEOUT_MS),
  }
}

// [assumed] `redirect_url`, or an address for each outcome, as seen in practice.
function returnUrlsIn(extraData: ChargeRequest['extra_data'] & {}) {
  if (typeof extraData === 'string') return { redirectUrl: null, failedRedirectUrl: null }
  const { redirect_url = null, success_redirect_url, failed_redirect_url } = extraData
  return {
    redirectUrl: success_redirect_url ?? redirect_url,
    failedRedirectUrl: failed_redirect_url ?? redirect_url,
  }
}

// [assumed] The transaction charge is added to the amount.
function feeOf({ add_transaction_charge, transaction_charge }: ChargeRequest, { fee }: Service): Decimal {
  if (!add_transaction_charge) return '0'
  return transaction_charge === undefined ? fee : String(transaction_charge)
}

/** Returns the failure for the first rule that a charge breaks; `null` if the charge is valid. */
export function chargeProblem(merchant: Merchant, request: ChargeRequest, service: Service): Failure | null {
  const { accountMissing, invalidCurrency, validationFailed } = CHECKOUT_CODE
  const { client_code, account_number, currency_code } = request
  if (client_code !== undefined && client_code !== merchant.clientCode)
    return fieldWrong(validationFailed, 'client_code is not that of this merchant.')
  if (!findAccount(merchant, account_number))
    return fieldWrong(accountMissing, 'account_number is not an account of this merchant.')
  if (currency_code !== service.currency)
    return fieldWrong(
      invalidCurrency,
      `currency_code must be ${service.currency}, the currency of ${service.code}.`,
    )
  // [assumed] A charge names the account of its service, because each account has one currency.
  if (account_number !== service.accountNumber)
    return fieldWrong(
      accountMissing,
      `account_number must be ${service.accountNumber}, the ${service.currency} account of ${service.code}.`,
    )
  const problem =
    amountProblem(request, service) ??
    methodProblem(request, service) ??
    extraDataProblem(merchant, request, service)
  return problem === null ? null : fieldWrong(validationFailed, problem)
}

function amountProblem(
  { amount, transaction_charge = 0 }: ChargeRequest,
  { currency }: Service,
): string | null {
  const amounts = Object.entries({ amount, transaction_charge })
  const wrong = amounts.find(([, value]) => !fits(String(value), CURRENCIES[currency]))
  return wrong ? `${wrong[0]} ${tooFine(CURRENCIES[currency])}` : null
}

function methodProblem({ payment_method_code: code }: ChargeRequest, { currency }: Service): string | null {
  if (code === undefined) return null
  const name = `payment_method_code ${JSON.stringify(code)}`
  if (isNoOperator(code)) return `${name} is no operator (INVALID_PAYMENT_METHOD).`
  const own = currencyOfOperator(code) ?? currency
  return own === currency ? null : `${name} pays in ${own}, not in ${currency}.`
}

const RETURN_FIELDS = ['redirect_url', 'success_redirect_url', 'failed_redirect_url'] as const

// [assumed] The splits are checked here and again at the service confirmation.
function extraDataProblem(
  merchant: Merchant,
  { amount, extra_data = {} }: ChargeRequest,
  { currency }: Service,
): string | null {
  const fields = typeof extra_data === 'string' ? {} : extra_data
  for (const field of RETURN_FIELDS) {
    const url = fields[field]
    const problem = url === undefined ? null : redirectAddressProblem(url, `extra_data.${field}`)
    if (problem !== null) return problem
  }
  return splitProblem(merchant, splitSettlementsIn(extra_data), currency, {
    amount: String(amount),
    what: 'of the charge',
  })
}
