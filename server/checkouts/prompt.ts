/** Decides which operator asks the payer on the phone, and which others the shopper can choose. Pure. */

import { invalid, refuse } from '../api/refusal.ts'
import { partnerSharesIn } from '../config/charges.ts'
import { callingCodeIn, currencyOfAlpha3, readCountry } from '../contract/country.ts'
import { compare, sum } from '../contract/decimal.ts'
import { readPhoneNumber } from '../contract/phone-number.ts'

import type { Refusal } from '../api/refusal.ts'
import type { CheckoutMethods } from '../api/view.ts'
import type { ChargeMethod, ChargeTerms } from '../config/charges.ts'
import type { Prompt, RequestedTerms } from './record.ts'

/** A shopper's request to be asked on the phone. */
export interface PromptRequest {
  /** The operator that the shopper has chosen; `undefined` if the server chooses. */
  method: string | undefined
  /** The client network of the request; `null` if it is unknown. */
  network: string | null
}

type RequestedAmount = Pick<RequestedTerms, 'amount' | 'currency'>

/** Returns the operators that can prompt the payer of this amount; empty if charges are off, or it is too small. */
export function promptMethods(terms: ChargeTerms | null, requested: RequestedAmount): Prompt['methods'] {
  const all = coversShares(terms, requested) ? methodsFor(terms, requested) : []
  return all
    .filter((method) => refuseMethod(method, requested) === null)
    .map(({ code, name, dial }) => ({ code, name, ...(dial !== undefined && { dial }) }))
}

/**
 * Returns the prompt of a new checkout. Returns `null` if there is no operator for the currency, or if the amount is
 * less than the shares that each charge has: the shopper then pays on the hosted page. Returns a refusal if there is no
 * operator of the chosen code, or if the operator cannot be asked: another one would not reach the payer.
 *
 * @param msisdn The payer's phone number, by which the server guesses the operator; `undefined` if it is unknown.
 */
export function choosePrompt(
  terms: ChargeTerms | null,
  requested: RequestedAmount,
  msisdn: string | undefined,
  chosen: string | undefined,
): Prompt | null | Refusal {
  const all = methodsFor(terms, requested)
  if (all.length === 0 || !coversShares(terms, requested)) {
    return null
  }

  const methods = promptMethods(terms, requested)
  const codes = methods.map(({ code }) => code)
  // Without a matching prefix, the first is taken, so those that can be asked come first.
  const offeredFirst = all.toSorted((a, b) => Number(codes.includes(b.code)) - Number(codes.includes(a.code)))
  const method =
    chosen === undefined ? guessMethod(offeredFirst, msisdn) : all.find(({ code }) => code === chosen)
  if (method) {
    return refuseMethod(method, requested) ?? { method: method.code, methods }
  }
  return invalid([{ path: 'payment_method_code', message: `must be one of ${codes.join(', ')}` }])
}

/** Returns whether the amount covers the shares of PARTNER_ACCOUNTS_DYNAMIC, which every charge has. */
function coversShares(terms: ChargeTerms | null, { amount, currency }: RequestedAmount): boolean {
  const shares = terms ? partnerSharesIn(terms, currency) : []
  return compare(sum(shares.map((share) => String(share.amount))), amount) <= 0
}

/**
 * Returns why the payer cannot be asked by an operator for this amount; `null` if nothing is known against it.
 * [assumed] The bounds of an operator are in the currency of the order.
 */
function refuseMethod(
  { name, isAway, least, greatest }: ChargeMethod,
  requested: RequestedAmount,
): Refusal | null {
  if (isAway) {
    return refuse('operator_unavailable', `${name} is not available at the moment.`)
  }

  const { amount, currency } = requested
  const refuseAmount = (limit: string) => refuse('amount_out_of_bounds', `${name} takes ${limit} at once.`)
  if (least && compare(amount, least) < 0) {
    return refuseAmount(`no less than ${currency} ${least}`)
  }
  if (greatest && compare(amount, greatest) > 0) {
    return refuseAmount(`no more than ${currency} ${greatest}`)
  }
  return null
}

/**
 * Returns the operators that take a currency. [assumed] Codes such as MOMO_KEN end with the country, and an operator
 * takes only the currency of this country.
 */
export function methodsFor(terms: ChargeTerms | null, { currency }: RequestedAmount): ChargeMethod[] {
  return (terms?.methods ?? []).filter(({ code }) => {
    const own = currencyOfAlpha3(code.slice(code.lastIndexOf('_') + 1))
    return own === null || own === currency
  })
}

/**
 * Returns what any page may know of the operators, before it has an order. The bounds of an operator are not among it:
 * only the press is judged, by the whole table.
 *
 * @param countryCode As in `choosePayer`.
 */
export function describeMethods(terms: ChargeTerms | null, countryCode: string | null): CheckoutMethods {
  const country = readCountry(countryCode ?? '')
  return {
    calling_code: country && callingCodeIn(country),
    methods: (terms?.methods ?? []).map(({ name, prefixes, isAway }) => ({ name, prefixes, away: isAway })),
  }
}

/**
 * Returns the operator that most probably serves a phone number: the one with the longest matching prefix, otherwise
 * the first. A number may have moved to another operator, so the shopper can choose another.
 *
 * @param msisdn A phone number with its calling code; `undefined` if it is unknown.
 */
function guessMethod(methods: readonly ChargeMethod[], msisdn: string | undefined): ChargeMethod | undefined {
  const digits = readPhoneNumber(msisdn ?? '', null) ?? ''
  const lengthOf = ({ prefixes }: ChargeMethod) =>
    Math.max(0, ...prefixes.filter((prefix) => digits.startsWith(prefix)).map(({ length }) => length))
  return methods.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]
}
