import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startSandbox } from '../../demo/sandbox/index.ts'
import { freePort } from '../support/free-port.ts'

const README = readFileSync('README.md', 'utf8')
const EVENTUALLY = { timeout: 20_000 }

const SHOP = `
async function findOrder(reference) {
  if (reference === 'A-2') throw new Error('The database is away.')
  return reference.toUpperCase() === 'A-1' ? { reference: 'A-1', total: 1500, title: 'Two kangas' } : null
}
async function fulfil({ order, merchant_transaction_id }) {
  console.log(merchant_transaction_id.length > 0 && 'fulfilled ' + order)
}
async function review(order) { console.log('reviewed ' + order) }
`
const PAYER = { payer_name: 'Asha Otieno', payer_email: 'asha@example.com', payer_msisdn: '0700000001' }

let folder: string
let sandbox: Awaited<ReturnType<typeof startSandbox>>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ten-minutes-'))
  sandbox = await startSandbox({ port: await freePort() })
})
afterAll(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

test('pay.mjs takes a payment in an empty folder, and says what goes wrong', async () => {
  const port = await freePort()
  const pay = `http://127.0.0.1:${port}`
  const own = {
    GATEWAY_BASE_URL: sandbox.url,
    GATEWAY_CONSUMER_KEY: 'sandbox-key',
    GATEWAY_CONSUMER_SECRET: 'sandbox-secret',
    GATEWAY_SERVICE_CODE: 'CHECKOUT-KES',
    GATEWAY_ACCOUNT_NUMBER: 'ACC-001',
    PUBLIC_URL: pay,
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  writeFileSync(
    join(folder, '.env'),
    `${filledIn(printed('sh', 'GATEWAY_ENVIRONMENT='), own)}\nPORT=${port}\n`,
  )
  writeFileSync(join(folder, 'pay.mjs'), printed('js', '// pay.mjs') + SHOP)

  const child = spawn(process.execPath, ['pay.mjs'], { cwd: folder, env: { PATH: process.env.PATH } })
  const ended = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (said += String(piece)))
  const says = (text: string) => vi.waitUntil(() => said.includes(text), EVENTUALLY)
  const initiate = (order: string) =>
    fetch(`${pay}/checkout/initiate`, {
      method: 'POST',
      headers: { accept: 'application/json', origin: 'https://shop.example' },
      body: new URLSearchParams({ order, ...PAYER }),
    })
  try {
    await says(`The payment server listens on port ${port}.`)
    await says(`src=\\"${pay}/gateway-checkout.js\\"`)
    const begun = await initiate('A-1')
    expect(begun.status).toBe(201)
    const { merchant_transaction_id } = await begun.json()
    await fetch(`${sandbox.url}/_sandbox/checkouts/${merchant_transaction_id}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    await says('fulfilled A-1')
    // The database compares without case, and the reference is the stored one.
    expect(await (await initiate('a-1')).json()).toMatchObject({ order: 'A-1', outcome: 'paid' })
    expect((await initiate('A-2')).status).toBe(500)
    await says('The database is away.')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(said).toContain('Stopping: open requests are completed first.')
  } finally {
    child.kill('SIGKILL')
    await ended
  }
})

function printed(language: string, start: string): string {
  const blocks = README.matchAll(/^( *)```(\w+)\n(.*?)^\1```$/gms)
  const texts = [...blocks].map(([, indent = '', name, text = '']) => ({
    name,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
  const found = texts.find(({ name, text }) => name === language && text.startsWith(start))
  if (!found) throw new Error(`The README has no ${language} that begins with ${start}.`)
  return found.text
}

function filledIn(text: string, own: Record<string, string>): string {
  return text.replaceAll(/^(\w+)=.*$/gm, (line, name: string) =>
    name in own ? `${name}=${own[name]}` : line,
  )
}
