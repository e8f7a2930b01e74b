// [assumed] The checks run in the order of the code, and the first failure determines the response. A request is
// accepted for all recipients or for none; a refused request changes no state. [spec: Airtime request]

import { sum } from '../../../server/contract/decimal.ts'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { reserve } from './movements.ts'
import { scheduleResults } from './network.ts'
import { problemOf } from '../wire/fields.ts'
import { CURRENCIES } from '../money/currencies.ts'
import { MERCHANT } from '../merchant.ts'
import { fits, withFraction } from '../money/amounts.ts'
import { rejected } from '../wire/acknowledgement.ts'
import type { AirtimeRequest } from '../../../server/contract/airtime.ts'
import type { Airtime, Recipient } from './recipient.ts'
import type { Fields } from '../wire/fields.ts'
import type { Checked } from '../wire/acknowledgement.ts'
import type { World } from '../world.ts'

const MAX_REQUESTS = 1_000

export function sendAirtime(world: World, body: Fields): Checked<Airtime> {
  const { reference } = body
  if (typeof reference === 'string' && world.airtime.has(reference))
    return rejected(null, `The reference ${JSON.stringify(reference)} was used before.`)
  const parsed = endpoints.sendAirtime.request.safeParse(body)
  if (!parsed.success) return rejected(null, problemOf(parsed.error))
  const problem = recipientsProblem(parsed.data)
  if (problem !== null) return rejected(null, problem)
  if (world.airtime.size >= MAX_REQUESTS)
    return rejected('FAILED', `The sandbox keeps ${MAX_REQUESTS} requests for airtime; reset it to go on.`)
  return accept(world, parsed.data)
}

// [assumed] The amounts are in the currency of the float, whatever the recipient's country.
function accept(world: World, request: AirtimeRequest): Checked<Airtime> {
  const { reference } = request
  const { ledger, clock, randomness } = world
  const total = sum(request.recipients.map(({ amount }) => withFraction(amount)))
  const movement = reserve(reference, total)
  if (ledger.overdrawnBy(movement) !== null) {
    const held = `${MERCHANT.currency} ${ledger.balanceOf(`float/${MERCHANT.accountNumber}/${MERCHANT.currency}`)}`
    return rejected(
      'INSUFFICIENT_BALANCE',
      `Insufficient balance: the float has ${held}, less than ${total}.`,
    )
  }
  ledger.post(movement, clock.now())
  const recipients = request.recipients.map(({ phone_number, amount }): Recipient => ({
    reference,
    phoneNumber: phone_number,
    amount: withFraction(amount),
    correlationId: randomness.hex(24),
    state: { kind: 'unprocessed' },
  }))
  const airtime = { reference, recipients: new Map(recipients.map((each) => [each.phoneNumber, each])) }
  world.airtime.set(reference, airtime)
  scheduleResults(world, recipients)
  return { value: airtime }
}

// [assumed] A phone number may occur only once: a callback identifies its recipient by reference and phone number.
function recipientsProblem({ recipients }: AirtimeRequest): string | null {
  const { code, fractionDigits } = CURRENCIES[MERCHANT.currency]
  const first = new Map<string, number>()
  for (const [index, { phone_number, amount }] of recipients.entries()) {
    if (!fits(amount, fractionDigits))
      return `recipients[${index}].amount must have at most ${fractionDigits} fraction digits in ${code}.`
    const before = first.get(phone_number)
    if (before !== undefined)
      return `recipients[${index}].phone_number is the same as recipients[${before}].phone_number.`
    first.set(phone_number, index)
  }
  return null
}
