import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import { onPath } from '../support/debian.ts'
import { freePort } from '../support/free-port.ts'
import { tell } from './listeners.ts'

const SECRET = `whsec_${Buffer.from('the secret of a merchant of examples').toString('base64')}`
const TIMEOUT_MS = 300_000

// Go is not installed for this test: its packages are larger than those of all other languages together.
test.runIf(onPath('go'))(
  'the example in Go receives a genuine event once, and refuses a forged one',
  { timeout: TIMEOUT_MS },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'go-'))
    const program = join(folder, 'webhook')
    execFileSync('go', ['build', '-o', program, 'server/examples/go/webhook.go'])
    const port = await freePort()
    const inbox = join(folder, 'inbox')
    const env = { PORT: String(port), INBOX: inbox, MERCHANT_WEBHOOK_SECRET: SECRET }
    const child = spawn(program, { env })
    const ended = once(child, 'exit')
    let said = ''
    child.stdout.on('data', (piece: Buffer) => (said += String(piece)))
    try {
      await vi.waitUntil(() => said.includes('listening'), { timeout: 60_000 })
      const event = {
        type: 'checkout.paid',
        data: {
          order: 'A-1',
          merchant_transaction_id: 'first',
          amount: '1500',
          amount_paid: '1500',
          currency: 'KES',
        },
      }
      const body = JSON.stringify(event)
      const send = (signedBody: string, at = new Date()) =>
        vi.waitFor(
          () =>
            tell(`http://127.0.0.1:${port}/`, {
              body,
              headers: {
                'webhook-id': 'evt_1',
                'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
                'webhook-signature': `v1,other ${new Webhook(SECRET).sign('evt_1', at, signedBody)}`,
              },
            }),
          { timeout: 60_000 },
        )
      expect(await send('{}')).toBe(401)
      expect(await send(body, new Date(0))).toBe(401)
      expect([await send(body), await send(body)]).toEqual([204, 204])
      await vi.waitUntil(() => said.includes('fulfil'), { timeout: 60_000 })
      expect(said.split('fulfil A-1: 1500 KES\n').length - 1).toBe(1)
      expect(readdirSync(inbox)).toEqual(['A-1.paid', 'evt_1.json'])
    } finally {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    }
  },
)
