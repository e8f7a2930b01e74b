/**
 * Serves the files of the built widget from memory: `/gateway-checkout.js`, a copy of it whose name contains the
 * widget's version, the chunks that it imports, and the source maps. They are compressed as the browser accepts it,
 * unless a framework passes on the response.
 */

import { Hono } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

import { createSecurityHeaders, etagOf, setHeaders } from './headers.ts'
import { problem } from './problem.ts'

/** The content encodings in which the build writes a file, the smallest first, with the suffixes of the names. */
const ENCODINGS = { br: '.br', gzip: '.gz', identity: '' } as const

/** A file in one content encoding. */
interface Variant {
  encoding: string
  bytes: Uint8Array<ArrayBuffer>
  etag: string
}

const NAME = /^gateway-checkout[@/\w.-]*\.js(\.map)?$/
/** Matches the names of files whose content never changes, because the name contains a version or a content hash. */
const PINNED = /^gateway-checkout[@/]/
const ONE_YEAR = 'public, max-age=31536000, immutable'
const FIVE_MINUTES = 'public, max-age=300, must-revalidate'
/**
 * The response headers that let pages of any origin load the files. An error response for a missing file has these
 * headers too: otherwise browsers would name their lack as the error.
 */
export const FOR_ANY_PAGE = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

export function widgetRoutes(): Hono {
  let files: Map<string, Variant[]> | null = null
  const app = new Hono()
  // The handler checks the name, because Hono's fast router cannot combine a regular expression with other paths.
  app.get('/gateway-checkout*', async (c, next) => {
    setHeaders(c, FOR_ANY_PAGE)
    const name = c.req.path.slice(1)
    if (!NAME.test(name)) {
      return next()
    }

    // Only Node's own HTTP server has `incoming`. Frameworks compress by themselves, and Next removes the header
    // Content-Encoding from what it passes on.
    const acceptEncoding = 'incoming' in Object(c.env) ? c.req.header('accept-encoding') : undefined
    return serve(name, acceptEncoding, c.req.header('if-none-match'))
  })
  return app

  function serve(name: string, acceptEncoding: string | undefined, ifNoneMatch: string | undefined) {
    files ??= readFiles()
    const variant = choose(files.get(name) ?? [], acceptEncoding)
    if (!variant) {
      throw problem('not_found', `This server has no ${name}.`)
    }

    const { encoding, bytes, etag } = variant
    const headers = {
      ...createSecurityHeaders(),
      ...FOR_ANY_PAGE,
      'cache-control': PINNED.test(name) ? ONE_YEAR : FIVE_MINUTES,
      etag,
      vary: 'Accept-Encoding',
    }
    // A proxy that compresses the response adds the prefix W/ to the ETag.
    if (ifNoneMatch?.includes(etag)) {
      return new Response(null, { status: 304, headers })
    }

    const encoded = encoding === 'identity' ? {} : { 'content-encoding': encoding }
    return new Response(bytes, { headers: { ...headers, ...encoded, ...contentHeaders(name) } })
  }
}

/** Returns the variant with the encoding that a header `Accept-Encoding` prefers; of equal ones, the smallest. */
function choose(variants: readonly Variant[], acceptEncoding: string | undefined): Variant | undefined {
  const accepted = parseAccept(acceptEncoding ?? '')

  const qualityOf = ({ encoding }: Variant): number => {
    const named = accepted.find(({ type }) => type.toLowerCase() === encoding)
    return (named ?? accepted.find(({ type }) => type === '*'))?.q ?? 0
  }

  return variants
    .filter((variant) => variant.encoding === 'identity' || qualityOf(variant) > 0)
    .toSorted((left, right) => qualityOf(right) - qualityOf(left))[0]
}

/** The header `sourcemap` names the source map, because the file contains no link to it. */
function contentHeaders(name: string): Record<string, string> {
  if (name.endsWith('.map')) {
    return { 'content-type': 'application/json' }
  }
  return { 'content-type': 'text/javascript; charset=utf-8', sourcemap: `${basename(name)}.map` }
}

/**
 * Returns the files of the package `gateway-checkout` by name; none if the package is not installed. All files are read
 * together, so that a later update of the widget on disk cannot mix files of two versions.
 */
function readFiles(): Map<string, Variant[]> {
  const folder = findFolder()
  if (folder === null) {
    return new Map()
  }

  const paths = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  const names = [...paths].filter((path) => NAME.test(path))
  const readVariants = (name: string) =>
    Object.entries(ENCODINGS)
      .filter(([, suffix]) => paths.has(name + suffix))
      .map(([encoding, suffix]) => readVariant(join(folder, name + suffix), encoding))
  return new Map(names.map((name) => [name, readVariants(name)]))
}

function readVariant(path: string, encoding: string): Variant {
  const bytes = readFileSync(path)
  return { encoding, bytes, etag: etagOf(bytes) }
}

function findFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('gateway-checkout/gateway-checkout.js'))
  } catch {
    return null
  }
}
