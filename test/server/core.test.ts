import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { linkModules } from '../create/packed.ts'
import { newFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { createCliWorld } from '../support/worlds/cli-world.ts'
import { start } from '../support/worlds/command-line.ts'
import { SHOP } from '../support/worlds/environment.ts'
import { PAYER } from '../support/worlds/world.ts'

const EVENTUALLY = { timeout: 60_000 }

const cli = await createCliWorld()
afterAll(() => cli.close())

const folder = newFolder(afterAll)
linkModules(folder)

/** The smallest server, as the README shows it, with the installed package. */
const card = await openCard()
afterAll(() => card.stop())

async function openCard() {
  const chapter = readFileSync('server/README.md', 'utf8').split('### Leave a feature out')[1] ?? ''
  const [, example = ''] = /```js\n(.*?)```/s.exec(chapter) ?? []
  const file = join(folder, 'card.mjs')
  const loaded = join(folder, 'loaded')
  writeFileSync(file, example)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = cli.fresh({
    PUBLIC_URL: url,
    ALLOWED_ORIGINS: SHOP,
    DEFAULT_COUNTRY: 'KE',
    HOST: '127.0.0.1',
    PORT: String(port),
    NODE_V8_COVERAGE: loaded,
  })
  const started = await start([], env, /listens on port/, file)
  let said = ''
  started.child.stdout.on('data', (piece: Buffer) => (said += piece.toString()))
  return { url, loaded, said: () => said, stop: () => started.stop() }
}

test('the smallest server of the README takes a payment and tells the merchant of it', async () => {
  const body = new URLSearchParams({ order: 'A-1001', ...PAYER })
  const headers = { accept: 'application/json', origin: SHOP }
  const started = await fetch(`${card.url}/checkout/initiate`, { method: 'POST', headers, body })
  expect(started.status).toBe(201)
  const { merchant_transaction_id: transaction } = await started.json()
  await cli.control(`/checkouts/${transaction}/pay`, { scenario: 'approve' })
  await expect.poll(card.said, EVENTUALLY).toContain('paid: fulfil order A-1001')
})

test('it has the routes of no other feature', async () => {
  const { paths } = await (await fetch(`${card.url}/openapi.json`)).json()
  expect(Object.keys(paths).filter((path) => /payouts|charges|airtime/.test(path))).toEqual([])
  expect(paths).toHaveProperty(['/checkout/initiate'])
})

test('it has loaded no module of another feature', async () => {
  await card.stop()
  const sources = loadedSources(card.loaded)
  expect(sources).toContain('server/checkouts/transition.ts')
  expect(sources.filter((path) => /^server\/(features\/)?(payouts|charges|airtime)\b/.test(path))).toEqual([])
})

/** Returns the sources in the files of the package that a process has loaded, which Node names when it ends. */
function loadedSources(coverage: string): string[] {
  const urls = readdirSync(coverage).flatMap((name) => {
    const { result }: { result: { url: string }[] } = JSON.parse(readFileSync(join(coverage, name), 'utf8'))
    return result.map(({ url }) => url)
  })
  const built = urls.flatMap((url) => /\/gateway-checkout-server\/(dist\/.*\.js)$/.exec(url)?.[1] ?? [])
  return [...new Set(built)].flatMap((name) => {
    const map = `server/${name}.map`
    const { sources }: { sources: string[] } = existsSync(map)
      ? JSON.parse(readFileSync(map, 'utf8'))
      : { sources: [] }
    return sources.map((source) => source.replace(/^(\.\.\/)+/, 'server/'))
  })
}
