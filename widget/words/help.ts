/** Reads the addresses at which a shopper reaches the shop, and decides who needs them. Pure. */

import { isPhoneAsking } from '../session/state.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { Failure } from '../bff/failure.ts'
import type { Words } from './en.ts'

const ADDRESS = /^(?:tel:([+*#\d().\s-]*\d[\s#]*)|mailto:([^\s@?]+@[^\s@?]+)(?:\?\S*)?|https:\/\/[^\s/]\S*)$/i

/**
 * Returns the links of the attribute `help`, which is one address, or several with `|` between them. An entry that is no
 * address gives `null`.
 */
export function helpLinks(help: string, { contact }: Pick<Words, 'contact'>) {
  return help.split('|').flatMap((entry) => {
    const address = entry.trim()
    const found = ADDRESS.exec(address)
    const link = found && { href: address.replaceAll(/\s/g, ''), text: found[1] ?? found[2] ?? contact }
    return address ? [link] : []
  })
}

/**
 * Returns whether the shopper may have to ask the shop: money may have moved, an SMS may contradict the failure, or the
 * error's sentence says so. Nothing leads away from the hosted page.
 */
export function needsShop(about: CheckoutView | Failure): boolean {
  if ('outcome' in about) return about.outcome !== 'waiting' || isPhoneAsking(about)
  return !about.retryable && about.code !== 'order_expired'
}
