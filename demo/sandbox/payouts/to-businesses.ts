// [spec: B2B payout request]

import { endpoints } from '../../../server/contract/endpoints.ts'
import { callbackAddressProblem } from '../wire/addresses.ts'
import { CURRENCIES, currencyOf, isNoOperator } from '../money/currencies.ts'
import { fits, tooFine } from '../money/amounts.ts'
import { rejected } from '../wire/acknowledgement.ts'
import { accept, read, serviceFor } from './acceptance.ts'
import type { B2bRequest } from '../../../server/contract/b2b.ts'
import type { Fields } from '../wire/fields.ts'
import type { CurrencyCode } from '../money/currencies.ts'
import type { Payout } from './payout.ts'
import type { Checked } from '../wire/acknowledgement.ts'
import type { World } from '../world.ts'

export function initiateB2b(world: World, body: Fields): Checked<Payout> {
  const checked = read(world, body, endpoints.initiateB2b.request)
  if ('rejection' in checked) return checked
  const request = checked.value
  const service = serviceFor(world, 'b2b', request.service_code)
  if ('rejection' in service) return service
  const { accountNumber, currency, fee } = service.value
  if (isNoOperator(request.payment_method))
    return rejected('INVALID_PAYMENT_METHOD', `payment_method ${request.payment_method} is no method.`)
  const problem = payoutProblem(world, request, currency)
  if (problem !== null) return rejected(null, problem)
  const funds = {
    accountNumber,
    currency,
    amount: request.amount,
    fee,
    by: request.recipient_type === 'BANK_ACCOUNT_NUMBER' ? 'banks' : 'operators',
    delivered: { amount: request.amount, currency },
  } as const
  return accept(world, { kind: 'b2b', request }, funds, request.recipient_account_number)
}

export function findB2b({ payouts }: World, payout_reference: string): Payout | undefined {
  const payout = payouts.get(payout_reference)
  return payout?.instruction.kind === 'b2b' ? payout : undefined
}

// [assumed] The request, the float and the recipient's country must have the same currency.
function payoutProblem({ callbackHosts }: World, request: B2bRequest, float: CurrencyCode): string | null {
  if (request.currency_code !== float) return `currency_code must be ${float}, the currency of the float.`
  if (currencyOf(request.country_code) !== float)
    return `country_code must be of a country that pays in ${float}.`
  if (!fits(request.amount, CURRENCIES[float])) return `amount ${tooFine(CURRENCIES[float])}`
  return callbackAddressProblem(request.callback_url, callbackHosts)
}
