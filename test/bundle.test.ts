import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createBuilder } from 'vite'
import { afterAll, describe, expect, test } from 'vitest'

import { toNodeHandler } from '../server/listener/node-handler.ts'
import { silentLog } from '../server/log/log.ts'
import { widgetRoutes } from '../server/routes/widget-files.ts'
import { listen } from './support/free-port.ts'
import { createLimitedShop } from './support/worlds/limited-shop.ts'
import { createListeningShop } from './support/worlds/listening-shop.ts'
import { createWorld } from './support/worlds/world.ts'

import type { IncomingMessage, RequestListener } from 'node:http'

const DIST = 'widget/dist'
const FILE = `${DIST}/gateway-checkout.js`
const CLASSIC = `${DIST}/gateway-checkout.classic.js`
const ALL = `${DIST}/gateway-checkout.all.js`
const { version: VERSION }: { version: string } = JSON.parse(readFileSync('widget/package.json', 'utf8'))
const LARGEST_BROTLI_BYTES = 7_500
const LARGEST_SECOND_FILE_BROTLI_BYTES = 20_000
const LARGEST_CHUNK_BROTLI_BYTES = 2_200
/** The encoder of lean-qr, and what draws the code. */
const LARGEST_CODE_BROTLI_BYTES = 2_400
const LARGEST_MESSAGES_BROTLI_BYTES = 1_800

const ALLOWED_SOURCES = [
  /^widget\//,
  /^server\/(contract\/status|api\/(status|view))\.ts$/,
  /^node_modules\/(lean-qr|lit|lit-html|lit-element|@lit\/reactive-element)\//,
]

const chunks = existsSync(`${DIST}/gateway-checkout`)
  ? readdirSync(`${DIST}/gateway-checkout`).filter((name) => name.endsWith('.js'))
  : []

const SECOND_NAME = chunks.find((name) => name.startsWith('flow-')) ?? ''
const SECOND = `${DIST}/gateway-checkout/${SECOND_NAME}`

describe('over the wire', () => {
  const BROWSER = 'gzip, deflate, br, zstd'

  test.each([
    ['serve', () => createListeningShop()],
    ['embed', () => listening(toNodeHandler(createLimitedShop().app, 'https://pay.shop.example', silentLog))],
  ])('what a page loads from %s before the first press is 7.5 kB or less', async (_, start) => {
    const { port, close } = await start()
    const { headers, body } = await receive(port, '/gateway-checkout.js', { 'accept-encoding': BROWSER })
    const second = await receive(port, `/gateway-checkout/${SECOND_NAME}`, { 'accept-encoding': BROWSER })
    close()
    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect(brotliDecompressSync(body)).toEqual(readFileSync(FILE))
    expect(body.byteLength).toBeLessThanOrEqual(LARGEST_BROTLI_BYTES)
    expect(second.body.byteLength).toBeLessThanOrEqual(LARGEST_SECOND_FILE_BROTLI_BYTES)
  })

  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0', undefined],
    ['br;q=0.2, gzip;q=0.8', 'gzip'],
    ['gzip;q=0.8, br;q=0.8', 'br'],
    ['identity, br;q=0.5', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['zstd', undefined],
  ])('Accept-Encoding: %s gets the encoding %s', async (accepted, encoding) => {
    const { port, close } = await createListeningShop()
    const asked = accepted === undefined ? {} : { 'accept-encoding': accepted }
    const { headers, body } = await receive(port, '/gateway-checkout.js', asked)
    close()
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'Accept-Encoding'])
    const text = encoding === 'br' ? brotliDecompressSync(body) : encoding ? gunzipSync(body) : body
    expect(text).toEqual(readFileSync(FILE))
  })

  test('a framework that passes on a response without its Content-Encoding passes on what a browser reads', async () => {
    const headers = { 'accept-encoding': BROWSER }
    const answer = await widgetRoutes().request(
      '/gateway-checkout.js',
      { headers },
      { address: '203.0.113.7' },
    )
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(readFileSync(FILE))
  })

  test('each encoding has an ETag of its own, which stands for no other', async () => {
    const { port, close } = await createListeningShop()
    const ask = (encoding: string, known = '') =>
      receive(port, '/gateway-checkout.js', { 'accept-encoding': encoding, 'if-none-match': known })
    const etags: string[] = []
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { etag = '' } = (await ask(encoding)).headers
      etags.push(etag)
      const { status, headers, body } = await ask(encoding, `W/${etag}`)
      expect([status, headers.vary, body.byteLength]).toEqual([304, 'Accept-Encoding', 0])
    }

    expect(new Set(etags).size).toBe(3)
    expect((await ask('br', etags[1])).status).toBe(200)
    close()
  })
})

async function listening(handler: RequestListener) {
  const server = createServer(handler)
  const { port } = new URL(await listen(server))
  return { port: Number(port), close: () => server.close() }
}

/** Resolves with the response as it arrives: `node:http` decompresses nothing. */
async function receive(port: number, path: string, headers: Record<string, string>) {
  const request = get({ port, path, headers: { ...headers, connection: 'close' } })
  const [response]: IncomingMessage[] = await once(request, 'response')
  return { status: response!.statusCode, headers: response!.headers, body: await buffer(response!) }
}

test('the second file, four languages and rare parts are separate small files', () => {
  const sizes = chunks.map((name) => {
    const bytes = brotliCompressSync(readFileSync(`${DIST}/gateway-checkout/${name}`)).byteLength
    return [name.replace(/-[\w-]{6}\.js$/, ''), bytes] as const
  })
  expect(sizes.map(([name]) => name)).toEqual(
    'ar console diagnosis flow fr overlay pt qr-code receipt-buttons sw'.split(' '),
  )
  const largest: Record<string, number> = {
    console: LARGEST_MESSAGES_BROTLI_BYTES,
    diagnosis: LARGEST_MESSAGES_BROTLI_BYTES,
    flow: LARGEST_SECOND_FILE_BROTLI_BYTES,
    'qr-code': LARGEST_CODE_BROTLI_BYTES,
  }
  expect(sizes.filter(([name, bytes]) => bytes > (largest[name] ?? LARGEST_CHUNK_BROTLI_BYTES))).toEqual([])
})

