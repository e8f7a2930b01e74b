/** The text by which the terms of two requests under one reference are compared. Pure. */

import { canonical, isDecimal } from '../contract/decimal.ts'

const AMOUNT = /(^|_)(amount|rate)$/

/**
 * Returns one text for all spellings of the same terms: neither the order of the fields, also of nested ones, nor zeros at
 * the end of an amount or rate make other terms.
 */
export function textOfTerms(terms: unknown): string {
  return JSON.stringify(terms, (name, value: unknown) => {
    if (typeof value === 'string' && AMOUNT.test(name) && isDecimal(value)) {
      return canonical(value)
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return value
    }
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
