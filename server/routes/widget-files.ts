/**
 * Serves the files of the built widget from memory: `/gateway-checkout.js`, a copy of `/gateway-checkout.js` whose name
 * contains the widget's version, the chunks that the widget imports, and the source maps.
 */

import type { ScriptSignatures } from '../config/script-signatures.ts'
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { Hono } from 'hono'
import { isScript, readBuiltWidget, verifyScripts } from '../scripts/built-widget.ts'
import { signatureHeaders } from '../scripts/signature.ts'
import { createSecurityHeaders } from './headers.ts'
import { ProblemError } from './problem.ts'

interface File {
  text: string
  etag: string
  /** The headers with which browsers verify a script; empty without signatures. */
  signature: Record<string, string>
}

/**
 * Matches the names of files whose content never changes, because the name contains a version or a content hash.
 * Browsers may cache these files for a year.
 */
const PINNED = /^gateway-checkout[@/]/
const NAME = /^gateway-checkout[@/\w.-]*\.js(\.map)?$/
/**
 * The response headers that let pages of any origin load the files. An error response for a missing file has these
 * headers too. If a browser names a key in Accept-Signature, the browser does not use a cached file that has another
 * signature or none, because the browser would refuse to run this file.
 */
const FOR_ANY_PAGE = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  vary: 'Accept-Signature',
}
const FOREVER = 'public, max-age=31536000, immutable'
const A_WHILE = 'public, max-age=300, must-revalidate'

/**
 * Declares the routes of the widget's files.
 *
 * @throws {ConfigError} if `signatures` are given and do not match the files.
 */
export function widgetRoutes(signatures: ScriptSignatures | null): Hono {
  let files = signatures ? readFiles(signatures) : null
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
    files ??= readFiles(null)
    const file = files.get(name)
    if (!file) throw new ProblemError('not_found', `This server has no ${name}.`)
    const cacheControl = PINNED.test(name) ? FOREVER : A_WHILE
    const headers = {
      ...createSecurityHeaders(),
      ...FOR_ANY_PAGE,
      'cache-control': cacheControl,
      etag: file.etag,
      ...file.signature,
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

function readFiles(signatures: ScriptSignatures | null): Map<string, File> {
  const texts = readBuiltWidget()
  if (signatures) verifyScripts(texts, signatures)
  return new Map(
    [...texts].map(([name, text]) => {
      const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
      const value = signatures?.signatures[name]
      const signature =
        signatures && value && isScript(name) ? signatureHeaders(text, signatures.integrity, value) : {}
      return [name, { text, etag, signature }]
    }),
  )
}
