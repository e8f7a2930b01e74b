export type Standing = 'open' | 'fulfilled' | 'part_paid' | 'unpaid' | 'taken_back' | 'look_at_it'

export interface Order {
  order: string
  standing: Standing
  // Decimal text in major units of the currency.
  amount_paid: string
  currency: string
  // Types of the received events, oldest first.
  heard: string[]
}
