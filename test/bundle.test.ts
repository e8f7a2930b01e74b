/** What a merchant's page downloads. Reads what `npm run build` left in `widget/dist`. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createWorld } from './support/world.ts'

const DIST = 'widget/dist'
const FILE = `${DIST}/gateway-checkout.js`
const CLASSIC = `${DIST}/gateway-checkout.classic.js`
/**
 * The aim is 12,000. Lit itself is 5,300 of it, and words, styles and templates are 3,900; until the rest is smaller,
 * this keeps it from growing.
 */
const LARGEST_BROTLI_BYTES = 14_500

/** What a browser may be given: the widget, lit, and the plain files of the contract. */
const WELCOME = [
  /^widget\//,
  /^server\/contract\/(status|view|countries|decimal)\.ts$/,
  /^node_modules\/(lit|lit-html|lit-element|@lit\/reactive-element)\//,
]

const chunks = existsSync(`${DIST}/gateway-checkout`)
  ? readdirSync(`${DIST}/gateway-checkout`).filter((name) => name.endsWith('.js'))
  : []

test('the one file that a page loads is 14.5 kB or less, everything included', () => {
  const bytes = brotliCompressSync(readFileSync(FILE)).byteLength
  expect(bytes).toBeLessThanOrEqual(LARGEST_BROTLI_BYTES)
})

test.each([FILE, CLASSIC, ...chunks.map((name) => `${DIST}/gateway-checkout/${name}`)])(
  '%s is made of the widget and lit alone',
  (file) => {
    expect(modules(file).filter((path) => !WELCOME.some((pattern) => pattern.test(path)))).toEqual([])
    expect(readFileSync(file, 'utf8')).not.toMatch(/zod|ZodError|node:[a-z]+|x-access-token|consumer_secret/)
  },
)

test('what is loaded later lies beside the file, under a name that changes with its content', () => {
  const dynamic = /import\(\s*[`'"]([^`'"]+)[`'"]/g
  const named = new Set([...readFileSync(FILE, 'utf8').matchAll(dynamic)].map(([, name]) => name))
  expect(named).toEqual(new Set(chunks.map((name) => `./gateway-checkout/${name}`)))
  for (const name of chunks) expect(name).toMatch(/^[a-z][\w-]*-[\w-]{8}\.js$/)
})

test('the classic script loads nothing later', () => {
  expect(readFileSync(CLASSIC, 'utf8')).not.toMatch(/\bimport\(|\bexport\b/)
})

/** The modules that a built file was made of, from its source map. */
function modules(file: string): string[] {
  const map: { sources: string[] } = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
  return map.sources.map((source) => posix.join(posix.dirname(file), source))
}

test('the payment server serves it to any page, and says when it has not changed', async () => {
  const shop = await createWorld()
  const served = await shop.ask('/gateway-checkout.js')
  expect(await served.text()).toBe(readFileSync(FILE, 'utf8'))
  expect(served.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(served.headers.get('access-control-allow-origin')).toBe('*')
  const etag = served.headers.get('etag') ?? ''
  expect((await shop.ask('/gateway-checkout.js', { headers: { 'if-none-match': etag } })).status).toBe(304)
  for (const name of chunks) {
    const chunk = await shop.ask(`/gateway-checkout/${name}`)
    expect([chunk.status, chunk.headers.get('cache-control')]).toEqual([
      200,
      expect.stringContaining('immutable'),
    ])
  }
})
