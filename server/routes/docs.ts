/**
 * Declares the pages for developers: `GET /` and `GET /docs` say what this server is and show the OpenAPI document and
 * the problems, `GET /openapi.json` returns the document, and `GET /llms.txt` says to language models how to use this
 * server. All are public and return no secrets.
 */

import { etag } from 'hono/etag'
import { html } from 'hono/html'

import { PROBLEM_CODES, PROBLEM_HELP, PROBLEMS } from '../api/problem-codes.ts'
import LLMS from '../llms.txt?raw'
import { article, POLICY, referencePage } from '../openapi/page.ts'
import { version } from '../package.json'
import { etagOf } from './headers.ts'
import { createDocument, eventTypesOf } from './openapi.ts'
import { tagOf } from './public-url.ts'

import type { Config } from '../config/config.ts'
import type { Document } from '../openapi/document.ts'
import type { Html } from '../openapi/page.ts'
import type { Feature } from './feature.ts'
import type { Hono } from 'hono'

const PAGE = { 'content-type': 'text/html; charset=UTF-8', 'content-security-policy': POLICY }

/** @param features Their events are in the document. */
export function declareDocs(app: Hono, config: Config, features: readonly Feature[]): void {
  const document = once(() => createDocument(app, config.publicUrl, eventTypesOf(features)))
  const page = () => docsPage(config, document())
  declare('/', PAGE, page)
  declare('/docs', PAGE, page)
  declare('/openapi.json', { 'content-type': 'application/json' }, () => JSON.stringify(document()))
  declare('/llms.txt', { 'content-type': 'text/plain; charset=UTF-8' }, () => LLMS)

  function declare(path: string, headers: Record<string, string>, create: () => string | Html): void {
    // The body is created when it is first requested, because creating it earlier would delay every start. All
    // responses share its bytes, so that slow clients take no more memory.
    const answer = once(async () => {
      const bytes = new TextEncoder().encode(String(await create()))
      return { bytes, headers: { ...headers, etag: etagOf(bytes), 'cache-control': 'public, max-age=300' } }
    })
    // The middleware compares the header If-None-Match with the ETag of the response.
    app.get(path, etag(), async (c) => {
      const { bytes, headers } = await answer()
      return c.body(bytes, 200, headers)
    })
  }
}

function once<Result>(create: () => Result): () => Result {
  let created: Result | undefined
  return () => (created ??= create())
}

function docsPage({ publicUrl, environment }: Config, document: Document): Html {
  const notice = environment === 'sandbox' && ', in the sandbox environment: no real money moves'
  const articles = PROBLEM_CODES.map((code) => {
    const { status, title, retryable } = PROBLEMS[code]
    const advice = retryable ? ' The same request may succeed later.' : ''
    return article(code, code, [`HTTP ${status}. ${title}.${advice}`, PROBLEM_HELP[code]])
  })
  const intro = html`<p>
      The payment server behind <code>&lt;gateway-checkout&gt;</code>${notice}. Shoppers pay on the pages of
      their shop; there is nothing to buy here.
    </p>
    <pre tabindex="0">${tagOf(publicUrl).join('\n')}</pre>
    <p>
      Address: <code>${publicUrl}</code>. Routes below <code>/api</code> take
      <code>Authorization: Bearer MERCHANT_API_KEY</code>. Failures are RFC 9457 documents with a stable
      <code>code</code>. This page as OpenAPI 3.1: <a href="${publicUrl}/openapi.json">openapi.json</a>.
      Whether a payment can be stored now: <a href="${publicUrl}/health/ready">health/ready</a>.
    </p>`
  const title = `gateway-checkout-server ${version}`
  const problems = { name: 'Problems', description: 'The codes of failures.', articles }
  return referencePage(title, intro, document, [problems])
}
