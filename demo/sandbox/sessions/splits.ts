import { compare, sum } from '../../../server/contract/decimal.ts'
import { CURRENCIES } from '../money/currencies.ts'
import { fits, tooFine } from '../money/amounts.ts'
import { findPartner } from '../merchant.ts'
import type { SplitSettlement } from '../../../server/contract/charge.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Merchant } from '../merchant.ts'
import type { CurrencyCode } from '../money/currencies.ts'

const WHERE = 'extra_data.split_settlements'

/**
 * Returns an error message for the first rule that the splits break; `null` if the splits are valid. [spec: Charge
 * request; Split settlement flow]
 *
 * @param available The maximum total of the splits. In the error message, `what` follows the amount: "more than the 100
 * of the charge".
 */
export function splitProblem(
  merchant: Merchant,
  splits: readonly SplitSettlement[],
  currency: CurrencyCode,
  available: { amount: Decimal; what: string },
): string | null {
  for (const [index, { account, amount }] of splits.entries()) {
    const partner = findPartner(merchant, account)
    if (!partner) return `${WHERE}[${index}].account ${JSON.stringify(account)} is not a partner account.`
    if (partner.currency !== currency)
      return `${WHERE}[${index}].account ${JSON.stringify(account)} is in ${partner.currency}, not ${currency}.`
    if (!fits(String(amount), CURRENCIES[currency]))
      return `${WHERE}[${index}].amount ${tooFine(CURRENCIES[currency])}`
  }
  // [spec: "must be included in every request"] [assumed] Several splits may go to one account.
  const absent = dynamicIn(merchant, currency).find((wanted) =>
    splits.every(({ account }) => account !== wanted),
  )
  if (absent !== undefined) return `${WHERE} must include the account ${absent}.`
  const total = totalOf(splits)
  if (compare(total, available.amount) <= 0) return null
  return `${WHERE} add up to ${total}, more than the ${available.amount} ${available.what}.`
}

export function totalOf(splits: readonly SplitSettlement[]): Decimal {
  return sum(splits.map(({ amount }) => String(amount)))
}

function dynamicIn({ partners }: Merchant, currency: CurrencyCode): readonly string[] {
  const dynamic = partners.filter((partner) => partner.isDynamic && partner.currency === currency)
  return dynamic.map(({ accountNumber }) => accountNumber)
}
