// The acceptance of a charge. [assumed] The flat dialect, as seen in practice: other paths, an answer
// without currency and expiry, and one payment record as the state, which is queried under the gateway's id.

import { splitSettlementsIn } from '../../../server/contract/charge.ts'
import { add, compare, sum } from '../../../server/contract/decimal.ts'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { CARD, defaultMethodOf, findAccount, findPartner } from '../merchant.ts'
import { fits, tooFine, withFraction, withoutZeros } from '../money/amounts.ts'
import { CURRENCIES, currencyOfOperator, isNoOperator } from '../money/currencies.ts'
import { PROMPT_TIMEOUT_MS } from '../scenarios.ts'
import { redirectAddressProblem } from '../wire/addresses.ts'
import { present, readFields } from '../wire/body.ts'
import { fieldWrong, refused } from '../wire/failure.ts'
import { findService } from './acceptance.ts'
import { openSession } from './open-session.ts'
import { promptAutomaticCustomer } from './customer.ts'
import { reportOf } from './session.ts'
import type { ChargeRequest, SplitSettlement } from '../../../server/contract/charge.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Merchant, Service } from '../merchant.ts'
import type { CurrencyCode } from '../money/currencies.ts'
import type { Fields } from '../wire/body.ts'
import type { Refused, Result } from '../wire/failure.ts'
import type { World } from '../world.ts'
import type { CheckoutSession, Terms } from './session.ts'

// [assumed] The hosted page of a charge accepts payments for 30 minutes.
const PAGE_MS = 30 * 60_000

const { request: SPEC_REQUEST, path: SPEC_PATH } = endpoints.postCharge

/** The requests at the paths of charges. `isCard` is null if a path takes cards and other methods. */
export const PATHS = {
  spec: { path: SPEC_PATH, request: SPEC_REQUEST, isCard: null },
  mobile: {
    path: '/v1/mobile-money/charge',
    request: SPEC_REQUEST.required({ payment_method_code: true }),
    isCard: false,
  },
  cards: {
    path: '/v1/cards/charge',
    request: SPEC_REQUEST.required().partial({ add_transaction_charge: true, transaction_charge: true }),
    isCard: true,
  },
} as const
export const FLAT_STATUS_PATH = '/v1/transaction/:charge_request_id/status'

/**
 * Prompts the payer at once if the charge names the method, except on the path of cards, which the payer authorizes on a page. A
 * repeated request gets the existing charge. [spec: Charge request]
 */
export function postCharge(at: keyof typeof PATHS) {
  return (world: World, body: Fields, origin: string): Result<object> => {
    const read = readFields<ChargeRequest>(present(body), PATHS[at].request)
    if ('failure' in read) return read
    const request = read.value
    const service = findService(world, request.service_code)
    if ('failure' in service) return service
    const refusal = pathProblem(at, request) ?? chargeProblem(world.merchant, request, service.value)
    if (refusal !== null) return refusal
    const isPrompted = request.payment_method_code !== undefined && at !== 'cards'
    const terms = termsOf(request, service.value)
    // [assumed] A direct charge expires with its prompt.
    const expiresAt = world.clock.now() + (isPrompted ? PROMPT_TIMEOUT_MS : PAGE_MS)
    const dialect = at === 'spec' ? 'spec' : 'flat'
    const opened = openSession(world, { ...terms, dialect, expiresAt }, origin)
    if ('failure' in opened) return opened
    const { session, isNew } = opened.value
    const { methodCode, msisdn } = session
    if (isNew && isPrompted) promptAutomaticCustomer(world, session, { methodCode, msisdn })
    return { value: answerFor(session, request) }
  }
}

export function findFlatStatus(world: World, charge_request_id: string): Result<object> {
  const session = world.charges.get(charge_request_id)
  if (session) return { value: reportOf(session, world.clock.now()) }
  const name = `charge_request_id ${JSON.stringify(charge_request_id)}`
  return refused('transaction_unknown', `No transaction has the ${name}.`)
}

// [assumed] The spec defines only the code 176; the fields were seen in practice.
function answerFor(session: CheckoutSession, { amount: asked, payment_method_code }: ChargeRequest): object {
  const { id, dialect, amount, fee, service, chargeRequestId, expiresAt, pageUrl } = session
  const posted = {
    status_code: CHECKOUT_CODE.chargePosted,
    status_description: 'Charge posted successfully',
    charge_request_id: chargeRequestId,
    external_reference: id,
  }
  if (dialect === 'spec')
    return {
      ...posted,
      total_amount: withFraction(amount),
      service_amount: withFraction(String(asked)),
      transaction_charge: withFraction(fee),
      currency_code: service.currency,
      expires_at: new Date(expiresAt).toISOString(),
      ...(payment_method_code === undefined && { redirect_url: pageUrl }),
    }
  const isCard = payment_method_code === CARD
  return {
    ...posted,
    total_amount: withoutZeros(amount),
    service_amount: withoutZeros(String(asked)),
    transaction_charge: Number(fee),
    auth_available: isCard,
    ...(isCard && { auth_url: pageUrl }),
  }
}

