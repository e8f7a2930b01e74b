/** What waits for a person or for the merchant's decision is not pruned, whatever its outcome. */

import { expect, test } from 'vitest'
import { createChargeWorld } from '../support/charge-world.ts'
import { DAY, MINUTE } from '../support/observed.ts'

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
