import { symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { startSandbox } from '../../demo/sandbox/index.ts'
import { run } from '../create/shop.ts'
import { blocksOf } from '../guides/follow.ts'
import { newFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { MERCHANT } from '../support/worlds/command-line.ts'
import { SHOP as ORIGIN } from '../support/worlds/environment.ts'
import { control } from '../support/worlds/sandbox-line.ts'
import { formOf } from '../support/worlds/world.ts'

const SHOP = `
async function findOrder(reference) {
  if (reference === 'A-2') throw new Error('The database is away.')
  return reference.toUpperCase() === 'A-1' ? { reference: 'A-1', total: '1500.00', title: 'Two kangas' } : null
}
async function fulfil({ order, merchant_transaction_id }) {
  console.log(merchant_transaction_id.length > 0 && 'fulfilled ' + order)
}
async function review(order) { console.log('reviewed ' + order) }
`

test('pay.mjs of the README takes a payment in an empty folder, and says what goes wrong', async () => {
  const folder = newFolder()
  const sandbox = await startSandbox({ port: await freePort() })
  onTestFinished(() => sandbox.close())
  const port = await freePort()
  const pay = `http://127.0.0.1:${port}`
  const own: Record<string, string> = { ...MERCHANT, GATEWAY_BASE_URL: sandbox.url, PUBLIC_URL: pay }
  const printed = (start: string) => blocksOf('README.md').find(({ text }) => text.startsWith(start))!.text
  const settings = printed('GATEWAY_ENVIRONMENT=').replaceAll(/^(\w+)=.*$/gm, (line, name: string) =>
    name in own ? `${name}=${own[name]}` : line,
  )
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, '.env'), `${settings}\nPORT=${port}\n`)
  writeFileSync(join(folder, 'pay.mjs'), printed('// pay.mjs') + SHOP)

  const server = run(folder, `exec "${process.execPath}" pay.mjs`)
  onTestFinished(() => server.stop())
  const initiate = (order: string) =>
    fetch(`${pay}/checkout/initiate`, {
      ...formOf(order),
      headers: { accept: 'application/json', origin: ORIGIN },
    })
  await server.says(`The payment server listens on port ${port}.`)
  await server.says(`src=\\"${pay}/gateway-checkout.js\\"`)
  const begun = await initiate('A-1')
  expect(begun.status).toBe(201)
  const { merchant_transaction_id } = await begun.json()
  await control(sandbox.url, `/checkouts/${merchant_transaction_id}/pay`, {})
  await server.says('fulfilled A-1')
  // The database compares without case, and the reference is the stored one.
  expect(await (await initiate('a-1')).json()).toMatchObject({ order: 'A-1', outcome: 'paid' })
  expect((await initiate('A-2')).status).toBe(503)
  await server.says('The database is away.')
  await server.stop()
  await server.ends()
  await server.says('Stopping: open requests are completed first.')
})
