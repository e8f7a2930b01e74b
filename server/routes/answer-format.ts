/** What a client wants in return: JSON, a page, or a redirect. */

import { isJson } from './request-body.ts'

import type { Context } from 'hono'

/** Returns whether to respond with JSON, not with a page or a redirect: the client accepts JSON, or has sent it. */
export function wantsJson(c: Context): boolean {
  return isJson(c) || (c.req.header('accept')?.includes('application/json') ?? false)
}

/** Returns whether to respond with a page: the client is a browser that navigates. */
export function wantsPage(c: Context): boolean {
  return !wantsJson(c) && (c.req.header('accept')?.includes('text/html') ?? false)
}
