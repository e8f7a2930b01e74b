import { compare, sum } from '../../../server/contract/decimal.ts'
import { CURRENCIES } from '../money/currencies.ts'
import { fits } from '../money/amounts.ts'
import { PARTNERS, findPartner } from '../merchant.ts'
import type { SplitSettlement } from '../../../server/contract/charge.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
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
  splits: readonly SplitSettlement[],
  currency: CurrencyCode,
  available: { amount: Decimal; what: string },
): string | null {
  const { fractionDigits } = CURRENCIES[currency]
  for (const [index, { account, amount }] of splits.entries()) {
    const partner = findPartner(account)
    if (!partner) return `${WHERE}[${index}].account ${JSON.stringify(account)} is not a partner account.`
    if (partner.currency !== currency)
      return `${WHERE}[${index}].account ${JSON.stringify(account)} is in ${partner.currency}, not ${currency}.`
    if (!fits(String(amount), fractionDigits))
      return `${WHERE}[${index}].amount must have at most ${fractionDigits} fraction digits.`
  }
  // [assumed] A charge without splits needs no split for a dynamic account; several splits may go to one account.
  const absent = dynamicIn(currency).find((wanted) => splits.every(({ account }) => account !== wanted))
  if (splits.length > 0 && absent !== undefined) return `${WHERE} must include the account ${absent}.`
  const total = totalOf(splits)
  if (compare(total, available.amount) <= 0) return null
  return `${WHERE} add up to ${total}, more than the ${available.amount} ${available.what}.`
}

export function totalOf(splits: readonly SplitSettlement[]): Decimal {
  return sum(splits.map(({ amount }) => String(amount)))
}

function dynamicIn(currency: CurrencyCode): readonly string[] {
  const dynamic = PARTNERS.filter((partner) => partner.isDynamic && partner.currency === currency)
  return dynamic.map(({ accountNumber }) => accountNumber)
}
