import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { newStoreFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { localPayout } from '../support/spec/payouts.ts'
import { initiateRequest } from '../support/spec/shapes.ts'
import { run, start } from '../support/worlds/command-line.ts'
import { posted, tokenOf } from '../support/worlds/sandbox-line.ts'

const KILLS = process.env.FULL ? 100 : 3
const CLIENTS = 4
// The sandbox is killed when so many requests have left or were answered: as many on a slow machine as on a quick one.
const MAX_MOMENTS = 120

const newFile = () => join(newStoreFolder(), 'state')

async function startOn(state: string, port: number) {
  const { child } = await start(['sandbox', '--port', String(port), '--state', state], {}, /listens on/)
  return child
}

/** @param passed Called when a request has left, and when it was answered. */
function clientOf(url: string, passed: () => void) {
  return async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const answered = fetch(url + path, body ? posted(body, headers) : { headers })
    passed()
    const response = await answered
    passed()
    if (!response.ok) {
      throw new Error(`${path}: ${response.status} ${await response.text()}`)
    }
    return response.json()
  }
}

test(`sandbox --state loses nothing that it answered in ${KILLS} kills`, { timeout: 1_800_000 }, async () => {
  const state = newFile()
  const port = await freePort()
  const random = createSeededRandom(1)
  // The order of the clients, which draw from the other one, varies.
  const kills = createSeededRandom(1, 'kills')
  const url = `http://127.0.0.1:${port}`
  let moments = 0
  const send = clientOf(url, () => {
    moments -= 1
    if (moments === 0) {
      child.kill('SIGKILL')
    }
  })
  let child = await startOn(state, port)
  const token = { 'x-access-token': await tokenOf(url) }
  const paid: { id: string; reference: string }[] = []
  const payouts: string[] = []
  let now = ''
  let orders = 0

  /** Works until the sandbox dies. */
  async function work(): Promise<void> {
    for (;;) {
      const id = `order-${orders++}`
      const order = { ...initiateRequest, merchant_transaction_id: id, callback_url: 'http://127.0.0.1:9/' }
      const { checkout_reference: reference } = await send('/v2/checkout/initiate', order, token)
      await send(`/_sandbox/checkouts/${id}/pay`, { scenario: 'approve' })
      paid.push({ id, reference })
      await send(
        '/v1/payouts/initiate',
        { ...localPayout, payout_reference: id, callback_url: 'http://127.0.0.1:9/' },
        token,
      )
      payouts.push(id)
      if (random.happens(0.9)) {
        continue
      }

      const clock = await send('/_sandbox/clock/advance', { seconds: 1 })
      if (clock.now > now) {
        now = clock.now
      }
    }
  }

  async function expectAll(orders: typeof paid, sent: typeof payouts): Promise<void> {
    for (const { id, reference } of orders) {
      expect(await send(`/v2/checkout/status/${id}`, undefined, token)).toMatchObject({
        status: 801,
        checkout_reference: reference,
      })
    }

    for (const id of sent) {
      expect(await send(`/v1/payouts/${id}/status`, undefined, token)).toMatchObject({ payout_reference: id })
    }

    expect((await send('/_sandbox/clock')).now >= now).toBe(true)
  }

  for (let kill = 0; kill < KILLS; kill++) {
    const before = paid.length
    const sent = payouts.length
    moments = kills.between(1, MAX_MOMENTS)
    const dying = once(child, 'exit')
    const working = Array.from({ length: CLIENTS }, () => work().catch(() => {}))
    expect((await dying)[1]).toBe('SIGKILL')
    await Promise.all(working)
    child = await startOn(state, port)
    await expectAll(paid.slice(before), payouts.slice(sent))
  }

  await expectAll(paid, payouts)
  expect(payouts.length).toBeGreaterThan(KILLS)
  console.log(`${KILLS} kills: ${paid.length} paid checkouts and ${payouts.length} payouts remained.`)
  child.kill('SIGKILL')
})

test('sandbox --state refuses a file of a sandbox with other options', { timeout: 120_000 }, async () => {
  const state = newFile()
  const child = await startOn(state, 0)
  child.kill('SIGKILL')
  const other = await run(['sandbox', '--port', '0', '--production', '--state', state])
  expect(other).toMatchObject({ code: 65, err: expect.stringContaining('The state is of a sandbox with') })
})
