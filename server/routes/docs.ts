/** `GET /openapi.json`, and `GET /docs`: the same document as a page. Both are public and hold no secret. */

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
  // Created by the first request: most servers never answer one, and every start would pay for it.
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
