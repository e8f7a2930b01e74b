/**
 * Defines the visit of a checkout: how the shopper opens the hosted page, and where the return page sends the shopper.
 * Pure.
 *
 * A checkout may be started by several requests from browsers, for example from two tabs, and each request contains its
 * own visit. The checkout stores one visit, merged from the visits of all these requests. Anybody who knows an order
 * can send such a request, and the return page cannot tell which request a returning shopper sent. Where the
 * requests differ, the stored visit therefore contains a neutral value, except in `origin`.
 */

import { createHash } from 'node:crypto'
import { z } from 'zod'

export const Visit = z.object({
  /**
   * How the shopper opened the hosted page; `redirect` if the requests that started the checkout differ in `launch`.
   */
  launch: z.enum(['redirect', 'popup']),
  /**
   * The URL to which the return page redirects shoppers. If the order has a URL, it is that URL. Otherwise, it is the URL
   * in the requests that started the checkout, or `null` if these requests have no URL or differ in the URL or `launch`.
   */
  return_url: z.string().nullable(),
  /**
   * Whether `return_url` comes from the order. The order's URL has priority over URLs in the requests from browsers.
   */
  is_order_url: z.boolean(),
  /**
   * The URLs to which the return page links instead of redirecting, because the requests that started the checkout
   * differ in the URL or in `launch`. Empty if there is only one URL to redirect to, or none.
   */
  links: z.array(z.string()),
  /**
   * The `Origin` header of the first request for this checkout that has one; `null` if no request has one. In a pop-up,
   * the return page notifies only this origin.
   */
  origin: z.string().nullable(),
  /**
   * The shopper's language; `null` if the requests that started the checkout contain different languages. The return
   * page then uses the browser's language.
   */
  lang: z.string().nullable(),
  /**
   * The SHA-256 digests (base64url) of the order references that browsers sent to start the checkout. To resume the
   * checkout, a page has to send one of these references. Empty for signed orders: the server then compares the
   * reference in the page's signed order with the checkout's order.
   */
  texts: z.array(z.string()),
})
export type Visit = z.output<typeof Visit>

/**
 * The maximum number of `links`. This maximum also limits how often further requests can change the stored checkout.
 */
const MAX_LINKS = 5
/** The maximum number of `texts`. A merchant's backend may accept several references for one order. */
const MAX_TEXTS = 5

/**
 * Merges `start`, the visit of another request that started the checkout, into the stored visit. Returns `visit` itself
 * if nothing changes.
 */
export function addStart(visit: Visit, start: Visit): Visit {
  const isSameLaunch = visit.launch === start.launch
  const added: Visit = {
    launch: isSameLaunch ? visit.launch : 'redirect',
    ...returnOf(visit, start, isSameLaunch),
    origin: visit.origin ?? start.origin,
    lang: visit.lang === start.lang ? visit.lang : null,
    texts: [...new Set([...visit.texts, ...start.texts])].slice(0, MAX_TEXTS),
  }
  return JSON.stringify(added) === JSON.stringify({ ...added, ...visit }) ? visit : added
}

function returnOf(
  visit: Visit,
  start: Visit,
  isSameLaunch: boolean,
): Pick<Visit, 'return_url' | 'is_order_url' | 'links'> {
  if (start.is_order_url) return { return_url: start.return_url, is_order_url: true, links: [] }
  const urls = [...new Set([...urlsOf(visit), ...urlsOf(start)])].slice(0, MAX_LINKS)
  const isOne = urls.length < 2 && isSameLaunch && visit.links.length === 0
  return { return_url: (isOne && urls[0]) || null, is_order_url: false, links: isOne ? [] : urls }
}

/**
 * Returns the SHA-256 digest of an order reference, in base64url. Only the digest is stored in the visit, because an
 * order reference may be a secret.
 */
export function digestOrder(order: string): string {
  return createHash('sha256').update(order).digest('base64url')
}

function urlsOf({ return_url, links }: Visit): string[] {
  return return_url === null ? links : [return_url]
}
