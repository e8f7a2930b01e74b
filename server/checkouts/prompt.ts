/** Chooses the operator that prompts the payer of a checkout on the phone. Pure. */

import type { ChargeTerms } from '../config/config.ts'
import type { FieldError } from '../api/problem.ts'
import type { Prompt } from './record.ts'
import { guessMethod, methodsFor } from '../config/charge-methods.ts'

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
  const methods = promptMethods(terms, currency)
  const guessed = guessMethod(methodsFor(terms?.methods ?? [], currency), msisdn)
  if (guessed === undefined) return null
  const codes = methods.map(({ code }) => code)
  if (chosen === undefined || codes.includes(chosen)) return { method: chosen ?? guessed.code, methods }
  return { errors: [{ path: 'payment_method_code', message: `must be one of ${codes.join(', ')}` }] }
}
