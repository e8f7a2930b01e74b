import { describe, expect, test } from 'vitest'

import { b2bPayout, localPayout } from '../support/spec/payouts.ts'
import { createApiWorld } from '../support/worlds/api-world.ts'

describe.each(['local', 'transfer', 'b2b'] as const)('%s', (type) => {
  test('a payout is called back and found under a reference with characters that a URL escapes', async () => {
    const references = ['INV/2026/001', 'a b?c#d%20', '~\\"<>', '100%']
    const shop = await createApiWorld()
    for (const payout_reference of references) {
      await shop.payOut(type, { payout_reference })
    }

    await shop.later(10_000)
    for (const payout_reference of references) {
      const found = await shop.payout(encodeURIComponent(payout_reference))
      expect(found).toMatchObject({ payout_reference, outcome: 'succeeded' })
    }

    const { callbacks } = await (await shop.sandbox.app.request('/_sandbox/callbacks')).json()
    expect(callbacks.map(({ state }: { state: string }) => state)).toEqual(references.map(() => 'delivered'))
  })
})

test('a form is accepted like JSON, and JSON numbers as decimals', async () => {
  const shop = await createApiWorld()
  const form = new URLSearchParams(localPayout).toString()
  const { status, body } = await shop.post('/payouts', form, 'application/x-www-form-urlencoded')
  expect({ status, response_code: body.response_code }).toEqual({ status: 201, response_code: 720 })
  const numbers = {
    payout_reference: 'P-2',
    exchange_rate: 1,
    sender_amount: 1500.5,
    recipient_amount: 1500.5,
  }
  expect(await shop.payOut('local', numbers)).toMatchObject({ amount: '1500.5' })
})

test.each(['00010', '010.5'])(
  'an amount with zeros before it is shown and sent without them, so that nobody reads an octal number: %s',
  async (amount) => {
    const text = amount.replace(/^0+/, '')
    const shop = await createApiWorld()
    const { status, body } = await shop.post('/payouts/b2b', { ...b2bPayout, amount })
    expect({ status, amount: body.amount }).toEqual({ status: 201, amount: text })
    expect(JSON.parse(shop.gatewayBodies().at(-1) ?? '')).toMatchObject({ amount: text })
    expect(JSON.stringify(await shop.rows())).not.toContain(amount)
    const recipients = [{ phone_number: '254700000001', amount }]
    await shop.post('/airtime', { reference: 'T-1', recipients })
    expect(JSON.parse(shop.gatewayBodies().at(-1) ?? '').recipients).toMatchObject([{ amount: text }])
  },
)

test('the three types share one namespace of references', async () => {
  const shop = await createApiWorld()
  await shop.payOut('local')
  const { status, body } = await shop.post('/payouts/b2b', { ...b2bPayout, payout_reference: 'P-1' })
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'reference_reused' })
})
