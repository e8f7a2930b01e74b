// The acceptance of a request for airtime. The checks run in the order of the code, and the first failure determines the
// response [assumed]. A request is accepted for all recipients or for none; a refused request changes no state.
// [spec: Airtime request]

import { multiply, round } from '../../../server/contract/decimal.ts'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { Failure } from '../errors/failure.ts'
import { rejected } from '../errors/rejection.ts'
import { fieldWrong } from '../errors/wrong-field.ts'
import { readOrReject } from '../http/request-body.ts'
import { fits, fractionRuleOf, withFraction } from '../money/amounts.ts'
import { CURRENCIES, currencyOfPhone } from '../money/currencies.ts'
import { AIRTIME_PROCESSING_DELAY_MS, RESULT_DELAY_MS, SCENARIOS, scenarioOf } from '../scenarios.ts'
import { createUnprocessed, reserve } from './funds.ts'
import { ifUnchangedAfter, process, scheduleResult } from './operator.ts'

import type { AirtimeRequest } from '../../../server/contract/airtime.ts'
import type { Result } from '../errors/failure.ts'
import type { Fields } from '../http/request-body.ts'
import type { ScenarioOf } from '../scenarios.ts'
import type { World } from '../world.ts'
import type { Recipient } from './airtime-recipient.ts'
import type { Funds } from './funds.ts'

const MAX_REQUESTS = 1_000
/** Hexadecimal digits of a recipient's `correlation_id`. */
const CORRELATION_ID_DIGITS = 24

/** Accepts a request and schedules its results. Returns its reference, or the failure for which it is refused. */
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
  const indexByNumber = new Map<string, number>()
  for (const [index, { phone_number }] of recipients.entries()) {
    const earlier = indexByNumber.get(phone_number)
    if (earlier !== undefined) {
      const problem = `recipients[${index}].phone_number is the same as recipients[${earlier}].phone_number.`
      return rejected('INVALID_PHONE_NUMBER', problem)
    }

    indexByNumber.set(phone_number, index)
  }

  return null
}

function accept(world: World, request: AirtimeRequest): Result<string> {
  const { reference } = request
  const { ledger, randomness, clock, airtime } = world
  const now = clock.now()
  const recipients = new Map<string, Recipient>()
  for (const [index, recipient] of request.recipients.entries()) {
    const funds = fundsFor(world, { reference, recipient, field: `recipients[${index}]` })
    if (funds instanceof Failure) {
      return funds
    }

    const { phone_number: phoneNumber } = recipient
    const correlationId = randomness.hex(CORRELATION_ID_DIGITS)
    recipients.set(phoneNumber, { ...createUnprocessed(funds, now), reference, phoneNumber, correlationId })
  }

  const all = [...recipients.values()]
  const allFunds = all.map(({ funds }) => funds)
  const shortage = reserve(ledger, now, { what: 'airtime', reference }, allFunds)
  if (shortage !== null) {
    return shortage
  }

  airtime.set(reference, { reference, recipients })
  ifUnchangedAfter(world, AIRTIME_PROCESSING_DELAY_MS, all, (unchanged) => {
    process(world, unchanged)
    for (const [scenario, itsRecipients] of groupByScenario(world, unchanged)) {
      const effect = SCENARIOS[scenario].airtime
      scheduleResult(world, itsRecipients, effect, RESULT_DELAY_MS - AIRTIME_PROCESSING_DELAY_MS)
    }
  })
  return reference
}

interface Priced {
  /** The reference of the request. */
  reference: string
  recipient: AirtimeRequest['recipients'][number]
  /** The recipient's field of the request, for the message of a failure. */
  field: string
}

/**
 * Returns the money for one recipient. The amount is in the currency of the recipient's country. [assumed] It is paid from
 * the merchant's account in this currency. If there is none, the first account pays at the selling rate of the hour,
 * rounded up; if the airtime is returned, the account gets back what it paid. Airtime has no fee.
 */
function fundsFor(
  { merchant, exchangeRates, clock }: World,
  { reference, recipient, field }: Priced,
): Result<Funds> {
  const { phone_number, amount } = recipient
  const code = currencyOfPhone(phone_number)
  if (code === undefined) {
    const rule = 'must be of a country in whose currency the gateway trades.'
    return rejected('INVALID_PHONE_NUMBER', `${field}.phone_number ${rule}`)
  }

  const currency = CURRENCIES[code]
  if (!fits(amount, currency)) {
    return fieldWrong(`${field}.amount ${fractionRuleOf(currency)}`)
  }

  const account = merchant.accounts.find((each) => each.currency === code) ?? merchant.accounts[0]
  const accountCurrency = CURRENCIES[account.currency]
  // The price of one unit of the airtime's currency, in the currency of the account.
  const rate = exchangeRates.sellingRate(currency, accountCurrency, clock.now())
  const delivered = { amount: withFraction(amount), currency: code }
  const cost = round(multiply(delivered.amount, rate), accountCurrency.fractionDigits, 'up')
  return {
    what: 'airtime',
    // A phone number occurs only once in a request. [spec: Events, rule 3]
    reference: `${reference}/${phone_number}`,
    accountNumber: account.number,
    currency: account.currency,
    amount: withFraction(cost),
    fee: '0.00',
    paidOutBy: 'operators',
    delivered,
  }
}

/** Groups the recipients by the scenario that their phone numbers select. Other numbers get their airtime. */
function groupByScenario(world: World, recipients: readonly Recipient[]) {
  const groups = new Map<ScenarioOf<'airtime'>, Recipient[]>()
  for (const recipient of recipients) {
    const scenario = scenarioOf('airtime', world, recipient.phoneNumber) ?? 'success'
    const group = groups.get(scenario)
    if (group) {
      group.push(recipient)
    } else {
      groups.set(scenario, [recipient])
    }
  }

  return groups
}
