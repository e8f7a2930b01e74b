/** The reusable links in the store, and the presses of their pages. */

import { z } from 'zod'

import { parseJson } from '../contract/parse.ts'

import type { MerchantAccount } from './merchant-account.ts'

const text = z.string()
const whole = z.int()

/** A link that many may pay. Each payer has an order of their own (`links/orders.ts`). */
export const StoredLink = z.object({
  /** An unguessable id, which the address of the link has. */
  id: text,
  /** Number of the link in the store. Newer links have higher numbers. */
  sequence: whole,
  /** What the merchant said, which `links/link.ts` validates. */
  terms: text.transform((json): unknown => parseJson(json) ?? json),
  created_at: whole,
  closed_at: whole.nullable(),
})
export type StoredLink = z.output<typeof StoredLink>

/** The press of a link's page, which makes an order. */
export const Press = z.object({
  /** The name of the order. */
  order: text,
  /** The id of the link. */
  link: text,
  /** What the payer chose, which `links/link.ts` validates. */
  choice: text.transform((json): unknown => parseJson(json) ?? json),
  /** What the payer answered, encrypted; `null` if the link asks nothing. */
  personal: text.nullable(),
})
export type Press = z.output<typeof Press>

export interface NewPress extends Omit<Press, 'choice'> {
  choice: object
  /** The fingerprint of the client network; `null` if the network is unknown. */
  network: string | null
  at: number
}

export interface LinkStore {
  insertLink(
    account: MerchantAccount,
    link: { id: string; terms: object; created_at: number },
  ): Promise<StoredLink>
  findLink(account: MerchantAccount, id: string): Promise<StoredLink | null>
  /** Resolves with the links after the one with the number `after`, oldest first. */
  listLinks(account: MerchantAccount, after: number, limit: number): Promise<StoredLink[]>
  /** Closes a link, unless it is closed. Resolves with the link; `null` without one. */
  closeLink(account: MerchantAccount, id: string, at: number): Promise<StoredLink | null>
  /**
   * Stores a press, unless its order has one: the first remains. Deletes the presses that `forgetPresses` would. Resolves
   * with `false` if a limit on presses is reached.
   */
  press(account: MerchantAccount, press: NewPress): Promise<boolean>
  /** Resolves with the press of an order; `null` without one. */
  findPress(account: MerchantAccount, order: string): Promise<Press | null>
  /** Deletes the presses whose time differs from `now` by `PRESS_LIFETIME_MS` (`rate-limits/presses.ts`) or more. */
  forgetPresses(account: MerchantAccount, now: number): Promise<void>
}
