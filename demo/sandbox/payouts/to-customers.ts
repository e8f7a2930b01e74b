// [spec: Local payout request; International money transfer request]

import { compare, multiply, subtract } from '../../../server/contract/decimal.ts'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { callbackAddressProblem } from '../wire/addresses.ts'
import {
  CURRENCIES,
  currencyOfOperator,
  findCurrency,
  isNoOperator,
  listCurrencies,
  unitOf,
} from '../money/currencies.ts'
import { fits, tooFine } from '../money/amounts.ts'
import { accept, read, serviceFor } from './acceptance.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Fields } from '../wire/fields.ts'
import type { Currency } from '../money/currencies.ts'
import type { Instruction, Payout } from './payout.ts'
import type { Checked, Rejection } from '../wire/acknowledgement.ts'
import type { World } from '../world.ts'

type CustomerInstruction = Extract<Instruction, { kind: 'local' | 'transfer' }>
type CustomerRequest = CustomerInstruction['request']

export function initiatePayout(world: World, body: Fields): Checked<Payout> {
  const checked = read(world, body, endpoints.initiatePayout.request)
  return 'rejection' in checked ? checked : initiate(world, { kind: 'local', request: checked.value })
}

export function initiateTransfer(world: World, body: Fields): Checked<Payout> {
  const checked = read(world, body, endpoints.initiateTransfer.request)
  return 'rejection' in checked ? checked : initiate(world, { kind: 'transfer', request: checked.value })
}

export function findPayout({ payouts }: World, payout_reference: string): Payout | undefined {
  const payout = payouts.get(payout_reference)
  return payout?.instruction.kind === 'b2b' ? undefined : payout
}

function initiate(world: World, instruction: CustomerInstruction): Checked<Payout> {
  const { kind, request } = instruction
  const service = serviceFor(world, kind, request.service_code)
  if ('rejection' in service) return service
  const { accountNumber, currency, fee } = service.value
  const rejection = payoutProblem(world, request, CURRENCIES[currency])
  if (rejection !== null) return { rejection }
  const funds = {
    accountNumber,
    currency,
    amount: request.sender_amount,
    fee,
    by: request.destination_type === 'BANK' ? 'banks' : 'operators',
    delivered: { amount: request.recipient_amount, currency: request.destination_currency },
  } as const
  return accept(world, instruction, funds, request.recipient_phone_number)
}

function payoutProblem(world: World, request: CustomerRequest, source: Currency): Rejection | null {
  const { destination_type, destination_name, destination_currency, source_currency, callback_url } = request
  const isWallet = destination_type === 'MOBILE'
  if (isWallet && isNoOperator(destination_name)) {
    const problem = `destination_name ${JSON.stringify(destination_name)} is not a wallet provider; MOMO_KEN is one.`
    return { error_code: 'INVALID_WALLET', problem }
  }
  const wallet = isWallet ? currencyOfOperator(destination_name) : undefined
  const malformed = (problem: string): Rejection => ({ error_code: null, problem })
  if (source_currency !== source.code)
    return malformed(`source_currency must be ${source.code}, the currency of the float.`)
  const destination = findCurrency(destination_currency)
  if (!destination || (wallet !== undefined && wallet !== destination.code)) {
    const known = listCurrencies().map(({ code }) => code)
    return malformed(`destination_currency must be ${wallet ?? `one of ${known.join(', ')}`}.`)
  }
  const rates = world.exchangeRates.payoutRates(source, destination, world.clock.now())
  const problem =
    amountProblem(request, { source, destination, rates }) ??
    (callback_url === undefined ? null : callbackAddressProblem(callback_url, world.callbackHosts))
  return problem === null ? null : malformed(problem)
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
  return compare(difference, unitOf(destination)) < 0
    ? null
    : `recipient_amount must be sender_amount times exchange_rate, which is ${exact}.`
}
