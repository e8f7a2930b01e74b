/**
 * Defines where a shopper returns to, from all starts of one checkout. Whoever knows an order can start it, and the
 * return page cannot tell by whose start a shopper comes, so no start may decide for the others. Pure.
 */

import { z } from 'zod'

export const Visit = z.object({
  /** How the shopper opened the hosted page; `redirect` if the starts differ. */
  launch: z.enum(['redirect', 'popup']),
  /** The URL that shoppers are redirected to; `null` if there is none, or the starts differ. */
  return_url: z.string().nullable(),
  /** Whether `return_url` is the order's own. The order's URL has priority over those of the starts. */
  is_order_url: z.boolean().default(false),
  /** The URLs that the return page links to if the starts differ; otherwise empty. */
  links: z.array(z.string()).default([]),
  /**
   * The origin of the page that opened a pop-up first; `null` if no start had an `Origin` header. The return page in
   * the pop-up notifies only this origin.
   */
  origin: z.string().nullable(),
  /** The language that all starts requested; `null` if they differ: the browser's language is used. */
  lang: z.string().nullable(),
})
export type Visit = z.output<typeof Visit>

/** Largest number of links. A checkout changes only a few times, however many starts it has. */
const MAX_LINKS = 5

/** Returns the visit for all starts so far and another start. Returns `visit` itself if nothing changes. */
export function addStart(visit: Visit, start: Visit): Visit {
  const isSameLaunch = visit.launch === start.launch
  const added: Visit = {
    launch: isSameLaunch ? visit.launch : 'redirect',
    ...returnOf(visit, start, isSameLaunch),
    origin: visit.origin ?? start.origin,
    lang: visit.lang === start.lang ? visit.lang : null,
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

function urlsOf({ return_url, links }: Visit): string[] {
  return return_url === null ? links : [return_url]
}
