/**
 * Serves the files of the built widget from memory: `/gateway-checkout.js`, a copy of `/gateway-checkout.js` whose name
 * contains the widget's version, the chunks that the widget imports, and the source maps.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Hono } from 'hono'
import { createSecurityHeaders } from './headers.ts'
import { ProblemError } from './problem.ts'

interface File {
  text: string
  etag: string
}

/**
 * Matches the names of files whose content never changes, because the name contains a version or a content hash.
 * Browsers may cache these files for a year.
 */
const PINNED = /^gateway-checkout[@/]/
const NAME = /^gateway-checkout[@/\w.-]*\.js(\.map)?$/
/**
 * The response headers that let pages of any origin load the files. An error response for a missing file has these
 * headers too.
 */
const FOR_ANY_PAGE = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}
const FOREVER = 'public, max-age=31536000, immutable'
const A_WHILE = 'public, max-age=300, must-revalidate'

export function widgetRoutes(): Hono {
  let files: Map<string, File> | null = null
  const app = new Hono()
  // The handler checks the name, because Hono's fast router cannot combine a regular expression with other paths.
  app.get('/gateway-checkout*', (c, next) => {
    const name = c.req.path.slice(1)
    if (!NAME.test(name)) return next()
    for (const [header, value] of Object.entries(FOR_ANY_PAGE)) c.header(header, value)
    return Promise.resolve(serve(name, c.req.header('if-none-match')))
  })
  return app

  function serve(name: string, known: string | undefined): Response {
    files ??= readFiles()
    const file = files.get(name)
    if (!file) throw new ProblemError('not_found', `This server has no ${name}.`)
    const cacheControl = PINNED.test(name) ? FOREVER : A_WHILE
    const headers = {
      ...createSecurityHeaders(),
      ...FOR_ANY_PAGE,
      'cache-control': cacheControl,
      etag: file.etag,
    }
    // A proxy that compresses the response adds the prefix W/ to the ETag.
    if (known?.includes(file.etag)) return new Response(null, { status: 304, headers })
    return new Response(file.text, { headers: { ...headers, ...describe(name) } })
  }
}

/**
 * Returns the response headers for a file. The header `sourcemap` names the source map, because the file contains no
 * link to its source map.
 */
function describe(name: string): Record<string, string> {
  if (name.endsWith('.map')) return { 'content-type': 'application/json' }
  return { 'content-type': 'text/javascript; charset=utf-8', sourcemap: `${basename(name)}.map` }
}

/**
 * Returns the files of the package `gateway-checkout` by name; none if the package is not installed. All files are read
 * together, so that a later update of the widget on disk cannot mix files of two versions.
 */
function readFiles(): Map<string, File> {
  const folder = findFolder()
  if (folder === null) return new Map()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => NAME.test(name))
  return new Map(
    names.map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
      return [name, { text, etag }]
    }),
  )
}

function findFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('gateway-checkout/gateway-checkout.js'))
  } catch {
    return null
  }
}
