/**
 * Airtime in bulk. [spec: Airtime request] What may be wrong is looked for in this order [assumed], and the first
 * finding is the answer:
 *
 * 1. the token, and whether the body can be read;
 * 2. a reference that was accepted before, whatever else the body says;
 * 3. the fields, all that are wrong; then amounts without coins, and a phone number that is there twice;
 * 4. the balance of the float, which has to cover all recipients.
 *
 * All of it is accepted or nothing, and nothing is kept of a refused request.
 */

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

/** [assumed] Airtime of every country is paid from the float, in its currency and without a fee. */
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

/** [assumed] Reference and phone number tell a result's recipient, so the same number twice could not be told apart. */
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
