/** Answers failed requests: a browser that shows pages gets a page, every other client a problem document. */

import { PAYER_FIELDS } from 'gateway-checkout/words'

import { PROBLEMS } from '../api/problem-codes.ts'
import { refuse } from '../api/refusal.ts'
import { parseUrl } from '../contract/parse.ts'
import { isAllowedOrigin } from './allowed-pages.ts'
import { wantsPage } from './answer-format.ts'
import { checkoutHeaders, setHeaders } from './headers.ts'
import { answerPage, failurePage, lostPage } from './pages.tsx'
import { answerProblem, retryHeaders, toProblem } from './problem.ts'
import { mountOf } from './public-url.ts'
import { postedLanguage } from './request-body.ts'
import { FOR_ANY_PAGE } from './widget-files.ts'

import type { Refusal } from '../api/refusal.ts'
import type { Config } from '../config/config.ts'
import type { Frame } from './pages.tsx'
import type { Needs } from './route.ts'
import type { Context, Hono } from 'hono'

export function declareFailures(app: Hono, deps: Needs<'config' | 'randomness' | 'log'>): void {
  const { publicUrl, allowedOrigins } = deps.config
  app.notFound((c) => {
    const { path } = c.req
    const mount = mountOf(path)
    // The page that loads the widget, or calls this server, may then read the hint.
    if (mount !== null) {
      setHeaders(c, FOR_ANY_PAGE)
    }

    const hint =
      mount && ` If this server is mounted below ${mount}, PUBLIC_URL (${publicUrl}) needs that path.`
    return answerFailure(c, refuse('not_found', `There is no ${path} here.${hint ?? ''}`), deps)
  })
  app.onError((error, c) => {
    // Some of these routes set their headers only with the response that they did not come to.
    if (c.req.path.startsWith('/checkout/')) {
      setHeaders(c, checkoutHeaders(c, allowedOrigins))
    }
    return answerFailure(c, toProblem(error, deps.log, c), deps)
  })
}

async function answerFailure(
  c: Context,
  refusal: Refusal,
  deps: Needs<'config' | 'randomness'>,
): Promise<Response> {
  // Only shoppers take the way back, whatever their browser or the gateway asks for.
  const isWayBack = c.req.path.startsWith('/checkout/return')
  if (!isWayBack && !wantsPage(c)) {
    return answerProblem(c, refusal, deps.config.publicUrl)
  }

  const { code, detail: message, evidence } = refusal
  const { status, retryable } = PROBLEMS[code]
  setHeaders(c, retryHeaders(refusal))
  const fields = PAYER_FIELDS.filter((field) => evidence.errors?.some(({ path }) => path === field))
  const failure = { code, message, retryable, fields }
  const back = backPage(c, deps.config)
  const render = (frame: Frame) =>
    code === 'not_found' ? lostPage(frame, failure, back) : failurePage(frame, failure, back)
  return answerPage(c, deps, { render, status, requested: postedLanguage(c) })
}

/**
 * Returns the page that sent the request, or its origin's front page, if it is the shop's; otherwise the front page of
 * the only shop, and `null` if there are several.
 */
function backPage(c: Context, { publicUrl, allowedOrigins }: Config): string | null {
  const pages = [c.req.header('referer'), c.req.header('origin')].map((text) => parseUrl(text ?? ''))
  const sender = pages.find((page) => page && isAllowedOrigin(page.origin, publicUrl, allowedOrigins))
  const onlyShop = allowedOrigins.length === 1 ? parseUrl(allowedOrigins[0] ?? '') : null
  return (sender ?? onlyShop)?.href ?? null
}
