/** The shop's goods, and order references that contain the price. */

/** Prices are in whole Kenyan shillings. */
export const GOODS = [
  { id: 'kikoi', name: 'Kikoi beach wrap', detail: 'Handwoven cotton from Lamu', price: 1500 },
  { id: 'coffee', name: 'Nyeri coffee, 500 g', detail: 'Whole beans, roasted on Monday', price: 850 },
] as const

export const CURRENCY = 'KES'
/** Maximum price in whole shillings: `priceOf` accepts at most nine digits. */
export const MOST_SHILLINGS = 999_999_999

/**
 * Returns an order reference that contains the price, so that the demo needs no database of orders. A real shop
 * stores its orders and uses references that cannot be guessed.
 */
export function orderReference(amount: number, token: string): string {
  return `demo-${amount}-${token}`
}

/**
 * Returns the price in whole shillings, as decimal text; `null` if the reference has another form than `orderReference` gives it.
 */
export function priceOf(reference: string): string | null {
  return /^demo-([1-9]\d{0,8})-[\w-]{1,80}$/.exec(reference)?.[1] ?? null
}
