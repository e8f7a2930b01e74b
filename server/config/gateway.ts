/** Reads the configuration of the gateway: URLs, credentials, service codes, and settings of charges. */

import type { Secrets } from './secret.ts'
import type { VariableName, Variables } from './variables.ts'
import { SplitSettlement } from '../contract/charge.ts'
import { currencyOfAlpha3 } from '../contract/countries.ts'
import { Secret } from './secret.ts'
import { parseUrl } from '../contract/parse-url.ts'
import { readPhoneNumber } from '../contract/phone-number.ts'

/**
 * The configured service codes: one code for orders in any currency (`any`), or one code for each currency
 * (`byCurrency`). A service code is the gateway's code for one of the merchant's services. The service code determines
 * the currency of a checkout, because the request that creates a checkout has no field for the currency.
 */
export type ServiceCodes = ByCurrency

/** One value for all currencies, or one value for each currency, in the configured order. */
type ByCurrency = { any: string } | { byCurrency: Readonly<Record<string, string>> }

/** The configured account numbers: one account for orders in any currency, or one account for each currency. */
export type AccountNumbers = ByCurrency

export interface GatewaySettings {
  readonly baseUrl: string
  /** The hosts that may serve the gateway's hosted page, each with its port if the port is not 443. */
  readonly pageHosts: readonly string[]
  readonly consumerKey: string
  readonly consumerSecret: Secret
  readonly serviceCodes: ServiceCodes
  readonly accountNumbers: AccountNumbers
  /** The base URL of the gateway's endpoint for exchange rates. */
  readonly fxBaseUrl: string
  /** The base URL of the gateway's endpoint for service confirmations. */
  readonly acknowledgeBaseUrl: string
  /**
   * The maximum number of requests to the gateway per second. Only status queries wait when this maximum is reached.
   */
  readonly maxRps: number
}

const MAX_RPS = 50

/** A share of charges in one currency, or of charges in every currency if `currency` is `null`. */
export interface PartnerShare {
  readonly currency: string | null
  readonly share: SplitSettlement
}

/** An operator to which a charge can be sent. */
export interface ChargeMethod {
  /** The `payment_method_code` of a charge, such as MOMO_KEN. */
  readonly code: string
  /** The operator's name, which the shopper sees. */
  readonly name: string
  /** The beginnings of the operator's phone numbers, with the country's calling code. */
  readonly prefixes: readonly string[]
}

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

export function readGateway(variables: Variables, consumerSecrets: Secrets | undefined): GatewaySettings {
  const baseUrl = variables.base('GATEWAY_BASE_URL') ?? ''
  const serviceCodes = readByCurrency(variables, 'GATEWAY_SERVICE_CODE', 'CODE')
  const accountNumbers = readAccountNumbers(variables, serviceCodes)
  const pageHosts = variables.list('GATEWAY_PAGE_HOSTS', isHost, 'a host such as pay.example')
  return {
    baseUrl,
    pageHosts: pageHosts ?? (baseUrl ? [new URL(baseUrl).host] : []),
    consumerKey: variables.secrets('GATEWAY_CONSUMER_KEY')?.[0].reveal() ?? '',
    consumerSecret: consumerSecrets?.[0] ?? new Secret(''),
    serviceCodes,
    accountNumbers,
    fxBaseUrl: variables.optionalBase('GATEWAY_FX_BASE_URL') ?? baseUrl,
    acknowledgeBaseUrl: variables.optionalBase('GATEWAY_ACKNOWLEDGE_BASE_URL') ?? baseUrl,
    maxRps: variables.integer('GATEWAY_MAX_RPS', 5, 100_000) ?? MAX_RPS,
  }
}

/**
 * Adds a message to `problems` for each configured credential that belongs to the sandbox. The credentials of the
 * sandbox are public.
 */
export function refuseSandboxCredentials(
  variables: Variables,
  { consumerKey, consumerSecret }: GatewaySettings,
): void {
  const problem = 'belongs to the sandbox, and everybody knows it: production has its own.'
  if (/^sandbox-key(-2)?$/.test(consumerKey)) variables.problems.push(`GATEWAY_CONSUMER_KEY ${problem}`)
  if (/^sandbox-secret(-2)?$/.test(consumerSecret.reveal()))
    variables.problems.push(`GATEWAY_CONSUMER_SECRET ${problem}`)
}