test.each([FILE, CLASSIC, ALL, ...chunks.map((name) => `${DIST}/gateway-checkout/${name}`)])(
  '%s is made of the widget and lit alone',
  (file) => {
    expect(sourcesOf(file).filter((path) => !ALLOWED_SOURCES.some((pattern) => pattern.test(path)))).toEqual(
      [],
    )
    expect(readFileSync(file, 'utf8')).not.toMatch(
      /zod|ZodError|country_calling_codes|node:[a-z]+|x-access-token|consumer_secret/,
    )
  },
)

test('chunks are beside the file, under names that change with their content', () => {
  const named = new Set([FILE, SECOND].flatMap((file) => importedBy(file)))
  const again = `gateway-checkout/${SECOND_NAME}?again`
  expect(named).toEqual(new Set([...chunks.map((name) => `gateway-checkout/${name}`), again]))
  for (const name of chunks) {
    expect(name).toMatch(/^[a-z][\w-]*-[\w-]{6}\.js$/)
  }
})

/** Returns the paths of the files that a file downloads later. */
function importedBy(file: string): string[] {
  const dynamic = /import\(\s*[`'"]([^`'"]+)[`'"]/g
  return [...readFileSync(file, 'utf8').matchAll(dynamic)].map(([, name = '']) =>
    posix.relative(DIST, posix.join(posix.dirname(file), name)),
  )
}

test('a chunk imports nothing at its start, so that it is the same beside the file of a version', () => {
  for (const name of chunks) {
    expect(readFileSync(`${DIST}/gateway-checkout/${name}`, 'utf8')).not.toMatch(/\bimport\b(?!\()/)
  }
})

test('the classic script and the module with every language in it load nothing later', () => {
  expect(readFileSync(CLASSIC, 'utf8')).not.toMatch(/\bimport\(|\bexport\b/)
  expect(readFileSync(ALL, 'utf8')).not.toMatch(/\bimport\b(?!\.meta)/)
})

test('each file has a copy with a permanent name, and an import map has the hashes of all copies', () => {
  for (const file of [FILE, CLASSIC, ALL]) {
    expect(readFileSync(pinned(file), 'utf8')).toBe(readFileSync(file, 'utf8'))
  }

  const { integrity } = JSON.parse(readFileSync(`${DIST}/integrity.json`, 'utf8'))
  const names = [FILE, CLASSIC, ALL].map((file) => posix.basename(pinned(file)))
  expect(integrity).toEqual(
    Object.fromEntries(
      [
        ...names,
        ...chunks.map((name) => `gateway-checkout/${name}`),
        `gateway-checkout/${SECOND_NAME}?again`,
      ].map((name) => [
        `./${name}`,
        `sha384-${createHash('sha384')
          .update(readFileSync(`${DIST}/${name.replace('?again', '')}`))
          .digest('base64')}`,
      ]),
    ),
  )
})

function pinned(file: string): string {
  return file.replace('gateway-checkout.', `gateway-checkout@${VERSION}.`)
}

function sourcesOf(file: string): string[] {
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
})

test('the payment server makes permanent names cacheable forever, and the others revalidated', async () => {
  const shop = await createWorld()
  const caching = async (path: string) => (await shop.ask(path)).headers.get('cache-control')
  for (const file of [FILE, CLASSIC, ALL]) {
    const name = posix.basename(file)
    expect(await caching(`/${name}`)).toBe('public, max-age=300, must-revalidate')
    expect(await caching(`/${posix.basename(pinned(name))}`)).toMatch(/immutable/)
  }

  for (const name of chunks) {
    expect(await caching(`/gateway-checkout/${name}`)).toMatch(/immutable/)
  }

  expect((await shop.ask('/gateway-checkout@0.0.0.js')).status).toBe(404)
})

test('the payment server says where each source map is', async () => {
  const shop = await createWorld()
  for (const name of ['gateway-checkout.js', `gateway-checkout/${chunks[0]}`]) {
    const path = (await shop.ask(`/${name}`)).headers.get('sourcemap') ?? ''
    const map = await shop.ask(posix.join('/', posix.dirname(name), path))
    expect(map.headers.get('content-type')).toBe('application/json')
    expect(await map.text()).toBe(readFileSync(`${DIST}/${name}.map`, 'utf8'))
  }
})

const AGAIN = 'node_modules/.cache/built-again'
const BUILDS = ['widget', 'cdn', 'classic', 'all']

afterAll(() => rmSync(AGAIN, { recursive: true, force: true }))

// What the release proves: it takes a second build.
test.runIf(process.env.FULL)(
  'the widget built again is the same to the byte, its names included',
  async () => {
    const environments = Object.fromEntries(BUILDS.map((name) => [name, { build: { outDir: AGAIN } }]))
    const builder = await createBuilder({ logLevel: 'error', environments })
    for (const name of BUILDS) {
      await builder.build(builder.environments[name]!)
    }

    const again = scripts(AGAIN)
    const before = scripts('widget/dist')
    expect([...again.keys()]).toEqual([...before.keys()])
    expect(
      [...again].filter(([name, content]) => content !== before.get(name)).map(([name]) => name),
    ).toEqual([])
  },
  120_000,
)

function scripts(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const built = names.filter((name) => name.endsWith('.js') && !name.includes('@')).toSorted()
  return new Map(built.map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]))
}
