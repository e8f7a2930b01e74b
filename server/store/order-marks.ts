/** The marks of signed orders in the store. */

import { z } from 'zod'

import type { MerchantAccount } from './merchant-account.ts'

/**
 * The mark of an order identifies the newest version of the order that the merchant's backend has signed. With the
 * mark, the server recognizes and refuses an older version that has other terms (`orders/signed.ts`).
 */
export const OrderMark = z.object({
  /** The time at which this version was signed, in seconds since the Unix epoch. */
  issued_at: z.int(),
  /** SHA-256 of the terms of this version, such as the amount. */
  digest: z.string(),
})
export type OrderMark = z.output<typeof OrderMark>

export interface OrderMarkStore {
  /**
   * Stores `mark` for the order with the reference `order`, unless the order already has a mark with an equal or later
   * `issued_at`. Resolves with the mark that is stored after the call.
   */
  markOrder(account: MerchantAccount, order: string, mark: OrderMark): Promise<OrderMark>
}
