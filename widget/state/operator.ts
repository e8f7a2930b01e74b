/** Finds the operator that a phone number belongs to, while it is typed. A hint: the payment server decides. Pure. */

import type { CheckoutMethods, OperatorView } from '../../server/api/view.ts'

/**
 * Returns the operator with the longest prefix of a number that may be incomplete; `null` if there is none. A number
 * without "+" or "00" may be a national one. [assumed] A zero may stand before a national number, also after the calling
 * code: "0712", "+254 (0) 712".
 */
export function operatorOfNumber(
  typed: string,
  { calling_code: code, methods }: CheckoutMethods,
): OperatorView | null {
  // The last four bits of an Arabic digit are its value.
  const latin = typed.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
  const [, start, digits = ''] = /^(\+|00)?(.*)/.exec(latin.replace(/[^\d+]/g, '')) ?? []
  const numbers = [digits]
  if (code && (!start || digits.startsWith(code))) {
    const national = digits.startsWith(code) ? digits.slice(code.length) : digits
    numbers.push(code + national, code + national.replace(/^0/, ''))
  }

  const lengthOf = ({ prefixes }: OperatorView) =>
    Math.max(
      0,
      ...prefixes
        .filter((prefix) => numbers.some((number) => number.startsWith(prefix)))
        .map(({ length }) => length),
    )
  const nearest = [...methods].sort((one, other) => lengthOf(other) - lengthOf(one)).at(0)
  return nearest && lengthOf(nearest) > 0 ? nearest : null
}
