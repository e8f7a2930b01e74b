import { expect, test } from 'vitest'
import { createWorld } from '../support/world.ts'

const ASHA = { name: 'Asha Otieno', email: 'asha@example.com', msisdn: '254700000001' }
const STRANGER = {
  payer_name: '',
  payer_email: 'stranger@evil.example',
  payer_msisdn: '0711222333',
}

test('the name of an order is never sent with the phone number and address of somebody else', async () => {
  const world = await createWorld()
  world.order('A-1', '500', { payer: ASHA })
  const answer = await world.initiate('A-1', STRANGER)
  expect([answer.status, (await answer.json()).errors]).toMatchObject([422, [{ path: 'payer_name' }]])
  const corrected = await world.initiate('A-1', { ...STRANGER, payer_name: 'Juma Mwangi' })
  expect(corrected.status).toBe(201)
})

test('what a page sends beside the details of the order completes them, in any spelling of the number and the address', async () => {
  const world = await createWorld()
  const { email, ...known } = ASHA
  world.order('A-1', '500', { payer: known })
  const fields = { payer_name: '\u200b', payer_email: `${email}\u200e`, payer_msisdn: '+254 (0)700 000001' }
  expect((await world.initiate('A-1', fields)).status).toBe(201)
})
