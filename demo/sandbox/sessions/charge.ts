// Charges: their acceptance, the rules of their split settlements, and the confirmation of their service, which
// distributes the held money or gives it back. [assumed] The flat dialect, as seen in practice: other paths, an answer
// without currency and expiry, and one payment record as the state, which is queried under the gateway's id.

import { splitSettlementsIn } from '../../../server/contract/charge.ts'
import { add, compare, subtract, sum } from '../../../server/contract/decimal.ts'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { Failure, notPossible, transactionUnknown } from '../errors/failure.ts'
import { fieldWrong } from '../errors/wrong-field.ts'
import { redirectAddressProblem } from '../http/allowed-addresses.ts'
import { present, readFields } from '../http/request-body.ts'
import { CARD, defaultMethodOf, findAccount, findPartner } from '../merchants/merchant.ts'
import { fits, fractionRuleOf, withFraction, withoutZeros } from '../money/amounts.ts'
import { CURRENCIES, currencyOfOperator, isNoOperator } from '../money/currencies.ts'
import { transfer } from '../money/ledger.ts'
import { PROMPT_TIMEOUT_MS } from '../scenarios.ts'
import { accountUnknown, findService, openSession } from './acceptance.ts'
import { promptAutomaticCustomer } from './customer.ts'
import { giveBack, postMovement } from './movements.ts'
import { openPaymentOf, receivedBy, reportOf } from './session.ts'

import type { ChargeRequest, Confirmation, ConfirmationAnswer } from '../../../server/contract/charge.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Result } from '../errors/failure.ts'
import type { Fields } from '../http/request-body.ts'
import type { Merchant, Service } from '../merchants/merchant.ts'
import type { World } from '../world.ts'
import type { Payment } from './payment.ts'
import type { CheckoutSession, Terms } from './session.ts'

// [assumed] The hosted page of a charge accepts payments for 30 minutes.
const PAGE_MS = 30 * 60_000

const { path: SPEC_PATH, request: SPEC_REQUEST } = endpoints.postCharge
const OPTIONAL_OF_CARDS = { add_transaction_charge: true, transaction_charge: true } as const

/** The paths of charges. [assumed] Those of the flat dialect require more fields, as seen in practice. */
export const PATHS = {
  spec: { path: SPEC_PATH, request: SPEC_REQUEST },
  mobile: { path: '/v1/mobile-money/charge', request: SPEC_REQUEST.required({ payment_method_code: true }) },
  cards: { path: '/v1/cards/charge', request: SPEC_REQUEST.required().partial(OPTIONAL_OF_CARDS) },
} as const
export const FLAT_STATUS_PATH = '/v1/transaction/:charge_request_id/status'

/**
 * Prompts the payer at once if the charge names the method, except on the path of cards, which the payer authorizes on
 * a page. A repeated request gets the existing charge. [spec: Charge request]
 */
export function postCharge(at: keyof typeof PATHS) {
  return (world: World, body: Fields, origin: string): Result<object> => {
    const request = readFields<ChargeRequest>(present(body), PATHS[at].request)
    if (request instanceof Failure) {
      return request
    }

    const service = findService(world, request.service_code)
    if (service instanceof Failure) {
      return service
    }

    const problem = pathProblem(at, request) ?? chargeProblem(world.merchant, request, service)
    if (problem !== null) {
      return problem
    }

    const isPrompted = request.payment_method_code !== undefined && at !== 'cards'
    // [assumed] A direct charge expires with its prompt.
    const expiresAt = world.clock.now() + (isPrompted ? PROMPT_TIMEOUT_MS : PAGE_MS)
    const dialect = at === 'spec' ? 'spec' : 'flat'
    const session = openSession(world, { ...termsOf(request, service), dialect, expiresAt }, origin)
    if (session instanceof Failure) {
      return session
    }

    const { methodCode, msisdn, payments } = session
    const isNew = payments.length === 0
    if (isPrompted && isNew) {
      promptAutomaticCustomer(world, session, { methodCode, msisdn })
    }
    return answerFor(session, request)
  }
}

export function findFlatStatus(world: World, charge_request_id: string): Result<object> {
  const session = world.charges.get(charge_request_id)
  if (session) {
    return reportOf(session, world.clock.now())
  }
  return transactionUnknown('transaction', 'charge_request_id', charge_request_id)
}

