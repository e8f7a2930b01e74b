/**
 * Declares `GET /openapi.json`, which returns the OpenAPI document, and `GET /docs`, which shows the OpenAPI document
 * as a page. Both routes are public and return no secrets.
 */

import type { Hono } from 'hono'
import type { RouteDeps } from './route.ts'
import { readDocument } from './docs/document.ts'
import { docsPage } from './docs/page.tsx'
import { createDocument } from './openapi.ts'
import { answerPage } from './pages.tsx'

export function declareDocs(app: Hono, { config: { publicUrl }, randomness }: RouteDeps): void {
  // The document is created when it is first requested. Creating the document earlier would delay every start.
  let created: ReturnType<typeof createDocument> | undefined
  const document = () => (created ??= createDocument(app, publicUrl))

  app.get('/openapi.json', async (c) => c.json(await document()))
  app.get('/docs', async (c) => {
    const nonce = randomness.token()
    const page = docsPage({ publicUrl, document: readDocument(await document()), nonce })
    return answerPage(c, await page, nonce, 200)
  })
}
