/** `GET /openapi.json`, and `GET /docs`: the same for people. Public, and without a secret in it. */

import type { Randomness } from '../randomness.ts'
import { Hono } from 'hono'
import { docsPage } from './docs/page.tsx'
import { createDocument } from './openapi/document.ts'
import { answerPage } from './pages.tsx'

interface DocsRoutes {
  publicUrl: string
  randomness: Pick<Randomness, 'token'>
}

export function docsRoutes({ publicUrl, randomness }: DocsRoutes): Hono {
  // Made when somebody first asks: most servers are never asked, and every start would pay for it.
  let made: ReturnType<typeof createDocument> | undefined
  const document = () => (made ??= createDocument(publicUrl))

  const app = new Hono()
  app.get('/openapi.json', (c) => c.json(document()))
  app.get('/docs', async (c) => {
    const nonce = randomness.token()
    const { schemas } = document().components
    return answerPage(c, await docsPage({ publicUrl, schemas, nonce }), nonce, 200)
  })
  return app
}
