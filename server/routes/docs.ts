/**
 * Declares `GET /openapi.json`, the OpenAPI document, and `GET /docs`, which shows the document as a page. Both are
 * public and contain no secrets.
 */

import type { Hono } from 'hono'
import type { RouteDeps } from './route.ts'
import { readDocument } from './docs/document.ts'
import { docsPage } from './docs/page.tsx'
import { createDocument } from './openapi.ts'
import { answerPage } from './pages.tsx'

export function declareDocs(app: Hono, { config: { publicUrl }, randomness }: RouteDeps): void {
  // The document is created on the first request: most servers never receive such a request, and creating the document
  // would delay every start.
  let created: ReturnType<typeof createDocument> | undefined
  const document = () => (created ??= createDocument(app, publicUrl))

  app.get('/openapi.json', async (c) => c.json(await document()))
  app.get('/docs', async (c) => {
    const nonce = randomness.token()
    const page = docsPage({ publicUrl, document: readDocument(await document()), nonce })
    return answerPage(c, await page, nonce, 200)
  })
}
