// The acceptance of a payout. [assumed] The checks run in this order, and the first failure determines the response: token and body; whether the
// reference was accepted before (722); fields; service; wallet; currencies, amounts and rate; callback_url; scenario;
// balance of the float. A refused payout is not stored, so its reference can be used again.

import { compare, multiply, subtract } from '../../../server/contract/decimal.ts'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { fits, tooFine } from '../money/amounts.ts'
import * as money from '../money/currencies.ts'
import { SCENARIOS, scenarioOf } from '../scenarios.ts'
import { reserve, unprocessed } from '../settlement/funds.ts'
import { scheduleResult } from '../settlement/operator.ts'
import { callbackAddressProblem } from '../wire/addresses.ts'
import { present, readOrReject } from '../wire/body.ts'
import { notPossible, rejected } from '../wire/failure.ts'
import type { z } from 'zod'
import type { B2bRequest } from '../../../server/contract/payout.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Service } from '../merchant.ts'
import type { Currency, CurrencyCode } from '../money/currencies.ts'
import type { PayoutEffect, ScenarioOf } from '../scenarios.ts'
import type { Funds } from '../settlement/funds.ts'
import type { Fields } from '../wire/body.ts'
import type { Failure, Refused, Result } from '../wire/failure.ts'
import type { World } from '../world.ts'
import type { Instruction } from './payout.ts'

type CustomerInstruction = Extract<Instruction, { kind: 'local' | 'transfer' }>
type CustomerRequest = CustomerInstruction['request']

// [spec: Local payout request]
export function initiatePayout(world: World, body: Fields): Result<string> {
  const read = readPayout(world, body, endpoints.initiatePayout.request)
  return 'failure' in read ? read : payCustomer(world, { kind: 'local', request: read.value })
}

// [spec: International money transfer request]
export function initiateTransfer(world: World, body: Fields): Result<string> {
  const read = readPayout(world, body, endpoints.initiateTransfer.request)
  return 'failure' in read ? read : payCustomer(world, { kind: 'transfer', request: read.value })
}

// [spec: B2B payout request]
export function initiateB2b(world: World, body: Fields): Result<string> {
  const read = readPayout(world, body, endpoints.initiateB2b.request)
  if ('failure' in read) return read
  const request = read.value
  const service = serviceFor(world, 'b2b', request.service_code)
  if ('failure' in service) return service
  if (money.isNoOperator(request.payment_method))
    return rejected('INVALID_PAYMENT_METHOD', `payment_method ${request.payment_method} is no method.`)
  const problem = b2bProblem(world, request, service.value.currency)
  if (problem !== null) return rejected(null, problem)
  const { amount, recipient_type, recipient_account_number } = request
  const by = recipient_type === 'BANK_ACCOUNT_NUMBER' ? 'banks' : 'operators'
  const own = { amount, by, delivered: { amount, currency: service.value.currency } } as const
  return accept(world, { kind: 'b2b', request }, service.value, own, recipient_account_number)
}

// [assumed] The request, the float and the recipient's country must have the same currency.
function b2bProblem({ callbackHosts }: World, request: B2bRequest, float: CurrencyCode): string | null {
  if (request.currency_code !== float) return `currency_code must be ${float}, the currency of the float.`
  if (money.currencyOf(request.country_code) !== float)
    return `country_code must be of a country that pays in ${float}.`
  if (!fits(request.amount, money.CURRENCIES[float])) return `amount ${tooFine(money.CURRENCIES[float])}`
  return callbackAddressProblem(request.callback_url, callbackHosts)
}

function payCustomer(world: World, instruction: CustomerInstruction): Result<string> {
  const { kind, request } = instruction
  const service = serviceFor(world, kind, request.service_code)
  if ('failure' in service) return service
  const refusal = customerProblem(world, request, money.CURRENCIES[service.value.currency])
  if (refusal !== null) return refusal
  const own = {
    amount: request.sender_amount,
    by: request.destination_type === 'BANK' ? 'banks' : 'operators',
    delivered: { amount: request.recipient_amount, currency: request.destination_currency },
  } as const
  return accept(world, instruction, service.value, own, request.recipient_phone_number)
}