// [assumed] The spec defines only the code 176; the fields were seen in practice.
function answerFor(session: CheckoutSession, request: ChargeRequest): object {
  const { id, dialect, fee, service, chargeRequestId, expiresAt, pageUrl } = session
  const total = session.amount
  const amount = String(request.amount)
  const posted = {
    status_code: CHECKOUT_CODE.chargePosted,
    status_description: 'Charge posted successfully',
    charge_request_id: chargeRequestId,
    external_reference: id,
  }
  if (dialect === 'spec') {
    return {
      ...posted,
      total_amount: withFraction(total),
      service_amount: withFraction(amount),
      transaction_charge: withFraction(fee),
      currency_code: service.currency,
      expires_at: new Date(expiresAt).toISOString(),
      ...(request.payment_method_code === undefined && { redirect_url: pageUrl }),
    }
  }

  const isCard = request.payment_method_code === CARD
  return {
    ...posted,
    total_amount: withoutZeros(total),
    service_amount: withoutZeros(amount),
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
  if (!add_transaction_charge) {
    return '0'
  }
  return transaction_charge === undefined ? fee : String(transaction_charge)
}

// [assumed] The flat dialect has a path for cards and one for all else, and takes `extra_data` also as text, as seen in
// practice.
function pathProblem(
  at: keyof typeof PATHS,
  { payment_method_code, extra_data }: ChargeRequest,
): Failure | null {
  if (at === 'spec') {
    return typeof extra_data === 'string' ? fieldWrong('extra_data must be an object.') : null
  }

  const isOfCards = at === 'cards'
  if ((payment_method_code === CARD) === isOfCards) {
    return null
  }
  return fieldWrong(`payment_method_code must ${isOfCards ? 'be' : 'not be'} ${CARD} at this path.`)
}

/** Returns the failure for the first rule that a charge breaks; `null` if the charge is valid. */
function chargeProblem(merchant: Merchant, request: ChargeRequest, service: Service): Failure | null {
  const { accountMissing, invalidCurrency } = CHECKOUT_CODE
  const { client_code, account_number, currency_code, amount, transaction_charge = 0 } = request
  const { currency, code, accountNumber } = service
  if (client_code !== undefined && client_code !== merchant.clientCode) {
    return fieldWrong('client_code is not that of this merchant.')
  }
  if (!findAccount(merchant, account_number)) {
    return accountUnknown(account_number)
  }
  if (currency_code !== currency) {
    return fieldWrong(`currency_code must be ${currency}, the currency of ${code}.`, invalidCurrency)
  }

  // [assumed] A charge names the account of its service, because each account has one currency.
  const expected = `${accountNumber}, the ${currency} account of ${code}`
  if (account_number !== accountNumber) {
    return fieldWrong(`account_number must be ${expected}.`, accountMissing)
  }

  for (const [field, value] of Object.entries({ amount, transaction_charge })) {
    if (!fits(String(value), CURRENCIES[currency])) {
      return fieldWrong(`${field} ${fractionRuleOf(CURRENCIES[currency])}`)
    }
  }

  return methodProblem(request, service) ?? extraDataProblem(merchant, request, service)
}

function methodProblem({ payment_method_code: code }: ChargeRequest, { currency }: Service): Failure | null {
  if (code === undefined) {
    return null
  }

  const name = `payment_method_code ${JSON.stringify(code)}`
  if (isNoOperator(code)) {
    return fieldWrong(`${name} is no operator (INVALID_PAYMENT_METHOD).`)
  }

  const paid = currencyOfOperator(code) ?? currency
  return paid === currency ? null : fieldWrong(`${name} pays in ${paid}, not in ${currency}.`)
}

const RETURN_FIELDS = ['redirect_url', 'success_redirect_url', 'failed_redirect_url'] as const

// [assumed] The splits are checked here and again at the service confirmation.
function extraDataProblem(
  merchant: Merchant,
  { amount, extra_data = {} }: ChargeRequest,
  service: Service,
): Failure | null {
  const fields = typeof extra_data === 'string' ? {} : extra_data
  for (const field of RETURN_FIELDS) {
    const problem = fields[field] ? redirectAddressProblem(fields[field], `extra_data.${field}`) : null
    if (problem !== null) {
      return problem
    }
  }

  const splits = splitSettlementsIn(extra_data)
  return splitProblem({ merchant, service, splits }, String(amount), 'of the charge')
}

const SPLITS_FIELD = 'extra_data.split_settlements'

/**
 * Returns the failure for the first rule that split settlements break; `null` if they are valid. [spec: Charge request;
 * Split settlement flow]
 *
 * @param available The maximum total of the splits.
 * @param source Follows this amount in the message: "more than the 100 of the charge".
 */
function splitProblem(
  { merchant, service: { currency }, splits }: Pick<CheckoutSession, 'merchant' | 'service' | 'splits'>,
  available: Decimal,
  source: string,
): Failure | null {
  for (const [index, { account, amount }] of splits.entries()) {
    const partner = findPartner(merchant, account)
    const name = `${SPLITS_FIELD}[${index}].account ${JSON.stringify(account)}`
    if (!partner) {
      return fieldWrong(`${name} is not a partner account.`)
    }
    if (partner.currency !== currency) {
      return fieldWrong(`${name} is in ${partner.currency}, not ${currency}.`)
    }
    if (!fits(String(amount), CURRENCIES[currency])) {
      return fieldWrong(`${SPLITS_FIELD}[${index}].amount ${fractionRuleOf(CURRENCIES[currency])}`)
    }
  }

  // [spec: "must be included in every request"] [assumed] Several splits may go to one account.
  const dynamic = merchant.partners.filter((each) => each.isDynamic && each.currency === currency)
  const absent = dynamic.find(({ accountNumber }) => splits.every(({ account }) => account !== accountNumber))
  if (absent) {
    return fieldWrong(`${SPLITS_FIELD} must include the account ${absent.accountNumber}.`)
  }

  const total = sum(splits.map(({ amount }) => String(amount)))
  if (compare(total, available) <= 0) {
    return null
  }
  return fieldWrong(`${SPLITS_FIELD} add up to ${total}, more than the ${available} ${source}.`)
}

const CONFIRMED = {
  SUCCESSFUL: 'The service was confirmed: the money has been distributed.',
  FAILED: 'The service failed: the money has gone back to the payer.',
} as const satisfies Record<Confirmation['status'], string>

/**
 * Confirms the service of a charge. A repeated confirmation moves no money. [spec: Service processing confirmation]
 *
 * [assumed] The confirmation of one payment applies to all money of the charge. The charge accepts no payments
 * afterwards, so a confirmation is refused while another payment is open.
 */
export function confirm(world: World, body: Fields): Result<ConfirmationAnswer> {
  const request = readFields(body, endpoints.confirmService.request)
  if (request instanceof Failure) {
    return request
  }

  const { payment_id, status } = request
  const found = world.paymentsById.get(payment_id)
  // [assumed] Payments of checkouts need no confirmation and are unknown here.
  if (found?.session.instruction.kind !== 'charge') {
    return transactionUnknown('transaction', 'payment_id', payment_id)
  }

  const { session, payment } = found
  if (session.custody !== status) {
    const settle =
      status === 'FAILED' ? () => giveBack(world, session, 'refunded') : () => distribute(world, session)
    const failure = confirmationProblem(session, payment) ?? settle()
    if (failure !== null) {
      return failure
    }

    session.custody = status
    session.history.push({ at: world.clock.now(), kind: 'confirmed', as: status })
  }
  return { payment_id, message: CONFIRMED[status] }
}

function confirmationProblem(session: CheckoutSession, { state }: Payment): Failure | null {
  const { custody } = session
  if (custody === 'SUCCESSFUL' || custody === 'FAILED') {
    return new Failure('transaction_taken', `The service was already confirmed as ${custody}.`)
  }
  if (state.kind === 'reversed' || state.kind === 'refunded') {
    return notPossible(`The payment was ${state.kind} before the service was confirmed.`)
  }
  if (state.kind !== 'paid') {
    return notPossible(`The payment is ${state.kind}; only a received one can be confirmed.`)
  }
  return openPaymentOf(session) ? notPossible('Another payment of the charge is still open.') : null
}

/**
 * Moves the received money from the account that holds it to the partners and to the float. [spec: Split settlement
 * flow, 3] [assumed] The transaction charge is deducted first, even if the charge is paid only in part.
 */
function distribute(world: World, session: CheckoutSession): Failure | null {
  const { accountNumber, currency } = session.service
  const received = receivedBy(session)
  const fee = compare(received, session.fee) < 0 ? received : session.fee
  const available = subtract(received, fee)
  const problem = splitProblem(session, available, 'received')
  if (problem !== null) {
    return problem
  }

  const held = `held/${accountNumber}/${currency}` as const
  const shares = session.splits.map(({ account, amount }) => ({ account, amount: String(amount) }))
  const rest = subtract(available, sum(shares.map(({ amount }) => amount)))
  postMovement(world, session, 'distributed', [
    ...transfer(held, `fees/${currency}`, fee),
    ...shares.flatMap(({ account, amount }) => transfer(held, `partner/${account}/${currency}`, amount)),
    ...transfer(held, `float/${accountNumber}/${currency}`, rest),
  ])
  return null
}