/**
 * Reads GATEWAY_ACCOUNT_NUMBER. If it has an account for each currency, it needs one for each currency of
 * GATEWAY_SERVICE_CODE.
 *
 * [assumed] A merchant has one account for each currency.
 */
function readAccountNumbers(variables: Variables, serviceCodes: ServiceCodes): AccountNumbers {
  const name = 'GATEWAY_ACCOUNT_NUMBER'
  const numbers = readByCurrency(variables, name, 'NUMBER')
  if ('any' in numbers || 'any' in serviceCodes) return numbers
  const missing = Object.keys(serviceCodes.byCurrency).filter(
    (currency) => !Object.hasOwn(numbers.byCurrency, currency),
  )
  if (missing.length > 0)
    variables.problems.push(
      `${name} has no account for ${missing.join(', ')}, which GATEWAY_SERVICE_CODE has services for.`,
    )
  return numbers
}

/** Reads a variable with one value for all currencies, or with one value for each currency: "KES=…,UGX=…". */
function readByCurrency(variables: Variables, name: VariableName, what: string): ByCurrency {
  const value = variables.required(name) ?? ''
  if (!value.includes('=')) return { any: value }
  const pairs = value.split(',').map((pair) => pair.trim().split('='))
  const isPair = ([currency, one, ...rest]: string[]) =>
    /^[A-Z]{3}$/.test(currency ?? '') && one && rest.length === 0
  if (!pairs.every(isPair)) {
    const rule = `one ${what.toLowerCase()}, or CURRENCY=${what} pairs such as KES=…,UGX=…`
    variables.problems.push(`${name} must be ${rule}.`)
  }
  return { byCurrency: Object.fromEntries(pairs) }
}

/**
 * Returns the service code or the account number for a currency; `undefined` if none is configured for this currency.
 *
 * @param currency An ISO 4217 code, not necessarily validated.
 */
export function valueFor(values: ByCurrency, currency: unknown): string | undefined {
  if ('any' in values) return values.any
  return typeof currency === 'string' && Object.hasOwn(values.byCurrency, currency)
    ? values.byCurrency[currency]
    : undefined
}

/** Returns each configured value with its currency; the currency is `null` if the value is for all currencies. */
export function entriesOf(values: ByCurrency): [currency: string | null, value: string][] {
  return 'any' in values ? [[null, values.any]] : Object.entries(values.byCurrency)
}

/**
 * Returns the currency of a service; `undefined` if the service code is not configured for exactly one currency.
 *
 * @param code A service code, not necessarily validated; `undefined` for the only configured service.
 */
export function currencyOf(serviceCodes: ServiceCodes, code: unknown): string | undefined {
  if ('any' in serviceCodes) return undefined
  const { byCurrency } = serviceCodes
  const found = Object.keys(byCurrency).filter((each) => code === undefined || byCurrency[each] === code)
  return found.length === 1 ? found[0] : undefined
}

