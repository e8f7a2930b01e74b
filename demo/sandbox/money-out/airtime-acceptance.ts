// The acceptance of a request for airtime. [assumed] The checks run in the order of the code, and the first failure
// determines the response. A request is accepted for all recipients or for none; a refused request changes no state.
// [spec: Airtime request]

import { multiply, round } from '../../../server/contract/decimal.ts'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { Failure } from '../errors/failure.ts'
import { rejected } from '../errors/rejection.ts'
import { fieldWrong } from '../errors/wrong-field.ts'
import { readOrReject } from '../http/request-body.ts'
import { fits, tooFine, withFraction } from '../money/amounts.ts'
import { CURRENCIES, currencyOfPhone } from '../money/currencies.ts'
import { AIRTIME_PROCESSING_DELAY_MS, RESULT_DELAY_MS, SCENARIOS, scenarioOf } from '../scenarios.ts'
import { reserve, unprocessed } from './funds.ts'
import { later, process, scheduleResult } from './operator.ts'

import type { AirtimeRequest } from '../../../server/contract/airtime.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Result } from '../errors/failure.ts'
import type { Fields } from '../http/request-body.ts'
import type { ScenarioOf } from '../scenarios.ts'
import type { World } from '../world.ts'
import type { Recipient } from './airtime-recipient.ts'
import type { Funds } from './funds.ts'

const MAX_REQUESTS = 1_000

/** Returns the reference. */
export function sendAirtime(world: World, body: Fields): Result<string> {
  const { reference } = body
  if (typeof reference === 'string' && world.airtime.has(reference)) {
    return rejected('DUPLICATE_IGNORED', `The reference ${JSON.stringify(reference)} was used before.`)
  }

  const request = readOrReject(body, endpoints.sendAirtime.request)
  if (request instanceof Failure) {
    return request
  }

  const problem = repetitionProblem(request)
  if (problem !== null) {
    return problem
  }
  if (world.airtime.size >= MAX_REQUESTS) {
    return rejected('FAILED', `The sandbox keeps ${MAX_REQUESTS} requests for airtime; reset it to go on.`)
  }
  return accept(world, request)
}

// [assumed] A phone number may occur only once: a callback identifies its recipient by reference and phone number.
function repetitionProblem({ recipients }: AirtimeRequest): Failure | null {
  const indexes = new Map<string, number>()
  for (const [index, { phone_number }] of recipients.entries()) {
    const earlier = indexes.get(phone_number)
    const problem = `recipients[${index}].phone_number is the same as recipients[${earlier}].phone_number.`
    if (earlier !== undefined) {
      return rejected('INVALID_PHONE_NUMBER', problem)
    }

    indexes.set(phone_number, index)
  }

  return null
}

function accept(world: World, { reference, ...request }: AirtimeRequest): Result<string> {
  const { ledger, randomness, clock, airtime } = world
  const now = clock.now()
  const recipients = new Map<string, Recipient>()
  for (const [index, { phone_number: phoneNumber, amount }] of request.recipients.entries()) {
    // [spec: Events, rule 3] Reference and phone number together identify a recipient.
    const funds = price(world, `${reference}/${phoneNumber}`, `recipients[${index}]`, phoneNumber, amount)
    if (funds instanceof Failure) {
      return funds
    }

    const correlationId = randomness.hex(24)
    recipients.set(phoneNumber, { ...unprocessed(funds, now), reference, phoneNumber, correlationId })
  }

  const all = [...recipients.values()]
  const costs = all.map(({ funds }) => funds)
  const shortage = reserve(ledger, now, { what: 'airtime', reference }, costs)
  if (shortage !== null) {
    return shortage
  }

  airtime.set(reference, { reference, recipients })
  later(world, all, AIRTIME_PROCESSING_DELAY_MS, (waiting) => {
    process(world, waiting)
    for (const [scenario, those] of byScenario(world, waiting)) {
      scheduleResult(world, those, SCENARIOS[scenario].airtime, RESULT_DELAY_MS - AIRTIME_PROCESSING_DELAY_MS)
    }
  })
  return reference
}

// [assumed] The amount is in the currency of the recipient's country. The merchant's account in this currency pays for
// it. Without such an account, the first account pays at the hour's selling rate, rounded up; what is given back later
// has the same rate. Airtime has no fee.
function price(
  { merchant, exchangeRates, clock }: World,
  reference: string,
  field: string,
  phoneNumber: string,
  asked: Decimal,
): Result<Funds> {
  const code = currencyOfPhone(phoneNumber)
  if (code === undefined) {
    const rule = 'must be of a country in whose currency the gateway trades.'
    return rejected('INVALID_PHONE_NUMBER', `${field}.phone_number ${rule}`)
  }

  const currency = CURRENCIES[code]
  if (!fits(asked, currency)) {
    return fieldWrong(`${field}.amount ${tooFine(currency)}`)
  }

  const delivered = { amount: withFraction(asked), currency: code }
  const account = merchant.accounts.find((each) => each.currency === code) ?? merchant.accounts[0]
  const source = CURRENCIES[account.currency]
  const exact = multiply(delivered.amount, exchangeRates.sellingRate(currency, source, clock.now()))
  return {
    what: 'airtime',
    reference,
    accountNumber: account.number,
    currency: account.currency,
    amount: withFraction(round(exact, source.fractionDigits, 'up')),
    fee: '0.00',
    by: 'operators',
    delivered,
  }
}

function byScenario(world: World, recipients: readonly Recipient[]) {
  const groups = new Map<ScenarioOf<'airtime'>, Recipient[]>()
  for (const recipient of recipients) {
    const scenario = scenarioOf('airtime', world, recipient.phoneNumber) ?? 'success'
    groups.set(scenario, [...(groups.get(scenario) ?? []), recipient])
  }

  return groups
}
