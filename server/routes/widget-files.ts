/** `GET /gateway-checkout.js` and its chunks: the built widget, read once. */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Hono } from 'hono'
import { ProblemError } from './problem.ts'

interface File {
  text: string
  etag: string
}

/** Chunks have their content's hash in their names, so they never change under one. */
const FOREVER = 'public, max-age=31536000, immutable'
const A_WHILE = 'public, max-age=300, must-revalidate'

export function widgetRoutes(): Hono {
  const folder = findWidget()
  const files = folder === null ? new Map<string, File>() : readFiles(folder)
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    c.header('access-control-allow-origin', '*')
    c.header('cross-origin-resource-policy', 'cross-origin')
  })

  app.get('/:name{gateway-checkout[.a-z]*\\.js}', (c) =>
    serve(c.req.param('name'), c.req.header('if-none-match'), A_WHILE),
  )
  app.get('/gateway-checkout/:chunk{[\\w.-]+\\.js}', (c) =>
    serve(`gateway-checkout/${c.req.param('chunk')}`, c.req.header('if-none-match'), FOREVER),
  )
  return app

  function serve(name: string, known: string | undefined, caching: string): Response {
    const file = files.get(name)
    if (!file) throw new ProblemError('not_found', `This server has no ${name}.`)
    const headers = { 'cache-control': caching, etag: file.etag }
    // A proxy that compresses makes it weak: W/"…".
    if (known?.includes(file.etag)) return new Response(null, { status: 304, headers })
    return new Response(file.text, {
      headers: { ...headers, 'content-type': 'text/javascript; charset=utf-8' },
    })
  }
}

/** The built widget of the same version lies in the package beside this one; `null` where it was not installed. */
function findWidget(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('gateway-checkout/gateway-checkout.js'))
  } catch {
    return null
  }
}

function readFiles(folder: string): Map<string, File> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const served = names.filter((name) => /^gateway-checkout[\w./-]*\.js$/.test(name))
  return new Map(
    served.map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
      return [name, { text, etag }]
    }),
  )
}
