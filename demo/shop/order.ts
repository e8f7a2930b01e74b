/** An order as the shop's backend shows it to the shop's page. */

export type Standing = 'open' | 'fulfilled' | 'part_paid' | 'unpaid' | 'taken_back' | 'look_at_it'

export interface Order {
  order: string
  standing: Standing
  /** Decimal text. */
  amount_paid: string
  currency: string
  /** Event types, oldest first, each delivery once. */
  heard: string[]
}
