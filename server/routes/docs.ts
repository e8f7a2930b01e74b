/**
 * Declares the pages for developers: `GET /` says what this server is, `GET /docs` shows the OpenAPI document and the
 * problems, `GET /openapi.json` returns the document, and `GET /llms.txt` says to language models how to use this
 * server. All are public and return no secrets. The pages have no scripts.
 */

import type { Context, Hono } from 'hono'
import type { RouteDeps } from './route.ts'
import { createHash } from 'node:crypto'
import LLMS from '../llms.txt?raw'
import { homePage, referencePage, STYLE } from './docs/pages.ts'
import { createDocument, readDocument } from './openapi.ts'

/** A response body that is created once. All responses share its bytes, so that slow clients take no more memory. */
interface Constant {
  bytes: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
}

export function declareDocs(app: Hono, { config: { publicUrl, environment } }: RouteDeps): void {
  const document = once(() => createDocument(app, publicUrl))
  const constants: Record<string, () => Promise<Constant>> = {
    '/openapi.json': async () => constant(JSON.stringify(await document()), 'application/json'),
    '/': async () => page(await homePage(publicUrl, environment)),
    '/docs': async () => page(await referencePage(publicUrl, readDocument(await document()))),
    '/llms.txt': async () => constant(LLMS, 'text/plain; charset=UTF-8'),
  }
  for (const [path, create] of Object.entries(constants)) {
    // Each body is created when it is first requested. Creating it earlier would delay every start.
    const created = once(create)
    app.get(path, async (c) => answer(c, await created()))
  }
}

function answer(c: Context, { bytes, headers }: Constant): Response {
  const etag = headers['etag'] ?? ''
  // A proxy that compresses the response adds the prefix W/ to the ETag.
  if (c.req.header('if-none-match')?.includes(etag)) return c.body(null, 304, headers)
  return c.body(bytes, 200, headers)
}

const POLICY = `default-src 'none'; style-src 'sha256-${hashOf(STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

function page(html: { toString(): string }): Constant {
  return constant(html.toString(), 'text/html; charset=UTF-8', { 'content-security-policy': POLICY })
}

function constant(text: string, type: string, headers: Record<string, string> = {}): Constant {
  const etag = `"${hashOf(text, 'base64url')}"`
  const cached = { 'content-type': type, etag, 'cache-control': 'public, max-age=300' }
  return { bytes: new TextEncoder().encode(text), headers: { ...cached, ...headers } }
}

function hashOf(text: string, encoding: 'base64' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding)
}

function once<Result>(create: () => Promise<Result>): () => Promise<Result> {
  let created: Promise<Result> | undefined
  return () => (created ??= create())
}
