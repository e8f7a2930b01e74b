// The acceptance of a payout. The checks run in this order, and the first failure determines the response [assumed]:
// token and body; a reference that was accepted before (722); fields; onboarding and service; wallet or payment method;
// currencies, amounts and rate; callback_url; scenario; the maximum number of payouts in the sandbox; balance of the
// float. A refused payout is not stored, so its reference can be used again.

import { compare, multiply, subtract } from '../../../server/contract/decimal.ts'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { Failure, notPossible } from '../errors/failure.ts'
import { rejected } from '../errors/rejection.ts'
import { fieldWrong } from '../errors/wrong-field.ts'
import { callbackAddressProblem } from '../http/allowed-addresses.ts'
import { present, readOrReject } from '../http/request-body.ts'
import { fits, fractionRuleOf } from '../money/amounts.ts'
import * as money from '../money/currencies.ts'
import { SCENARIOS, scenarioOf } from '../scenarios.ts'
import { createUnprocessed, reserve } from './funds.ts'
import { scheduleResult } from './operator.ts'

import type { Decimal } from '../../../server/contract/decimal.ts'
import type { B2bRequest } from '../../../server/contract/payout.ts'
import type { Result } from '../errors/failure.ts'
import type { Fields } from '../http/request-body.ts'
import type { Service } from '../merchants/merchant.ts'
import type { Currency, CurrencyCode } from '../money/currencies.ts'
import type { PayoutEffect, ScenarioOf } from '../scenarios.ts'
import type { World } from '../world.ts'
import type { Funds } from './funds.ts'
import type { Instruction } from './payout.ts'
import type { z } from 'zod'

type CustomerInstruction = Extract<Instruction, { kind: 'local' | 'transfer' }>
type CustomerRequest = CustomerInstruction['request']

// [spec: Local payout request]
export function initiatePayout(world: World, body: Fields): Result<string> {
  const request = readPayout(world, body, endpoints.initiatePayout.request)
  return request instanceof Failure ? request : payCustomer(world, { kind: 'local', request })
}

// [spec: International money transfer request]
export function initiateTransfer(world: World, body: Fields): Result<string> {
  const request = readPayout(world, body, endpoints.initiateTransfer.request)
  return request instanceof Failure ? request : payCustomer(world, { kind: 'transfer', request })
}

// [spec: B2B payout request]
export function initiateB2b(world: World, body: Fields): Result<string> {
  const request = readPayout(world, body, endpoints.initiateB2b.request)
  if (request instanceof Failure) {
    return request
  }

  const service = serviceFor(world, 'b2b', request.service_code)
  if (service instanceof Failure) {
    return service
  }

  const problem = b2bProblem(world, request, service.currency)
  if (problem !== null) {
    return problem
  }

  const { amount, recipient_type, recipient_account_number } = request
  const sums = {
    amount,
    paidOutBy: recipient_type === 'BANK_ACCOUNT_NUMBER' ? 'banks' : 'operators',
    delivered: { amount, currency: service.currency },
  } as const
  return accept(world, { kind: 'b2b', request }, service, sums, recipient_account_number)
}

// [assumed] The request, the float and the recipient's country must have the same currency.
function b2bProblem({ callbackHosts }: World, request: B2bRequest, float: CurrencyCode): Failure | null {
  const { payment_method, currency_code, country_code, amount, callback_url } = request
  if (money.isNoOperator(payment_method)) {
    return rejected('INVALID_PAYMENT_METHOD', `payment_method ${payment_method} is no method.`)
  }
  if (currency_code !== float) {
    return fieldWrong(`currency_code must be ${float}, the currency of the float.`)
  }
  if (money.currencyOf(country_code) !== float) {
    return fieldWrong(`country_code must be of a country that pays in ${float}.`)
  }
  if (!fits(amount, money.CURRENCIES[float])) {
    return fieldWrong(`amount ${fractionRuleOf(money.CURRENCIES[float])}`)
  }
  return callbackAddressProblem(callback_url, callbackHosts)
}

function payCustomer(world: World, instruction: CustomerInstruction): Result<string> {
  const { kind, request } = instruction
  const service = serviceFor(world, kind, request.service_code)
  if (service instanceof Failure) {
    return service
  }

  const problem = customerProblem(world, request, money.CURRENCIES[service.currency])
  if (problem !== null) {
    return problem
  }

  const sums = {
    amount: request.sender_amount,
    paidOutBy: request.destination_type === 'BANK' ? 'banks' : 'operators',
    delivered: { amount: request.recipient_amount, currency: request.destination_currency },
  } as const
  return accept(world, instruction, service, sums, request.recipient_phone_number)
}

function customerProblem(world: World, request: CustomerRequest, source: Currency): Failure | null {
  const { destination_type, destination_name, destination_currency, source_currency, callback_url } = request
  const isWallet = destination_type === 'MOBILE'
  if (isWallet && money.isNoOperator(destination_name)) {
    const problem = `destination_name ${JSON.stringify(destination_name)} is not a wallet provider; MOMO_KEN is one.`
    return rejected('INVALID_WALLET', problem)
  }
  if (source_currency !== source.code) {
    return fieldWrong(`source_currency must be ${source.code}, the currency of the float.`)
  }

  const walletCurrency = isWallet ? money.currencyOfOperator(destination_name) : undefined
  const destination = money.findCurrency(destination_currency)
  const isOtherThanWallet = walletCurrency !== undefined && walletCurrency !== destination?.code
  if (!destination || isOtherThanWallet) {
    const codes = money.listCurrencies().map(({ code }) => code)
    const allowed = walletCurrency ?? `one of ${codes.join(', ')}`
    return fieldWrong(`destination_currency must be ${allowed}.`)
  }

  const rates = world.exchangeRates.payoutRates(source, destination, world.clock.now())
  const problem = amountProblem(request, source, destination, rates)
  if (problem !== null) {
    return problem
  }
  return callback_url === undefined ? null : callbackAddressProblem(callback_url, world.callbackHosts)
}

