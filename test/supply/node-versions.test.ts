import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCliWorld } from '../support/cli-world.ts'
import { start } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
import { PAYER } from '../support/world.ts'
import { canInstallNode, installNode } from './install-node.ts'
import { installPackedServer } from './packed-server.ts'

const VERSIONS = ['22.23.3', '24.21.0']
const TIMEOUT_MS = 600_000
const isPossible = Boolean(process.env.FULL) && canInstallNode

const folder = mkdtempSync(join(tmpdir(), 'node-versions-'))
let cli: Awaited<ReturnType<typeof createCliWorld>>
let packed: string
beforeAll(async () => {
  if (!isPossible) return
  cli = await createCliWorld()
  packed = installPackedServer(folder)
}, TIMEOUT_MS)
afterAll(async () => {
  if (isPossible) await cli.close()
  rmSync(folder, { recursive: true })
}, TIMEOUT_MS)

test.runIf(isPossible).each(VERSIONS)(
  'on Node %s, the packed server answers from its built-in SQLite and the gateway',
  { timeout: TIMEOUT_MS },
  async (version) => {
    const node = join(installNode(folder, version), 'node')
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toBe(`v${version}\n`)

    const port = await freePort()
    const pay = `http://127.0.0.1:${port}`
    const env = cli.fresh({
      PUBLIC_URL: pay,
      HOST: '127.0.0.1',
      PORT: String(port),
      DEFAULT_COUNTRY: 'KE',
      ORDERS_URL: `${cli.gateway}/none`,
      ORDERS_TOKEN: 'a token of the backend of the shop',
      MERCHANT_API_KEY: 'the key of a merchant in a test',
    })
    const server = await start(['serve'], env, /listens on port (\d+)/, packed, node)
    try {
      expect((await fetch(`${pay}/health/ready`)).status).toBe(200)
      const refused = await fetch(`${pay}/checkout/initiate`, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams({ order: 'A-1', ...PAYER }),
      })
      expect((await refused.json()).type).toMatch(/\/docs#order/)
      const balance = await fetch(`${pay}/api/accounts/ACC-001/balance`, {
        headers: { authorization: 'Bearer the key of a merchant in a test' },
      })
      expect(await balance.json()).toMatchObject({ currency: 'KES' })
    } finally {
      expect(await server.stop()).toBe(0)
    }
  },
)
