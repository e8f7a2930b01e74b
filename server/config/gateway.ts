/** The settings of the gateway: URLs, credentials, and the service code and the account of each currency. */

import { z } from 'zod'

import { accountNumber } from '../contract/fields.ts'

import type { Secret } from './secret.ts'

/** One value for each currency, in the configured order, or one value for all currencies (`null`). */
type ByCurrency = readonly (readonly [currency: string | null, value: string])[]

/**
 * The configured service codes, the gateway's codes for the merchant's services. A service code determines the currency
 * of a checkout, because the request that creates a checkout has no field for the currency.
 */
export type ServiceCodes = ByCurrency

export interface GatewaySettings {
  readonly baseUrl: string
  /** The hosts that may serve the gateway's hosted page, each with its port if the port is not 443. */
  readonly pageHosts: readonly string[]
  readonly consumerKey: string
  readonly consumerSecret: Secret
  readonly serviceCodes: ServiceCodes
  /** The numbers of the merchant's accounts at the gateway. */
  readonly accountNumbers: ByCurrency
  /** The base URL of the gateway's endpoint for exchange rates. */
  readonly fxBaseUrl: string
  /** The base URL of the gateway's endpoint for service confirmations. */
  readonly acknowledgeBaseUrl: string
  /** The maximum number of requests to the gateway per second. Only status queries wait when it is reached. */
  readonly maxRps: number
}

/** [assumed] Service codes consist of printable ASCII, as account numbers do: what nobody sees was copied by mistake. */
const CurrencyPairs = z.array(
  z.tuple([
    z
      .string()
      .regex(/^[A-Z]{3}$/)
      .nullable(),
    accountNumber,
  ]),
)

/** Reads one value for all currencies, or one value for each currency: "KES=…,UGX=…". */
export function readByCurrency(text: string): ByCurrency | null {
  const pairs = text.includes('=') ? text.split(',').map((pair) => pair.trim().split('=')) : [[null, text]]
  return CurrencyPairs.safeParse(pairs).data ?? null
}

/**
 * Returns the service code or the account number for a currency; `undefined` if none is configured for this currency.
 *
 * @param currency An ISO 4217 code, not necessarily validated.
 */
export function valueFor(values: ByCurrency, currency: unknown): string | undefined {
  return values.find(([configured]) => configured === null || configured === currency)?.[1]
}

/**
 * Returns the currency of a service; `undefined` if the service code is not configured for exactly one currency.
 *
 * @param code A service code, not necessarily validated; `undefined` for the only configured service.
 */
export function currencyOf(serviceCodes: ServiceCodes, code: unknown): string | undefined {
  const [service, ...others] = serviceCodes.filter(([, each]) => code === undefined || each === code)
  return others.length === 0 ? (service?.[0] ?? undefined) : undefined
}
