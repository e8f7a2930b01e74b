/** Reads the addresses at which a shopper reaches the shop, and decides who needs them. Pure. */

import { hasReceipt, phoneAsks } from '../state/state.ts'
import { isOver, UNANSWERED_MS } from './sentence-choice.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { Failure } from '../state/failure.ts'

const ADDRESS =
  /^(tel:(?<phone>[+*#\d().\s-]*\d[\s#]*)|mailto:(?<email>[^\s@?]+@[^\s@?]+)(\?\S*)?|https:\/\/(?<page>[^\s/?#][^\s?#]*?)\/?([?#]\S*)?)$/i

/**
 * Returns the links of the attribute `help`, which is one address, or several with `|` between them. The text of a link
 * is its address, so that no two links have the same name. An entry that is no address gives `null`.
 */
export function helpLinks(help: string) {
  const entries = help.split('|').map((entry) => entry.trim())
  return entries.filter(Boolean).map((entry) => {
    const address = ADDRESS.exec(entry)
    const { phone, email, page } = address?.groups ?? {}
    return address && { href: entry.replaceAll(/\s/g, ''), text: phone ?? email ?? page }
  })
}

/**
 * Returns whether the shopper may have to ask the shop: money may have moved, or an SMS may contradict the failure. While
 * the shopper pays on the hosted page, no link leads away from it, and a prompt that has just arrived is answered on the
 * phone.
 *
 * @param now The BFF's time, in milliseconds since the Unix epoch.
 */
export function needsShop(view: CheckoutView, now: number): boolean {
  if (phoneAsks(view)) {
    return now - Date.parse(view.updated_at) >= UNANSWERED_MS
  }
  return view.outcome !== 'waiting' || isOver(view, now)
}

/** Returns whether the shop can help after an error: its sentence says so, and nothing has to be corrected. */
export function failureNeedsShop({ retryable, code, fields }: Failure): boolean {
  return !retryable && code !== 'order_expired' && fields.length === 0
}

/** Returns whether the shopper has paid the full amount without a discrepancy, and seldom needs the shop. */
export function isCalm(view: CheckoutView | null): boolean {
  return view?.outcome === 'paid' && !view.discrepancy
}

/**
 * Returns whether only the shop can help: then, its addresses are in view. Elsewhere they are folded, because the shopper
 * can still pay, or the payment is being checked, or is complete.
 */
export function onlyShopHelps(about: CheckoutView | Failure): boolean {
  return !('outcome' in about) || (hasReceipt(about) && !isCalm(about))
}
