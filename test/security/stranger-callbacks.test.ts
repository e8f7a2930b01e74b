import { describe, expect, test } from 'vitest'
import { createPortalAddress } from '../../server/callbacks/portal-address.ts'
import { readConfig } from '../../server/config.ts'
import { recordedDecline, recordedPayment } from '../support/recorded-charges.ts'
import { createRecordedGateway, RECORDED } from '../support/recorded-gateway.ts'
import { createWorld, ENVIRONMENT } from '../support/world.ts'

const { pathname } = new URL(createPortalAddress('charges', readConfig({ ...ENVIRONMENT, ...RECORDED })).url)
const CHARGE = { external_reference: 'R1', payer_msisdn: '254700000001', currency_code: 'KES', amount: 100 }
const STRANGE = '9'

async function openShop({ isLost = true } = {}) {
  const gateway = createRecordedGateway()
  const shop = await createWorld({ env: RECORDED, gateway: gateway.fetch })
  gateway.answer.isLost = isLost
  await shop.api('/charges', CHARGE)
  return {
    ...shop,
    gateway,
    read: async () => (await shop.api('/charges/R1')).json(),
    async notify(body: object) {
      await shop.ask(pathname, { method: 'POST', body: JSON.stringify(body) })
      await shop.later(3_000)
    },
  }
}

describe('a callback that names the id of another charge', () => {
  test.each([
    ['of another reference', { external_reference: 'R2' }],
    ['of a smaller amount', { amount: '1' }],
    ['of a larger amount', { amount: '1000' }],
    ['of another currency', { currency_code: 'UGX' }],
    ['of another account', { account_number: 'ACC-666' }],
    ['of another service', { service_code: 'OTHER' }],
    ['that failed for a smaller amount', { ...recordedDecline, amount: '1' }],
  ])('%s settles nothing, and the true callback is still followed', async (_, fields) => {
    const { gateway, ...shop } = await openShop()
    gateway.report({ ...recordedPayment, ...fields }, STRANGE)
    await shop.notify({ ...recordedPayment, charge_request_id: STRANGE })
    expect(gateway.queried).toContain(STRANGE)
    expect(await shop.read()).toMatchObject({ outcome: 'sending', charge_request_id: null })
    expect(shop.types()).toEqual([])
    await shop.notify(gateway.report(recordedPayment))
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', charge_request_id: '22406' })
    expect(shop.types()).toEqual(['charge.succeeded'])
  })

  test('asks nobody where the id of the charge is known', async () => {
    const { gateway, ...shop } = await openShop({ isLost: false })
    gateway.report(recordedPayment, STRANGE)
    await shop.notify({ ...recordedPayment, charge_request_id: STRANGE })
    expect(await shop.read()).toMatchObject({ outcome: 'pending', charge_request_id: '22406' })
    expect(gateway.queried).not.toContain(STRANGE)
  })

  test.each(['unknown', 'a/b?c#d', 'fails'])('%j does not keep the server from the true id', async (id) => {
    const { gateway, ...shop } = await openShop()
    for (let copy = 0; copy < 10; copy++)
      await shop.notify({ external_reference: 'R1', charge_request_id: `${id}${copy}` })
    await shop.notify(gateway.report(recordedPayment))
    await shop.later(60_000)
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', charge_request_id: '22406' })
  })
})
