import { describe, expect, test } from 'vitest'
import { createPortalAddress } from '../../server/callbacks/addresses.ts'
import { readConfig } from '../../server/config/config.ts'
import { CHARGE_DIALECTS, DIALECTS } from '../support/charge-dialects.ts'
import { createChargeWorld, SHARED } from '../support/charge-world.ts'
import { CHARGE } from '../support/chargeable.ts'
import { DOWN } from '../support/network.ts'
import { ENVIRONMENT } from '../support/world.ts'

const MINUTE = 60_000
const PAGE = { payment_method_code: undefined }

describe.each(DIALECTS)('a direct charge, %s,', (charges) => {
  const { path } = CHARGE_DIALECTS[charges]

  test('is posted, paid, delivered as event, confirmed and split once', async () => {
    const shop = await createChargeWorld({ charges })
    expect(await shop.charge()).toMatchObject({
      external_reference: 'C-1',
      outcome: 'pending',
      settled: false,
      amount: '1000',
      redirect_url: null,
      fulfilment: { stage: 'open', status: null },
      split_settlements: [
        { account: 'PARTNER-001', amount: '600', reason: 'Cloth' },
        { account: 'PARTNER-002', amount: '150.5', reason: 'Delivery' },
        { account: 'PARTNER-FEES', amount: '25', reason: 'Platform fee' },
      ],
    })
    // The first status query follows the callback.
    await shop.later(8_000)
    expect(shop.types()).toEqual(['charge.succeeded'])
    await shop.later(MINUTE)
    expect(await shop.read()).toMatchObject({
      outcome: 'succeeded',
      settled: true,
      status: 801,
      discrepancy: null,
      amount_paid: '1000',
      fulfilment: { stage: 'confirmed', status: 'SUCCESSFUL' },
    })
    expect(shop.types()).toEqual(['charge.succeeded'])
    expect(shop.confirmations()).toEqual(['SUCCESSFUL'])
    expect(await shop.shares()).toMatchObject(SHARED)
    const { transactions } = await (await shop.api('/history/C-1')).json()
    const told = transactions[0].history.map(({ what }: { what: string }) => what)
    expect(told).toContain('The merchant says SUCCESSFUL: The merchant was told of the payment and took it.')
    expect(told.at(-1)).toBe('The gateway took SUCCESSFUL.')
  })

  test('uses the configured account, service and client unless it names its own', async () => {
    const shop = await createChargeWorld({ charges, env: { GATEWAY_CLIENT_CODE: 'SANDBOX' } })
    await shop.charge()
    const answer = await shop.api('/charges', { ...CHARGE, external_reference: 'C-2', client_code: 'OTHER' })
    const posted = shop.gatewayExchanges().filter((exchange) => exchange.path === path)
    const [first, second] = posted.map(({ body }) => JSON.parse(body))
    expect(first).toMatchObject({
      account_number: 'ACC-001',
      service_code: 'CHECKOUT-KES',
      client_code: 'SANDBOX',
    })
    expect(second).toMatchObject({ client_code: 'OTHER' })
    expect(await answer.json()).toMatchObject({ outcome: 'failed', refusal: { status_code: 172 } })
  })
})

test('extra_data reaches the gateway as text, or with the addresses of success and failure', async () => {
  const shop = await createChargeWorld({ charges: 'flat', env: { PARTNER_ACCOUNTS_DYNAMIC: '' } })
  const urls = {
    success_redirect_url: 'https://shop.example/1',
    failed_redirect_url: 'https://shop.example/2',
  }
  await shop.charge({ extra_data: 'table 7' })
  await shop.charge({ external_reference: 'C-2', extra_data: urls })
  const sent = shop.gatewayExchanges().filter(({ path }) => path === CHARGE_DIALECTS.flat.path)
  expect(sent.map(({ body }) => JSON.parse(body).extra_data)).toEqual(['table 7', urls])
})

test('a charge is refused with a reason while charges are off', async () => {
  const shop = await createChargeWorld({ env: { GATEWAY_CHARGE_PATH: '', GATEWAY_CHARGE_STATUS_PATH: '' } })
  const answer = await shop.api('/charges', CHARGE)
  expect([answer.status, await answer.json()]).toMatchObject([501, { code: 'charges_off' }])
})

test('a charge that is paid on a page has the URL of the page while it can be paid, and settles like any other', async () => {
  const shop = await createChargeWorld()
  const { redirect_url, expires_at } = await shop.charge(PAGE)
  expect([redirect_url, expires_at]).toEqual([expect.stringContaining('/pay/'), '2026-11-21T09:30:00.000Z'])
  await shop.play('approve')
  await shop.later(MINUTE)
  expect(await shop.read()).toMatchObject({ outcome: 'succeeded', redirect_url: null })
  expect(await shop.shares()).toMatchObject(SHARED)
})

describe('the callback address of charges', () => {
  const { pathname } = new URL(createPortalAddress('charges', readConfig(ENVIRONMENT)).url)

  test('leads to the charge or the checkout that the body names', async () => {
    const shop = await createChargeWorld()
    shop.network.reliability.callbacks = DOWN
    shop.order('A-1', '500', { splits: [{ account: 'PARTNER-001', amount: 1, reason: 'Cloth' }] })
    const begun = await shop.start('A-1')
    await shop.charge()
    await shop.pay(begun, 'approve')
    await shop.timeline.advance(5_000)
    for (const merchant_transaction_id of ['C-1', begun.merchant_transaction_id]) {
      await shop.ask(pathname, { method: 'POST', body: JSON.stringify({ merchant_transaction_id }) })
      await shop.settle()
    }
    expect(shop.types()).toEqual(['charge.succeeded', 'checkout.paid'])
  })
})
