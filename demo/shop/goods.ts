/** What the shop sells, and how the reference of an order tells its price. */

export interface Good {
  id: 'kikoi' | 'coffee'
  name: string
  detail: string
  /** Whole Kenyan shillings. */
  price: number
}

export const GOODS: readonly Good[] = [
  { id: 'kikoi', name: 'Kikoi beach wrap', detail: 'Handwoven cotton from Lamu', price: 1500 },
  { id: 'coffee', name: 'Nyeri coffee, 500 g', detail: 'Whole beans, roasted on Monday', price: 850 },
]

export const CURRENCY = 'KES'

/**
 * A shop would write the order down and hand out an unguessable reference. Here the reference itself carries
 * the price, so that anybody can try any amount without a database.
 */
export function orderReference(amount: number, token: string): string {
  return `demo-${amount}-${token}`
}

/** The price in whole shillings, as decimal text; `null` for a reference that is not one of this shop's. */
export function priceOf(reference: string): string | null {
  return /^demo-([1-9]\d{0,8})-[\w-]{1,80}$/.exec(reference)?.[1] ?? null
}
