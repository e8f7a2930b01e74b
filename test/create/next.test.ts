/** What Next does with the template `next`, without Next: it takes 340 MB, and builds for a minute. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { PAYER } from '../support/world.ts'
import { createProject, linkModules } from './packed.ts'
import { changePorts, freePorts, run } from './shop.ts'
import type { Ports } from './shop.ts'

const NEXT_LIKE = `exec node --env-file=.env ${resolve('test/create/next-like.mjs')}`
const EDITED = `export function findOrder(reference) { console.log('edited: ' + reference); return null }
export function onEvent() {}`

const folder = mkdtempSync(join(tmpdir(), 'next-'))
let ports: Ports
beforeAll(async () => {
  createProject(folder, ['shop', '--template', 'next'])
  linkModules(join(folder, 'shop'))
  ports = await freePorts()
  changePorts(join(folder, 'shop'), ports)
  return () => rmSync(folder, { recursive: true })
})

test('the workers start before the first request, and an edit of the orders reaches the server, which runs on', async () => {
  const { shop } = ports
  const project = join(folder, 'shop')
  for (const name of ['pay.mjs', 'sandbox.mjs']) cpSync(join(project, name), join(project, 'edited', name))
  writeFileSync(join(project, 'edited/orders.mjs'), EDITED)
  const running = run(project, NEXT_LIKE, { PORT: new URL(shop).port })
  onTestFinished(() => running.stop())
  await running.isUp(`${shop}/pay/health/live`)
  expect(running.said()).toContain('working before the first request')
  await fetch(`${shop}/reload`)
  const body = new URLSearchParams({ order: 'A-1', ...PAYER })
  await fetch(`${shop}/pay/checkout/initiate`, { method: 'POST', headers: { origin: shop }, body })
  await running.says('edited: A-1')
})

test('a mistake in the variables ends the shop, which prints it once', async () => {
  const running = run(join(folder, 'shop'), NEXT_LIKE, { PUBLIC_URL: 'nowhere' })
  await expect(running.ends()).rejects.toThrow('ended with 1')
  expect(running.said()).toMatch(/^The configuration cannot be used:\n {2}- PUBLIC_URL must be [^\n]+\n$/)
})
