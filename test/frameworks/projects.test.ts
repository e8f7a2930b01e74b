import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { npm, packAll } from '../create/packed.ts'
import type { Packed } from '../create/packed.ts'
import { run } from '../create/shop.ts'
import { openChromium } from '../e2e/browser/open.ts'
import { createCliWorld } from '../support/cli-world.ts'
import { PAYER } from '../support/world.ts'
import { canInstallNode, installNode } from '../supply/install-node.ts'
import { linkModules } from '../supply/packed-server.ts'
import { copyProject, openShop, payOnPage } from './project.ts'

const TIMEOUT_MS = 900_000
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })
/** Next is 340 MB with its dependencies and builds for a minute: `npm test` runs its route without it. */
const isFull = Boolean(process.env.FULL)

const NEXT_LIKE = `node ${resolve('test/frameworks/next-like.mjs')}`

const folder = mkdtempSync(join(tmpdir(), 'projects-'))
let packed: Packed
let browser: Browser
let cli: Awaited<ReturnType<typeof createCliWorld>>
beforeAll(async () => {
  packed = packAll(join(folder, 'tarballs'))
  ;[cli, browser] = await Promise.all([createCliWorld(), openChromium()])
})
afterAll(async () => {
  await browser?.close()
  await cli?.close()
  rmSync(folder, { recursive: true })
})

test.each(isFull ? ['npm start', 'npm run dev'] : ['npm start'])(
  'the Vite project takes a payment: %s',
  async (command) => {
    const project = copyProject(folder, 'vite')
    linkModules(project, packed.libraries)
    await takesPayment(project, command)
  },
)

test("the Next project's route answers, and its instrumentation starts the workers", async () => {
  const project = copyProject(folder, 'next')
  linkModules(project, packed.libraries)
  const shop = await openShop(project, cli, NEXT_LIKE)
  try {
    expect(shop.said()).toContain('working before the first request')
    expect((await fetch(`${shop.url}/pay/gateway-checkout.js`)).headers.get('content-type')).toMatch(
      /javascript/,
    )
  } finally {
    await shop.stop()
  }
})

test('an edit of the orders reaches the payment server of the Next project, which runs on', async () => {
  const project = copyProject(folder, 'next')
  linkModules(project, packed.libraries)
  cpSync(join(project, 'pay.js'), join(project, 'edited/pay.js'))
  const edited = `export function findOrder(reference) { console.log('edited: ' + reference); return null }
export function fulfil() {}`
  writeFileSync(join(project, 'edited/orders.js'), edited)
  const shop = await openShop(project, cli, NEXT_LIKE)
  try {
    await fetch(`${shop.url}/reload`)
    const body = new URLSearchParams({ order: 'A-1', ...PAYER })
    await fetch(`${shop.url}/pay/checkout/initiate`, { method: 'POST', headers: { origin: shop.url }, body })
    await shop.says('edited: A-1')
  } finally {
    await shop.stop()
  }
})

test('a mistake in the variables ends the Next project, which prints it once', async () => {
  const project = copyProject(folder, 'next')
  linkModules(project, packed.libraries)
  const shop = run(project, NEXT_LIKE, cli.fresh({ PUBLIC_URL: 'nowhere' }))
  await expect(shop.ends()).rejects.toThrow('ended with 1')
  expect(shop.said()).toMatch(/^The configuration cannot be used:\n {2}- PUBLIC_URL must be [^\n]+\n$/)
})

test.runIf(isFull)('the Next project takes a payment, with what npm installs for it', async () => {
  const project = copyProject(folder, 'next')
  npm(project, ['install', '--no-audit', '--no-fund', ...packed.libraries])
  await takesPayment(project, 'npm start')
})

test.runIf(isFull && canInstallNode).each(['nuxt', 'sveltekit', 'astro'])(
  'the project of %s takes a payment on Node 24, with what npm installs for it',
  async (name) => {
    const project = copyProject(folder, name)
    npm(project, ['install', '--no-audit', '--no-fund', ...packed.libraries])
    const node = installNode(folder, '24.21.0')
    await takesPayment(project, 'npm start', `${node}:${process.env.PATH}`)
  },
)

async function takesPayment(project: string, command: string, path?: string): Promise<void> {
  const shop = await openShop(project, cli, command, path)
  try {
    expect(await payOnPage(browser, shop.url)).toEqual([])
    await shop.says('fulfil ')
    expect(shop.said()).not.toMatch(/"level":(40|50)|error:/i)
  } finally {
    await shop.stop()
  }
}
