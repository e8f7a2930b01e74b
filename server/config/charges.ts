/**
 * The settings of charges: paths, the operators that ask payers on the phone, and the shares of partner accounts.
 */

import { z } from 'zod'

import { SplitSettlement } from '../contract/charge.ts'
import { isExactIn } from '../contract/currency.ts'
import { compare, isDecimal, isExact, MAX_FRACTION_DIGITS } from '../contract/decimal.ts'
import { atMost } from '../contract/fields.ts'

/** A share of charges in one currency, or of charges in every currency if `currency` is `null`. */
export interface PartnerShare {
  readonly currency: string | null
  readonly share: SplitSettlement
}

/** A bound of the amounts that an operator takes, in major units of the order's currency. */
const bound = z
  .string()
  .refine((text) => isDecimal(text) && isExact(text, MAX_FRACTION_DIGITS) && !text.startsWith('-'), {
    error: 'must be an amount, such as 10 or 150000',
    abort: true,
  })
  .optional()

/** An operator to which a charge can be sent. */
const ChargeMethod = z
  .object({
    /** The `payment_method_code` of a charge, such as MOMO_KEN. */
    code: z
      .string()
      .regex(
        /^(?=.*[a-z])[\w.-]{1,32}$/i,
        'must be 1 to 32 letters, digits and . _ -, with a letter: a comma ends an entry, also one in an amount',
      ),
    /** The operator's name, which the shopper sees. */
    name: atMost(z.string(), 50),
    /** The beginnings of the operator's phone numbers, with the country's calling code. */
    prefixes: z.array(
      z
        .string()
        .regex(
          /^[1-9]\d{0,14}$/,
          'must be digits, with the country code; dial=*334#, least=10, greatest=150000 or away may follow',
        ),
    ),
    /** What a payer dials who has received no prompt. */
    dial: z
      .string()
      .regex(/^\*[\d*]{1,20}#$/, 'must be a code such as *334#, and in quotes in .env')
      .optional(),
    least: bound,
    greatest: bound,
    /** Whether the operator cannot be asked at present. */
    isAway: z.boolean(),
  })
  .refine(({ least, greatest }) => !least || !greatest || compare(least, greatest) <= 0, {
    path: ['greatest'],
    message: 'must not be less than least',
  })
export type ChargeMethod = Readonly<z.output<typeof ChargeMethod>>

/** The settings of charges. These settings exist only if charges are on (GATEWAY_CHARGE_PATH is set). */
export interface ChargeTerms {
  /** The path to which charges are sent, relative to the gateway's base URL. */
  readonly path: string
  /**
   * The path at which the status of a charge is queried, relative to the gateway's base URL. Contains the parameter
   * `:external_reference` or `:charge_request_id`.
   */
  readonly statusPath: string
  readonly clientCode: string | null
  /** The operators whose customers can be asked on the phone. Empty if the element cannot ask them. */
  readonly methods: readonly ChargeMethod[]
  /**
   * The shares of partner accounts. Every charge includes these shares. [spec: Charge request, "must be included in
   * every request"]
   */
  readonly partners: readonly PartnerShare[]
}

/** Captures currency, account, amount and reason. The lookahead keeps a currency from being part of an account. */
const PARTNER = /^(?:([A-Z]{3})\/)?(?![A-Z]{3}\/)([^=]+)=([^:]+):(.+)$/

/**
 * Reads an entry of PARTNER_ACCOUNTS_DYNAMIC, such as "PARTNER-FEES=25:Platform fee" or "KES/PARTNER-FEES=25:Fee".
 * Returns `null` if the entry is invalid.
 */
export function readPartner(entry: string): PartnerShare | null {
  const [, currency = null, account, amount, reason] = PARTNER.exec(entry) ?? []
  const { data } = SplitSettlement.safeParse({ account: account?.trim(), amount, reason: reason?.trim() })
  if (!data) {
    return null
  }

  const exact = String(data.amount)
  const isPayable = currency === null ? isExact(exact, MAX_FRACTION_DIGITS) : isExactIn(currency, exact)
  return isPayable ? { currency, share: data } : null
}

/** Returns the shares that a charge in this currency includes. */
export function partnerSharesIn({ partners }: ChargeTerms, currency: string): SplitSettlement[] {
  return partners
    .filter((partner) => partner.currency === null || partner.currency === currency)
    .map(({ share }) => share)
}

/**
 * Reads an entry of GATEWAY_CHARGE_METHODS, such as "MOMO_KEN=MoMo:25470 25471 dial=*334# least=10 greatest=150000".
 */
function parseMethod(entry: string) {
  const [, code, name = '', rest = ''] = /^([^=:]*)(?:=([^:]*)(?::(.*))?)?$/.exec(entry) ?? []
  // A setting has all that stands before the next one: "greatest=250 500" is an amount that cannot be read.
  const parts = ` ${rest.trim()}`.split(/ +(?=dial=|least=|greatest=|away(?: |$))/)
  const isSetting = (part: string) => /^(dial|least|greatest)=/.test(part)
  const words = parts.filter((part) => !isSetting(part)).flatMap((part) => part.split(' '))
  // What is set twice has both values, which together are none.
  const settingOf = (name: string) => {
    const values = parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.split('=', 2)[1])
    return values.length === 0 ? undefined : values.join(' ')
  }
  return ChargeMethod.safeParse({
    code,
    name: name.trim() || code,
    prefixes: words.filter((word) => word !== '' && word !== 'away'),
    dial: settingOf('dial'),
    least: settingOf('least'),
    greatest: settingOf('greatest'),
    isAway: words.includes('away'),
  })
}

export function readMethod(entry: string): ChargeMethod | null {
  return parseMethod(entry).data ?? null
}

/** Returns which field of an invalid entry breaks which rule, as the end of a sentence. */
export function ruleOfMethod(entry: string): string {
  const issue = parseMethod(entry).error?.issues[0]
  return issue ? `whose ${String(issue.path[0])} ${issue.message}` : ''
}

/**
 * Describes what becomes of money whose service nobody confirms, for logs and commands: nothing receives the events whose
 * acceptance confirms it. `null` if charges are off, which alone are confirmed.
 */
export function describeHeld({ charges }: { charges: ChargeTerms | null }): string | null {
  return charges === null
    ? null
    : 'Nothing accepts events, so the gateway holds the money of every charge, prompt and order with splits until POST /api/charges/{reference}/acknowledge.'
}