function termsOf(request: ChargeRequest, service: Service): Omit<Terms, 'dialect' | 'expiresAt'> {
  const { payment_method_code: method, external_reference: id, description, extra_data = {} } = request
  const fee = feeOf(request, service)
  // [assumed] `redirect_url`, or an address for each outcome, as seen in practice.
  const returns = typeof extra_data === 'string' ? {} : extra_data
  const { redirect_url = null, success_redirect_url, failed_redirect_url } = returns
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
    redirectUrl: success_redirect_url ?? redirect_url,
    failedRedirectUrl: failed_redirect_url ?? redirect_url,
  }
}

// [assumed] The transaction charge is added to the amount.
function feeOf({ add_transaction_charge, transaction_charge }: ChargeRequest, { fee }: Service): Decimal {
  if (!add_transaction_charge) return '0'
  return transaction_charge === undefined ? fee : String(transaction_charge)
}

function pathProblem(at: keyof typeof PATHS, request: ChargeRequest): Refused | null {
  const { isCard } = PATHS[at]
  if (isCard === null)
    return typeof request.extra_data === 'string' ? fieldWrong('extra_data must be an object.') : null
  if ((request.payment_method_code === CARD) === isCard) return null
  return fieldWrong(`payment_method_code must ${isCard ? 'be' : 'not be'} ${CARD} at this path.`)
}

/** Returns the failure for the first rule that a charge breaks; `null` if the charge is valid. */
function chargeProblem(merchant: Merchant, request: ChargeRequest, service: Service): Refused | null {
  const { accountMissing, invalidCurrency } = CHECKOUT_CODE
  const { client_code, account_number, currency_code } = request
  const { currency, code, accountNumber } = service
  const own = `${accountNumber}, the ${currency} account of ${code}`
  if (client_code !== undefined && client_code !== merchant.clientCode)
    return fieldWrong('client_code is not that of this merchant.')
  if (!findAccount(merchant, account_number))
    return fieldWrong('account_number is not an account of this merchant.', accountMissing)
  if (currency_code !== currency)
    return fieldWrong(`currency_code must be ${currency}, the currency of ${code}.`, invalidCurrency)
  // [assumed] A charge names the account of its service, because each account has one currency.
  if (account_number !== accountNumber) return fieldWrong(`account_number must be ${own}.`, accountMissing)
  const { amount, transaction_charge = 0 } = request
  const amounts = Object.entries({ amount, transaction_charge })
  const wrong = amounts.find(([, value]) => !fits(String(value), CURRENCIES[currency]))
  if (wrong) return fieldWrong(`${wrong[0]} ${tooFine(CURRENCIES[currency])}`)
  const problem = methodProblem(request, service) ?? extraDataProblem(merchant, request, service)
  return problem === null ? null : fieldWrong(problem)
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
    const problem = fields[field] && redirectAddressProblem(fields[field], `extra_data.${field}`)
    if (problem) return problem
  }
  const available = { amount: String(amount), what: 'of the charge' }
  return splitProblem(merchant, splitSettlementsIn(extra_data), currency, available)
}

const SPLITS_FIELD = 'extra_data.split_settlements'

/**
 * Returns an error message for the first rule that the splits break; `null` if the splits are valid. [spec: Charge
 * request; Split settlement flow]
 *
 * @param available The maximum total of the splits. In the error message, `what` follows the amount: "more than the 100
 * of the charge".
 */
export function splitProblem(
  merchant: Merchant,
  splits: readonly SplitSettlement[],
  currency: CurrencyCode,
  available: { amount: Decimal; what: string },
): string | null {
  for (const [index, { account, amount }] of splits.entries()) {
    const partner = findPartner(merchant, account)
    const name = `${SPLITS_FIELD}[${index}].account ${JSON.stringify(account)}`
    if (!partner) return `${name} is not a partner account.`
    if (partner.currency !== currency) return `${name} is in ${partner.currency}, not ${currency}.`
    if (!fits(String(amount), CURRENCIES[currency]))
      return `${SPLITS_FIELD}[${index}].amount ${tooFine(CURRENCIES[currency])}`
  }
  // [spec: "must be included in every request"] [assumed] Several splits may go to one account.
  const dynamic = merchant.partners.filter((each) => each.isDynamic && each.currency === currency)
  const absent = dynamic.find(({ accountNumber }) => splits.every(({ account }) => account !== accountNumber))
  if (absent) return `${SPLITS_FIELD} must include the account ${absent.accountNumber}.`
  const total = sum(splits.map(({ amount }) => String(amount)))
  if (compare(total, available.amount) <= 0) return null
  return `${SPLITS_FIELD} add up to ${total}, more than the ${available.amount} ${available.what}.`
}
