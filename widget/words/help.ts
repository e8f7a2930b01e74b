/** Reads the addresses at which a shopper reaches the shop, and decides who needs them. Pure. */

import { phoneAsks } from '../state/state.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { Failure } from '../state/failure.ts'
import type { Words } from './en.ts'

const ADDRESS =
  /^(tel:(?<phone>[+*#\d().\s-]*\d[\s#]*)|mailto:(?<email>[^\s@?]+@[^\s@?]+)(\?\S*)?|https:\/\/[^\s/]\S*)$/i

/**
 * Returns the links of the attribute `help`, which is one address, or several with `|` between them. An entry that is
 * no address gives `null`.
 */
export function helpLinks(help: string, { contact }: Pick<Words, 'contact'>) {
  const entries = help.split('|').map((entry) => entry.trim())
  return entries.filter(Boolean).map((entry) => {
    const address = ADDRESS.exec(entry)
    const { phone, email } = address?.groups ?? {}
    return address && { href: entry.replaceAll(/\s/g, ''), text: phone ?? email ?? contact }
  })
}

/**
 * Returns whether the shopper may have to ask the shop: money may have moved, an SMS may contradict the failure, or the
 * error's sentence says so. While the shopper pays on the hosted page, no link leads away from it.
 */
export function needsShop(about: CheckoutView | Failure): boolean {
  if ('outcome' in about) {
    return about.outcome !== 'waiting' || phoneAsks(about)
  }
  return !about.retryable && about.code !== 'order_expired'
}