function customerProblem(world: World, request: CustomerRequest, source: Currency): Refused | null {
  const { destination_type, destination_name, destination_currency, source_currency, callback_url } = request
  const isWallet = destination_type === 'MOBILE'
  if (isWallet && money.isNoOperator(destination_name)) {
    const problem = `destination_name ${JSON.stringify(destination_name)} is not a wallet provider; MOMO_KEN is one.`
    return rejected('INVALID_WALLET', problem)
  }
  const wallet = isWallet ? money.currencyOfOperator(destination_name) : undefined
  if (source_currency !== source.code)
    return rejected(null, `source_currency must be ${source.code}, the currency of the float.`)
  const destination = money.findCurrency(destination_currency)
  if (!destination || (wallet !== undefined && wallet !== destination.code)) {
    const known = money.listCurrencies().map(({ code }) => code)
    return rejected(null, `destination_currency must be ${wallet ?? `one of ${known.join(', ')}`}.`)
  }
  const rates = world.exchangeRates.payoutRates(source, destination, world.clock.now())
  const problem =
    amountProblem(request, { source, destination, rates }) ??
    (callback_url === undefined ? null : callbackAddressProblem(callback_url, world.callbackHosts))
  return problem === null ? null : rejected(null, problem)
}

// [assumed] The rate is the buying rate of the source currency. The recipient_amount may be rounded up or down.
function amountProblem(
  { sender_amount, recipient_amount, exchange_rate }: CustomerRequest,
  { source, destination, rates }: { source: Currency; destination: Currency; rates: readonly Decimal[] },
): string | null {
  if (!fits(sender_amount, source)) return `sender_amount ${tooFine(source)}`
  if (!fits(recipient_amount, destination)) return `recipient_amount ${tooFine(destination)}`
  if (!rates.some((rate) => compare(rate, exchange_rate) === 0))
    return `exchange_rate must be ${rates[0]}: one ${source.code} in ${destination.code}, buying, this hour.`
  const exact = multiply(sender_amount, exchange_rate)
  const difference = subtract(recipient_amount, exact).replace('-', '')
  return compare(difference, money.unitOf(destination)) < 0
    ? null
    : `recipient_amount must be sender_amount times exchange_rate, which is ${exact}.`
}

function readPayout<T>(world: World, body: Fields, schema: z.ZodType<T>): Result<T> {
  const { payout_reference } = body
  const known = `A payout ${JSON.stringify(payout_reference)} was already submitted.`
  if (typeof payout_reference === 'string' && world.payouts.has(payout_reference))
    return rejected('DUPLICATE_IGNORED', known)
  return readOrReject(present(body), schema)
}

const NOT_ONBOARDED = 'Payouts are allowed once the onboarding in the portal is complete.'

function serviceFor(
  { services, environment, onboarding }: World,
  kind: Instruction['kind'],
  service_code: string,
): Result<Service> {
  const service = services.find(kind, service_code)
  // [spec: What the service does, 4]
  if (environment === 'production' && !onboarding.isComplete())
    return rejected('SERVICE_NOT_ALLOWED', NOT_ONBOARDED)
  if (service) return { value: service }
  const name = JSON.stringify(service_code)
  return rejected('SERVICE_NOT_ALLOWED', `service_code ${name} does not allow these payouts.`)
}

const MAX_PAYOUTS = 100_000

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
  own: Pick<Funds, 'amount' | 'by' | 'delivered'>,
  recipient: string,
): Result<string> {
  const { payout_reference: reference } = instruction.request
  const { plannedScenarios, ledger, clock, randomness, payouts } = world
  const scenario = plannedScenarios.get(reference) ?? scenarioOf('payout', world, recipient) ?? 'success'
  const { does, payout: effect }: { does: string; payout: PayoutEffect } = SCENARIOS[scenario]
  if (effect.kind === 'reject') {
    plannedScenarios.delete(reference)
    return rejected(effect.error_code, `${does} (scenario ${scenario}).`)
  }
  if (payouts.size >= MAX_PAYOUTS)
    return rejected('FAILED', `The sandbox keeps ${MAX_PAYOUTS} payouts; reset it to go on.`)

  const funds = { what: 'payout', reference, accountNumber, currency, fee, ...own } as const
  const movement = reserve(reference, [funds])
  const float = `float/${accountNumber}/${currency}` as const
  if (ledger.overdrawnBy(movement) !== null) {
    const held = `${currency} ${ledger.balanceOf(float)}`
    return rejected('INSUFFICIENT_BALANCE', `The float has ${held}, less than amount and fee.`)
  }

  const now = clock.now()
  ledger.post(movement, now)
  const balance = ledger.balanceOf(float)
  const payout = { ...unprocessed(funds, now), instruction, paymentId: randomness.hex(24), balance }
  payouts.set(reference, payout)
  plannedScenarios.delete(reference)
  scheduleResult(world, [payout], effect)
  return { value: reference }
}

const MAX_PLANNED = 10_000

/** Stores the scenario of a payout that does not exist yet. */
export function planScenario(
  { plannedScenarios }: World,
  payout_reference: string,
  scenario: ScenarioOf<'payout'>,
): Failure | null {
  if (plannedScenarios.size >= MAX_PLANNED)
    return notPossible('Too many payouts are awaited; reset to go on.')
  plannedScenarios.set(payout_reference, scenario)
  return null
}
