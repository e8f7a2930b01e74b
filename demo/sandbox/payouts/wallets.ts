/** Providers of mobile money wallets, by the ids that payouts name. [spec: Local payout request, destination_name] */

import { currencyOf } from '../money/currencies.ts'
import type { CurrencyCode } from '../money/currencies.ts'

/**
 * The currency of the provider's wallets; `undefined` for an id that is no provider.
 *
 * [assumed] The spec does not list the operators. The ids have the form seen in the field: an operator, an
 * underscore and an ISO 3166-1 alpha-3 code, such as MOMO_KEN.
 */
export function walletCurrencyOf(provider: string): CurrencyCode | undefined {
  const country = /^(?:MOMO|WAVELET)_([A-Z]{3})$/.exec(provider)?.[1]
  return country === undefined ? undefined : currencyOf(country)
}
