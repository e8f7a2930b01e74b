import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { npm, packAll } from '../create/packed.ts'
import type { Packed } from '../create/packed.ts'
import { openChromium } from '../e2e/browser/open.ts'
import { createCliWorld } from '../support/cli-world.ts'
import { canInstallNode, installNode } from '../supply/install-node.ts'
import { linkModules } from '../supply/packed-server.ts'
import { copyProject, openShop, payOnPage } from './project.ts'

const TIMEOUT_MS = 900_000
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })
/** Next is 340 MB with its dependencies and builds for a minute: `npm test` runs its route without it. */
const isFull = Boolean(process.env.FULL)

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
  const shop = await openShop(project, cli, `node ${join(process.cwd(), 'test/frameworks/next-like.mjs')}`)
  try {
    expect(shop.said()).toContain('working before the first request')
    expect((await fetch(`${shop.url}/pay/gateway-checkout.js`)).headers.get('content-type')).toMatch(
      /javascript/,
    )
  } finally {
    await shop.stop()
  }
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
