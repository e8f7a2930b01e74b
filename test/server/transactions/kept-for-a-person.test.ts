/** What waits for a person or for the merchant's decision is not pruned, whatever its outcome. */

import { expect, test } from 'vitest'

import { createChargeWorld, createToldGateway, paying } from '../../support/worlds/charge-world.ts'
import { DAY, MINUTE } from '../../support/worlds/observed.ts'

const KEPT_FOR = { RETENTION_DAYS: '31' }
const SPLITS = { splits: [{ account: 'PARTNER-001', amount: 100, reason: 'Cloth' }] }

test('a paid charge about whose service nobody has decided is kept', async () => {
  const nobody = { MERCHANT_WEBHOOK_URL: undefined, MERCHANT_WEBHOOK_SECRET: undefined }
  const shop = await createChargeWorld({ env: { ...KEPT_FOR, ...nobody } })
  await shop.charge()
  await shop.later(40 * DAY)
  expect(await shop.shares()).toMatchObject({ 'held/ACC-001': '1000' })
  expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject({ status: 200 })
})

test('a paid order with splits whose event the backend refused for ever is kept', async () => {
  const nobody = { MERCHANT_WEBHOOK_URL: undefined, MERCHANT_WEBHOOK_SECRET: undefined }
  const shop = await createChargeWorld({ env: { ...KEPT_FOR, ...nobody } })
  shop.order('A-1', '500', SPLITS)
  await shop.pay(await shop.start('A-1'), 'approve')
  await shop.later(40 * DAY)
  expect(await shop.rows()).toHaveLength(1)
})

test('a paid checkout whose reports contradict each other is kept, and can be resolved', async () => {
  const shop = await createChargeWorld({ env: KEPT_FOR })
  shop.order('A-1')
  const view = await shop.start('A-1')
  await shop.pay(view, 'approve')
  await shop.later(10 * MINUTE)
  shop.alterAnswers((text) => text.replace('"status":801', '"status":803'))
  await shop.later(40 * DAY)
  const said = { says: 'returned', by: 'Asha', note: 'Ticket 1.' }
  expect((await shop.api(`/checkouts/${view.merchant_transaction_id}/resolve`, said)).status).toBe(200)
})

test('a charge with a decision is pruned', async () => {
  const shop = await createChargeWorld({ env: KEPT_FOR })
  await shop.charge()
  await shop.later(70 * DAY)
  expect(await shop.rows()).toEqual([])
})

test('a prompt that a person resolved as paid is pruned', async () => {
  const stuck = { merchant_transaction_id: '', currency: 'KES', status: 850, amount: '0', payments: [] }
  const shop = await createChargeWorld({
    env: { ...KEPT_FOR, GATEWAY_CHARGE_METHODS: 'MOMO_KEN=MoMo' },
    gateway(url) {
      const id = /\/charges\/([^/]*)\/status$/.exec(url)?.[1]
      return id ? Response.json({ ...stuck, merchant_transaction_id: id }) : undefined
    },
  })
  shop.order('A-1')
  const { merchant_transaction_id: id } = await shop.start('A-1', { method: 'prompt' })
  await shop.later(MINUTE)
  await shop.api(`/checkouts/${id}/resolve`, { says: 'paid', by: 'Asha', note: 'Ticket 1.' })
  await shop.later(70 * DAY)
  expect(await shop.rows()).toEqual([])
})

test('an order with splits whose decision was refused is pruned once the money went back', async () => {
  let isReturned = false
  const shop = await createChargeWorld({
    env: KEPT_FOR,
    gateway: (url) =>
      url.endsWith('/acknowledge')
        ? Response.json({ status_code: 172, status_description: 'No.', message: 'No.' }, { status: 400 })
        : undefined,
  })
  shop.alterAnswers((text) => (isReturned ? text.replace('"status":801', '"status":841') : text))
  shop.order('A-1', '500', SPLITS)
  await shop.pay(await shop.start('A-1'), 'approve')
  await shop.later(MINUTE)
  expect(await shop.rows()).toMatchObject([{ outcome: 'needs_attention' }])
  isReturned = true
  await shop.later(70 * DAY)
  expect(await shop.rows()).toEqual([])
})

test('a charge that a person resolved is kept while its held money waits for a decision, unless it has gone back', async () => {
  const told = createToldGateway()
  const shop = await createChargeWorld({ env: KEPT_FOR, gateway: told.answer })
  for (const [reference, says] of [
    ['C-1', 'paid'],
    ['C-2', 'returned'],
  ] as const) {
    await shop.charge({ external_reference: reference, payment_method_code: undefined })
    told.says(850, [paying(700, '1000', `${reference} paid`)], reference)
    await shop.later(5 * MINUTE)
    await shop.api(`/charges/${reference}/resolve`, { says, by: 'Asha', note: 'Ticket 1.' })
  }

  await shop.later(75 * DAY)
  expect((await shop.rows()).map(({ reference }) => reference)).toEqual(['C-1'])
  expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject({ status: 200 })
})

test('an order is kept whole while one of its attempts waits for the merchant, beside one that expired', async () => {
  const nobody = { MERCHANT_WEBHOOK_URL: undefined, MERCHANT_WEBHOOK_SECRET: undefined }
  const shop = await createChargeWorld({ env: { ...KEPT_FOR, ...nobody } })
  shop.order('A-1', '500', SPLITS)
  await shop.start('A-1')
  await shop.later(3 * DAY)
  const view = await shop.start('A-1')
  await shop.pay(view, 'approve')
  await shop.later(70 * DAY)
  expect(await shop.rows()).toMatchObject([{ outcome: 'expired' }, { outcome: 'paid' }])
  const answer = await shop.acknowledge('SUCCESSFUL', view.merchant_transaction_id)
  expect(answer).toMatchObject({ status: 200 })
})