/** @param rates The accepted rates, the current one first. [assumed] They are buying rates of the source currency. */
function amountProblem(
  { sender_amount, recipient_amount, exchange_rate }: CustomerRequest,
  source: Currency,
  destination: Currency,
  rates: readonly Decimal[],
): Failure | null {
  if (!fits(sender_amount, source)) {
    return fieldWrong(`sender_amount ${fractionRuleOf(source)}`)
  }
  if (!fits(recipient_amount, destination)) {
    return fieldWrong(`recipient_amount ${fractionRuleOf(destination)}`)
  }
  if (rates.every((rate) => compare(rate, exchange_rate) !== 0)) {
    const meaning = `one ${source.code} in ${destination.code}, buying, this hour`
    return fieldWrong(`exchange_rate must be ${rates[0]}: ${meaning}.`)
  }

  // [assumed] The recipient_amount may be rounded up or down.
  const exact = multiply(sender_amount, exchange_rate)
  const difference = subtract(recipient_amount, exact).replace('-', '')
  if (compare(difference, money.unitOf(destination)) < 0) {
    return null
  }
  return fieldWrong(`recipient_amount must be sender_amount times exchange_rate, which is ${exact}.`)
}

function readPayout<T>(world: World, body: Fields, schema: z.ZodType<T>): Result<T> {
  const { payout_reference } = body
  if (typeof payout_reference === 'string' && world.payouts.has(payout_reference)) {
    const problem = `A payout ${JSON.stringify(payout_reference)} was already submitted.`
    return rejected('DUPLICATE_IGNORED', problem)
  }
  return readOrReject(present(body), schema)
}

const NOT_ONBOARDED = 'Payouts are allowed once the onboarding in the portal is complete.'

function serviceFor(
  { services, environment, onboarding }: World,
  kind: Instruction['kind'],
  service_code: string,
): Result<Service> {
  // [spec: What the service does, 4]
  if (environment === 'production' && !onboarding.isComplete()) {
    return rejected('SERVICE_NOT_ALLOWED', NOT_ONBOARDED)
  }

  const problem = `service_code ${JSON.stringify(service_code)} does not allow these payouts.`
  return services.find(kind, service_code) ?? rejected('SERVICE_NOT_ALLOWED', problem)
}

const MAX_PAYOUTS = 100_000
/** Hexadecimal digits of a payout's `payment_id`. */
const PAYMENT_ID_DIGITS = 24

/**
 * Reserves the money, stores the payout and schedules its result. Returns the reference, or a failure if the scenario
 * rejects the payout, if the balance is too low, or if the sandbox already stores its maximum number of payouts.
 *
 * @param recipient The recipient's phone or account number, whose last four digits may select a scenario.
 */
function accept(
  world: World,
  instruction: Instruction,
  { accountNumber, currency, fee }: Service,
  sums: Pick<Funds, 'amount' | 'paidOutBy' | 'delivered'>,
  recipient: string,
): Result<string> {
  const { payout_reference: reference } = instruction.request
  const { plannedScenarios, ledger, clock, randomness, payouts } = world
  const scenario = plannedScenarios.get(reference) ?? scenarioOf('payout', world, recipient) ?? 'success'
  const { does: description, payout: effect }: { does: string; payout: PayoutEffect } = SCENARIOS[scenario]
  if (effect.kind === 'reject') {
    plannedScenarios.delete(reference)
    const problem = `${description} (scenario ${scenario}).`
    return effect.error_code === null ? fieldWrong(problem) : rejected(effect.error_code, problem)
  }
  if (payouts.size >= MAX_PAYOUTS) {
    return rejected('FAILED', `The sandbox keeps ${MAX_PAYOUTS} payouts; reset it to go on.`)
  }

  const now = clock.now()
  const funds = { what: 'payout', reference, accountNumber, currency, fee, ...sums } as const
  const shortage = reserve(ledger, now, funds, [funds])
  if (shortage !== null) {
    return shortage
  }

  const balance = ledger.balanceOf(`float/${accountNumber}/${currency}`)
  const payout = {
    ...createUnprocessed(funds, now),
    instruction,
    paymentId: randomness.hex(PAYMENT_ID_DIGITS),
    balance,
  }
  payouts.set(reference, payout)
  plannedScenarios.delete(reference)
  scheduleResult(world, [payout], effect)
  return reference
}

const MAX_PLANNED = 10_000

/** Stores the scenario for a payout that will be sent later. */
export function planScenario(
  { plannedScenarios }: World,
  payout_reference: string,
  scenario: ScenarioOf<'payout'>,
): Failure | null {
  if (plannedScenarios.size >= MAX_PLANNED) {
    return notPossible('Too many payouts are awaited; reset to go on.')
  }

  plannedScenarios.set(payout_reference, scenario)
  return null
}
