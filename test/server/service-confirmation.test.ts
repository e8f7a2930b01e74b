import { describe, expect, test } from 'vitest'
import { DAY, MINUTE } from '../../server/transactions/schedule.ts'
import { createChargeWorld, createReluctantBackend, SHARED } from '../support/charge-world.ts'
const ALONE = { MERCHANT_WEBHOOK_URL: '' }
const HELD = { 'held/ACC-001': '1000' }

async function paidCharge(fields: object = {}, ms = MINUTE) {
  const shop = await createChargeWorld({ env: ALONE })
  await shop.charge(fields)
  await shop.later(ms)
  return shop
}

describe('a paid charge', () => {
  test('is confirmed after the merchant has accepted its event, and not earlier', async () => {
    const backend = createReluctantBackend()
    const shop = await createChargeWorld({ backend: backend.answer })
    await shop.charge()
    await shop.later(10 * MINUTE)
    expect(backend.asked.length).toBeGreaterThan(1)
    expect([shop.confirmations(), await shop.shares()]).toEqual([[], expect.objectContaining(HELD)])
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', fulfilment: { stage: 'open' } })

    backend.isWilling = true
    await shop.later(2 * 60 * MINUTE)
    expect(new Set(backend.asked.map(({ id }) => id)).size).toBe(1)
    expect(shop.confirmations()).toEqual(['SUCCESSFUL'])
    expect(await shop.shares()).toMatchObject(SHARED)
  })

  test('waits for /acknowledge without a webhook or handler', async () => {
    const shop = await paidCharge({}, DAY)
    expect(shop.confirmations()).toEqual([])
    expect(await shop.acknowledge('SUCCESSFUL')).toEqual({
      status: 200,
      body: {
        stage: 'confirmed',
        status: 'SUCCESSFUL',
        narration: 'Said in a test',
        payment_id: expect.any(String),
        message: 'The service was confirmed: the money has been distributed.',
      },
    })
    expect(await shop.shares()).toMatchObject(SHARED)
  })

  test.each([
    ['SUCCESSFUL', 'FAILED'],
    ['FAILED', 'SUCCESSFUL'],
  ])('acknowledged twice as %s is so once, and cannot become %s', async (status, other) => {
    const shop = await paidCharge()
    const first = await shop.acknowledge(status)
    const entries = await shop.ledger()
    await shop.later(MINUTE)
    expect(await shop.acknowledge(status, 'C-1', 'In other words')).toEqual(first)
    const refused = { status: 409, body: { code: 'acknowledged_otherwise' } }
    expect(await shop.acknowledge(other)).toMatchObject(refused)
    expect([await shop.ledger(), shop.confirmations()]).toEqual([entries, [status]])
  })
})

describe('an acknowledgement is refused', () => {
  test.each([
    ['0001', 1_000, 'is not paid yet'],
    ['9001', MINUTE, 'was never paid'],
    ['9010', 10 * MINUTE, 'was refunded before'],
  ])('for a charge by …%s that after %i ms %s', async (digits, ms) => {
    const shop = await paidCharge({ payer_msisdn: `25470000${digits}` }, ms)
    const refused = { status: 409, body: { code: 'charge_not_paid' } }
    expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject(refused)
    expect(shop.confirmations()).toEqual([])
  })

  test.each([
    [404, 'C-404', { status: 'SUCCESSFUL', narration: 'x' }, { code: 'unknown_charge' }],
    [422, 'C-1', { status: 'PERHAPS', narration: 'x' }, { errors: [{ path: 'status' }] }],
    [422, 'C-1', { status: 'FAILED' }, { errors: [{ path: 'narration' }] }],
  ])('is answered with %i: %s, %j', async (status, reference, body, problem) => {
    const shop = await createChargeWorld()
    const answer = await shop.api(`/charges/${reference}/acknowledge`, body)
    expect([answer.status, await answer.json()]).toMatchObject([status, problem])
  })
})
