/**
 * Defines the visit of a checkout: how the shopper opens the hosted page, and where the return page sends the shopper.
 * Pure.
 *
 * Every initiate request has its own visit. The checkout stores one visit, merged from the visits of all its initiate
 * requests. Anybody who knows an order can send such a request, and the return page cannot tell which request a
 * returning shopper sent. If the requests differ, the stored visit therefore prefers none of them.
 */

import { createHash } from 'node:crypto'
import { z } from 'zod'

export const Visit = z.object({
  /** How the shopper opened the hosted page; `redirect` if the checkout's initiate requests differ. */
  launch: z.enum(['redirect', 'popup']),
  /**
   * The URL to which the return page redirects shoppers; `null` if there is no URL, or the initiate requests differ.
   */
  return_url: z.string().nullable(),
  /** Whether `return_url` comes from the order. The order's URL has priority over the URLs in initiate requests. */
  is_order_url: z.boolean().default(false),
  /** The URLs that the return page links to if the initiate requests differ; otherwise empty. */
  links: z.array(z.string()).default([]),
  /**
   * The `Origin` header of the first initiate request that has this header; `null` if no request has it. The return
   * page in a pop-up notifies only this origin.
   */
  origin: z.string().nullable(),
  /**
   * The language that all initiate requests contain; `null` if they differ. The return page then uses the browser's
   * language.
   */
  lang: z.string().nullable(),
  /** SHA-256 of the order texts that started the checkout. Signed orders are not among them: their claims suffice. */
  texts: z.array(z.string()).default([]),
})
export type Visit = z.output<typeof Visit>

/** The maximum number of `links`. It also limits how often initiate requests can change the stored checkout. */
const MAX_LINKS = 5
/** Largest number of order texts. A resolver may find one order by several texts. */
const MAX_TEXTS = 5

/** Merges the visit of another initiate request into the stored visit. Returns `visit` itself if nothing changes. */
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

/** Returns the SHA-256 of an order text, which may be a secret. */
export function digestText(order: string): string {
  return createHash('sha256').update(order).digest('base64url')
}

function urlsOf({ return_url, links }: Visit): string[] {
  return return_url === null ? links : [return_url]
}
