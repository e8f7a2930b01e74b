/**
 * Declares the pages for developers: `GET /` and `GET /docs` say what this server is and show the OpenAPI document and
 * the problems, `GET /openapi.json` returns the document, and `GET /llms.txt` says to language models how to use this
 * server. All are public and return no secrets. The page has no scripts.
 */

import type { Hono } from 'hono'
import type { Config } from '../config/config.ts'
import type { Document } from '../openapi/document.ts'
import type { Html } from '../openapi/page.ts'
import type { RouteDeps } from './route.ts'
import LLMS from '../llms.txt?raw'
import { etag } from 'hono/etag'
import { html } from 'hono/html'
import { PROBLEM_CODES, PROBLEM_HELP, PROBLEMS } from '../api/problem-codes.ts'
import { article, POLICY, referencePage } from '../openapi/page.ts'
import { version } from '../package.json'
import { tagOf } from './public-url.ts'
import { etagOf } from './headers.ts'
import { createDocument } from './openapi.ts'

export function declareDocs(app: Hono, { config }: RouteDeps): void {
  const document = once(async () => createDocument(app, config.publicUrl))
  const reference = async () => pageOf(config, await document())
  const constants: Record<string, [type: string, create: () => unknown]> = {
    '/openapi.json': ['application/json', async () => JSON.stringify(await document())],
    '/': ['text/html; charset=UTF-8', reference],
    '/docs': ['text/html; charset=UTF-8', reference],
    '/llms.txt': ['text/plain; charset=UTF-8', () => LLMS],
  }
  for (const [path, [type, create]] of Object.entries(constants)) {
    // Each body is created when it is first requested, because creating it earlier would delay every start. All
    // responses share its bytes, so that slow clients take no more memory.
    const created = once(async () => {
      const bytes = new TextEncoder().encode(String(await create()))
      return { bytes, etag: etagOf(bytes) }
    })
    app.get(path, etag(), async (c) => {
      const { bytes, etag: known } = await created()
      return c.body(bytes, 200, {
        'content-type': type,
        'cache-control': 'public, max-age=300',
        etag: known,
        ...(type.startsWith('text/html') && { 'content-security-policy': POLICY }),
      })
    })
  }
}

function once<Result>(create: () => Promise<Result>): () => Promise<Result> {
  let created: Promise<Result> | undefined
  return () => (created ??= create())
}

function pageOf({ publicUrl, environment }: Config, document: Document): Html {
  const isTest = environment === 'sandbox' && ', in the sandbox environment: no real money moves'
  const problems = PROBLEM_CODES.map((code) => {
    const { status, title, retryable } = PROBLEMS[code]
    const again = retryable ? ' The same request may succeed later.' : ''
    return article(code, code, [`HTTP ${status}. ${title}.${again}`, PROBLEM_HELP[code]])
  })
  const intro = html`<p>
      The payment server behind <code>&lt;gateway-checkout&gt;</code>${isTest}. Shoppers pay on the pages of
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
  return referencePage(title, intro, document, [['Problems', 'The codes of failures.', problems]])
}
