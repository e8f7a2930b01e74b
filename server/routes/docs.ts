/**
 * Declares `GET /openapi.json`, which returns the OpenAPI document, and `GET /docs`, which shows the OpenAPI document
 * as a page. `GET /` says what this server is, and `GET /llms.txt` says to language models how to use
 * it. All routes are public and return no secrets.
 */

import type { Context, Hono } from 'hono'
import type { RouteDeps } from './route.ts'
import { createHash } from 'node:crypto'
import { readDocument } from './docs/document.ts'
import { FILTER } from './docs/filter.ts'
import { homePage } from './docs/home.tsx'
import { docsPage } from './docs/page.tsx'
import { STYLE } from './docs/style.ts'
import LLMS from '../llms.txt?raw'
import { version } from '../package.json'
import { createDocument } from './openapi.ts'

/**
 * A response body that is created once. All responses share its bytes, so that clients that read slowly take no more
 * memory.
 */
interface Constant {
  bytes: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
}

export function declareDocs(app: Hono, { config: { publicUrl, environment } }: RouteDeps): void {
  // Both bodies are created when they are first requested. Creating them earlier would delay every start.
  const document = once(() => createDocument(app, publicUrl))
  const documentText = once(async () => constant(JSON.stringify(await document()), 'application/json'))
  const page = once(async () => {
    const html = await docsPage({ publicUrl, document: readDocument(await document()) })
    return pageOf(html, `script-src 'sha256-${hashOf(FILTER, 'base64')}'; `)
  })
  const home = once(async () => pageOf(await homePage({ publicUrl, environment, version })))
  const llms = once(async () => constant(LLMS, 'text/plain; charset=UTF-8'))

  app.get('/openapi.json', async (c) => answer(c, await documentText()))
  app.get('/', async (c) => answer(c, await home()))
  app.get('/docs', async (c) => answer(c, await page()))
  app.get('/llms.txt', async (c) => answer(c, await llms()))
}

function answer(c: Context, { bytes, headers }: Constant): Response {
  const etag = headers['etag'] ?? ''
  // A proxy that compresses the response adds the prefix W/ to the ETag.
  if (c.req.header('if-none-match')?.includes(etag)) return c.body(null, 304, headers)
  return c.body(bytes, 200, headers)
}

/** Both pages have the one style sheet, and load nothing. @param scripts The directive for the scripts of the page. */
function pageOf(html: { toString(): string }, scripts = ''): Constant {
  const policy = `default-src 'none'; ${scripts}style-src 'sha256-${hashOf(STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return constant(html.toString(), 'text/html; charset=UTF-8', { 'content-security-policy': policy })
}

function constant(text: string, type: string, headers: Record<string, string> = {}): Constant {
  const bytes = new TextEncoder().encode(text)
  const etag = `"${hashOf(text, 'base64url')}"`
  const cached = { 'content-type': type, etag, 'cache-control': 'public, max-age=300' }
  return { bytes, headers: { ...cached, ...headers } }
}

function hashOf(text: string, encoding: 'base64' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding)
}

function once<Result>(create: () => Promise<Result>): () => Promise<Result> {
  let created: Promise<Result> | undefined
  return () => (created ??= create())
}
