/**
 * Reads GATEWAY_CHARGE_METHODS: the mobile operators whose customers can approve a payment on the phone, without the
 * hosted page.
 */

import type { Variables } from './environment.ts'
import { currencyOfAlpha3 } from '../contract/countries.ts'
import { readPhoneNumber } from '../contract/phone-number.ts'

/** An operator to which a charge can be sent. */
export interface ChargeMethod {
  /** The `payment_method_code` of a charge, such as MOMO_KEN. */
  readonly code: string
  /** The operator's name, which the shopper sees. */
  readonly name: string
  /** The beginnings of the operator's phone numbers, with the country's calling code. */
  readonly prefixes: readonly string[]
}

const NAME = 'GATEWAY_CHARGE_METHODS'
const RULE = 'CODE, CODE=NAME or CODE=NAME:PREFIX PREFIX, such as MOMO_KEN=MoMo:25470 25471'
const ENTRY = /^([\w.-]{1,32})(?:=([^:=]{1,50})(?::(\d{1,15}(?: +\d{1,15})*))?)?$/

export function readChargeMethods(variables: Variables, areChargesOn: boolean): readonly ChargeMethod[] {
  const entries = variables.list(NAME, (entry) => ENTRY.test(entry), RULE) ?? []
  const methods = entries.flatMap((entry) => readMethod(entry) ?? [])
  const codes = methods.map(({ code }) => code)
  for (const code of codes.filter((each, index) => codes.indexOf(each) !== index))
    variables.problems.push(`${NAME} names ${code} more than once.`)
  if (methods.length > 0 && !areChargesOn)
    variables.problems.push(`${NAME} needs GATEWAY_CHARGE_PATH: charges are off without it.`)
  return methods
}

function readMethod(entry: string): ChargeMethod | null {
  const [, code, name = '', prefixes = ''] = ENTRY.exec(entry) ?? []
  if (code === undefined) return null
  return { code, name: name.trim() || code, prefixes: prefixes.split(/ +/).filter((prefix) => prefix !== '') }
}

/**
 * Returns the operators that take a currency. [assumed] Codes such as MOMO_KEN end with the country, and an operator
 * takes only the currency of this country.
 */
export function methodsFor(methods: readonly ChargeMethod[], currency: string): ChargeMethod[] {
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
export function guessMethod(
  methods: readonly ChargeMethod[],
  msisdn: string | undefined,
): ChargeMethod | undefined {
  const digits = readPhoneNumber(msisdn ?? '', null) ?? ''
  const lengthOf = ({ prefixes }: ChargeMethod) =>
    Math.max(0, ...prefixes.filter((prefix) => digits.startsWith(prefix)).map(({ length }) => length))
  return methods.reduce<ChargeMethod | undefined>(
    (best, method) => (best === undefined || lengthOf(method) > lengthOf(best) ? method : best),
    undefined,
  )
}
