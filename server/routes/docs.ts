/** `GET /openapi.json`, and `GET /docs`, which shows the document as a page. Both are public and contain no secrets. */

import type { Randomness } from '../randomness.ts'
import { Hono } from 'hono'
import { readDocument } from './docs/document.ts'
import { docsPage } from './docs/page.tsx'
import { createDocument } from './openapi.ts'
import { answerPage } from './pages.tsx'

interface DocsRoutes {
  /** The app whose routes are described. */
  app: Hono
  publicUrl: string
  randomness: Pick<Randomness, 'token'>
}

export function docsRoutes({ app: described, publicUrl, randomness }: DocsRoutes): Hono {
  // Created on the first request, because most servers never receive one and creation would delay every start.
  let created: ReturnType<typeof createDocument> | undefined
  const document = () => (created ??= createDocument(described, publicUrl))

  const app = new Hono()
  app.get('/openapi.json', async (c) => c.json(await document()))
  app.get('/docs', async (c) => {
    const nonce = randomness.token()
    const page = docsPage({ publicUrl, document: readDocument(await document()), nonce })
    return answerPage(c, await page, nonce, 200)
  })
  return app
}
