// [assumed] The checks run in the order of the code, and the first failure determines the response. A request is
// accepted for all recipients or for none; a refused request changes no state. [spec: Airtime request]

import { multiply, round, sum } from '../../../server/contract/decimal.ts'
import { safeParse } from '../../../server/contract/safe-parse.ts'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { reserve } from './movements.ts'
import { scheduleResults } from './network.ts'
import { CURRENCIES, currencyOfPhone } from '../money/currencies.ts'
import { currencyOfAccount } from '../money/ledger.ts'
import { fits, tooFine, withFraction } from '../money/amounts.ts'
import { rejected, rejectFields } from '../wire/acknowledgement.ts'
import type { AirtimeRequest } from '../../../server/contract/airtime.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Account, Ledger, Movement } from '../money/ledger.ts'
import type { Airtime, Cost, Recipient, RecipientState } from './recipient.ts'
import type { Fields } from '../wire/fields.ts'
import type { Checked } from '../wire/acknowledgement.ts'
import type { World } from '../world.ts'

const UNPROCESSED: RecipientState = { kind: 'unprocessed' }

const MAX_REQUESTS = 1_000

export function sendAirtime(world: World, body: Fields): Checked<Airtime> {
  const { reference } = body
  if (typeof reference === 'string' && world.airtime.has(reference))
    return rejected('DUPLICATE_IGNORED', `The reference ${JSON.stringify(reference)} was used before.`)
  const parsed = safeParse(endpoints.sendAirtime.request, body)
  if (!parsed.success) return rejectFields(parsed.error)
  const problem = repetitionProblem(parsed.data)
  if (problem !== null) return rejected('INVALID_PHONE_NUMBER', problem)
  if (world.airtime.size >= MAX_REQUESTS)
    return rejected('FAILED', `The sandbox keeps ${MAX_REQUESTS} requests for airtime; reset it to go on.`)
  return accept(world, parsed.data)
}

function accept(world: World, { reference, ...request }: AirtimeRequest): Checked<Airtime> {
  const { ledger, randomness, clock } = world
  const now = clock.now()
  const recipients: Recipient[] = []
  for (const [index, { phone_number, amount }] of request.recipients.entries()) {
    const priced = price(world, `recipients[${index}]`, phone_number, amount)
    if ('rejection' in priced) return priced
    recipients.push({
      reference,
      phoneNumber: phone_number,
      ...priced,
      correlationId: randomness.hex(24),
      history: [{ at: now, state: UNPROCESSED }],
      state: UNPROCESSED,
    })
  }
  const movement = reserve(reference, recipients)
  const overdrawn = ledger.overdrawnBy(movement)
  if (overdrawn !== null) return rejected('INSUFFICIENT_BALANCE', shortageOf(overdrawn, movement, ledger))
  ledger.post(movement, now)
  const airtime = {
    reference,
    createdAt: now,
    recipients: new Map(recipients.map((each) => [each.phoneNumber, each])),
  }
  world.airtime.set(reference, airtime)
  scheduleResults(world, recipients)
  return { value: airtime }
}

// [assumed] The amount is in the currency of the recipient's country. The merchant's account in this currency pays for
// it. Without such an account, the first account pays at the hour's selling rate, rounded up.
function price({ merchant, exchangeRates, clock }: World, name: string, phoneNumber: string, asked: Decimal) {
  const code = currencyOfPhone(phoneNumber)
  if (code === undefined) {
    const rule = 'must be of a country in whose currency the gateway trades.'
    return rejected('INVALID_PHONE_NUMBER', `${name}.phone_number ${rule}`)
  }
  const currency = CURRENCIES[code]
  if (!fits(asked, currency)) return rejected(null, `${name}.amount ${tooFine(currency)}`)
  const amount = withFraction(asked)
  const account = merchant.accounts.find((each) => each.currency === code) ?? merchant.accounts[0]
  const source = CURRENCIES[account.currency]
  const rate = exchangeRates.sellingRate(currency, source, clock.now())
  const exact = multiply(amount, rate)
  const cost: Cost = {
    accountNumber: account.number,
    currency: account.currency,
    amount: withFraction(round(exact, source.fractionDigits, 'up')),
  }
  return { amount, currency: code, cost }
}

function shortageOf(overdrawn: Account, { lines }: Movement, ledger: Ledger): string {
  const needed = sum(lines.filter(({ account }) => account === overdrawn).map(({ amount }) => amount))
  const currency = currencyOfAccount(overdrawn)
  const held = `${currency} ${ledger.balanceOf(overdrawn)}`
  return `Insufficient balance: the float has ${held}, less than ${needed.replace('-', '')}.`
}

// [assumed] A phone number may occur only once: a callback identifies its recipient by reference and phone number.
function repetitionProblem({ recipients }: AirtimeRequest): string | null {
  const first = new Map<string, number>()
  for (const [index, { phone_number }] of recipients.entries()) {
    const before = first.get(phone_number)
    if (before !== undefined)
      return `recipients[${index}].phone_number is the same as recipients[${before}].phone_number.`
    first.set(phone_number, index)
  }
  return null
}
