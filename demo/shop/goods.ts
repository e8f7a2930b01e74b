// What the demo shop sells, and the orders of it.

/** Prices are in whole Kenyan shillings. */
export const GOODS = [
  { id: 'kikoi', name: 'Kikoi beach wrap', detail: 'Handwoven cotton from Lamu', price: 1500 },
  { id: 'coffee', name: 'Nyeri coffee, 500\u00a0g', detail: 'Whole beans, roasted on Monday', price: 850 },
] as const

export const SHOP_NAME = 'Pwani Goods'
/** Links for a shopper who needs help. No operator gives out such a number. */
export const SHOP_HELP = 'tel:+254 700 000 000 | mailto:hello@pwani.example'
/** How shoppers can pay, by the names on the payment page. */
export const SHOP_METHODS = 'MoMo, Wavelet, card, bank'
export const CURRENCY = 'KES'
/** As many digits as {@link priceOf} reads. */
export const MAX_SHILLINGS = 999_999_999

/** Returns a reference that contains the price, so that the demo needs no database. A real shop stores its prices. */
export function orderReference(amount: number, token: string): string {
  return `demo-${amount}-${token}`
}

/** Returns the address of the payment server's page of an order, which says how its payment stands. */
export function orderPage(bff: string, order: string): string {
  return `${bff}/pay/${encodeURIComponent(order)}`
}

/** Returns the name of what costs `amount` whole shillings: a URL may ask for any amount. */
export function goodAt(amount: number): string {
  return GOODS.find(({ price }) => price === amount)?.name ?? 'Gift voucher'
}

/** Returns the price in an order's reference, in whole shillings; `null` if the reference contains no price. */
export function priceOf(reference: string): string | null {
  return /^demo-([1-9]\d{0,8})-[\w-]{1,80}$/.exec(reference)?.[1] ?? null
}

export type Standing = 'open' | 'fulfilled' | 'part_paid' | 'unpaid' | 'taken_back' | 'look_at_it'

/** An order, as the signed events of the payment server have left it. */
export interface Order {
  order: string
  standing: Standing
  /** Decimal text in major units of the currency. */
  amount_paid: string
  currency: string
  /** The types of the received events, oldest first. */
  heard: string[]
}