export function readCharges(variables: Variables): ChargeTerms | null {
  const isPath = (value: string) => /^(\/[\w.~-]+)+\/*$/.test(value)
  const path = variables.optional('GATEWAY_CHARGE_PATH', isPath, 'a path such as /v1/charges')
  const statusPath = readChargeStatusPath(variables, path)
  const isShort = (value: string) => Array.from(value).length <= 32
  const clientCode = variables.optional('GATEWAY_CLIENT_CODE', isShort, 'at most 32 characters') ?? null
  const partners = readPartners(variables)
  const methods = readChargeMethods(variables, path !== undefined)
  return path === undefined ? null : { path: withoutSlash(path), statusPath, clientCode, methods, partners }
}

/**
 * Reads GATEWAY_CHARGE_STATUS_PATH. The spec does not show this path.
 *
 * [assumed] Default: the status is queried at `{GATEWAY_CHARGE_PATH}/:external_reference/status`.
 */
function readChargeStatusPath(variables: Variables, chargePath: string | undefined): string {
  const name = 'GATEWAY_CHARGE_STATUS_PATH'
  const isPath = (value: string) =>
    /^(\/([\w.~-]+|:external_reference|:charge_request_id))+\/*$/.test(value) && value.split(':').length === 2
  const rule =
    'a path with either :external_reference or :charge_request_id, such as /v1/transaction/:charge_request_id/status'
  const path = variables.optional(name, isPath, rule)
  if (path !== undefined && chargePath === undefined)
    variables.problems.push(`${name} needs GATEWAY_CHARGE_PATH: charges are off without it.`)
  return withoutSlash(path ?? `${withoutSlash(chargePath ?? '')}/:external_reference/status`)
}

function withoutSlash(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '')
}

/**
 * Reads PARTNER_ACCOUNTS_DYNAMIC: the shares of partner accounts that every charge includes. The spec requires these
 * shares, but does not say their amounts.
 *
 * [assumed] The merchant configures the amounts.
 */
function readPartners(variables: Variables): PartnerShare[] {
  const name = 'PARTNER_ACCOUNTS_DYNAMIC'
  const entries =
    variables.list(
      name,
      (entry) => readPartner(entry) !== null,
      'ACCOUNT=AMOUNT:REASON or CURRENCY/ACCOUNT=AMOUNT:REASON',
    ) ?? []
  const partners = entries.flatMap((entry) => readPartner(entry) ?? [])
  const accounts = partners.map(({ share }) => share.account)
  for (const account of accounts.filter((each, index) => accounts.indexOf(each) !== index)) {
    variables.problems.push(`${name} names ${account} more than once.`)
  }
  return partners
}

/**
 * Parses an entry of PARTNER_ACCOUNTS_DYNAMIC, such as "PARTNER-FEES=25:Platform fee" or "KES/PARTNER-FEES=25:Fee".
 * Returns `null` if the entry is invalid.
 */
function readPartner(entry: string): PartnerShare | null {
  const [, currency = null, account, amount, reason] =
    /^(?:([A-Z]{3})\/)?(?![A-Z]{3}\/)([^=]+)=([^:]+):(.+)$/.exec(entry) ?? []
  const { data } = SplitSettlement.safeParse({ account: account?.trim(), amount, reason: reason?.trim() })
  return data ? { currency, share: data } : null
}

/** Returns the shares that a charge in this currency includes. */
export function partnerSharesIn({ partners }: ChargeTerms, currency: string): SplitSettlement[] {
  return partners
    .filter((partner) => partner.currency === null || partner.currency === currency)
    .map(({ share }) => share)
}

const METHOD = /^([\w.-]{1,32})(?:=([^:=]{1,50})(?::(\d{1,15}(?: +\d{1,15})*))?)?$/

/**
 * Reads GATEWAY_CHARGE_METHODS: the mobile operators whose customers can approve a payment on the phone, without the
 * hosted page.
 */
function readChargeMethods(variables: Variables, areChargesOn: boolean): readonly ChargeMethod[] {
  const name = 'GATEWAY_CHARGE_METHODS'
  const rule = 'CODE, CODE=NAME or CODE=NAME:PREFIX PREFIX, such as MOMO_KEN=MoMo:25470 25471'
  const entries = variables.list(name, (entry) => METHOD.test(entry), rule) ?? []
  const methods = entries.flatMap((entry) => readMethod(entry) ?? [])
  const codes = methods.map(({ code }) => code)
  for (const code of codes.filter((each, index) => codes.indexOf(each) !== index))
    variables.problems.push(`${name} names ${code} more than once.`)
  if (methods.length > 0 && !areChargesOn)
    variables.problems.push(`${name} needs GATEWAY_CHARGE_PATH: charges are off without it.`)
  return methods
}

function readMethod(entry: string): ChargeMethod | null {
  const [, code, name = '', prefixes = ''] = METHOD.exec(entry) ?? []
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

function isHost(text: string): boolean {
  return parseUrl(`https://${text}`)?.host === text
}
