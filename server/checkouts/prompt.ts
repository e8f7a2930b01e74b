/** Decides which operator asks the payer on the phone, and which others the shopper can choose. Pure. */

import type { FieldError } from '../api/problem.ts'
import type { ChargeMethod, ChargeTerms } from '../config/gateway.ts'
import type { Prompt } from './record.ts'
import { currencyOfAlpha3 } from '../contract/countries.ts'
import { readPhoneNumber } from '../contract/phone-number.ts'

/** A shopper's request to be asked on the phone. */
export interface PromptRequest {
  /** The operator that the shopper has chosen; `undefined` if the server chooses. */
  method: string | undefined
  /** The client network of the request; `null` if it is unknown. */
  network: string | null
}

/** Returns the operators that can prompt the payer of an order in this currency; empty if charges are off. */
export function promptMethods(terms: ChargeTerms | null, currency: string): Prompt['methods'] {
  return methodsFor(terms?.methods ?? [], currency).map(({ code, name }) => ({ code, name }))
}

/**
 * Returns the prompt of a new checkout. Returns `null` if there is no operator for the currency: the shopper then pays
 * on the hosted page. Returns errors if there is no operator of the chosen code.
 *
 * @param msisdn The payer's phone number, by which the server guesses the operator; `undefined` if it is unknown.
 */
export function choosePrompt(
  terms: ChargeTerms | null,
  currency: string,
  msisdn: string | undefined,
  chosen: string | undefined,
): Prompt | null | { errors: FieldError[] } {
  const guessed = guessMethod(methodsFor(terms?.methods ?? [], currency), msisdn)
  if (guessed === undefined) return null
  const methods = promptMethods(terms, currency)
  const codes = methods.map(({ code }) => code)
  if (chosen === undefined || codes.includes(chosen)) return { method: chosen ?? guessed.code, methods }
  return { errors: [{ path: 'payment_method_code', message: `must be one of ${codes.join(', ')}` }] }
}

/**
 * Returns the operators that take a currency. [assumed] Codes such as MOMO_KEN end with the country, and an operator
 * takes only the currency of this country.
 */
function methodsFor(methods: readonly ChargeMethod[], currency: string): ChargeMethod[] {
  return methods.filter(({ code }) => {
    const own = currencyOfAlpha3(code.slice(code.lastIndexOf('_') + 1))
    return own === null || own === currency
  })
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
  return methods.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0]
}
