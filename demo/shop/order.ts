/** An order as the shop's backend sends it to the shop's page. */

export type Standing = 'open' | 'fulfilled' | 'part_paid' | 'unpaid' | 'taken_back' | 'look_at_it'

export interface Order {
  order: string
  standing: Standing
  /** The paid amount, as decimal text in major units of the currency. */
  amount_paid: string
  currency: string
  /** The types of the received events, oldest first. A repeated delivery is listed once. */
  heard: string[]
}
