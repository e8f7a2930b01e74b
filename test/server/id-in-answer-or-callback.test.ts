/** A gateway that finds charges only by its own id, which a callback names where the answer to the charge did not. */

import { describe, expect, test } from 'vitest'

import { readConfig } from '../../server/config/config.ts'
import { createPortalAddress } from '../../server/transactions/callback-address.ts'
import { createChargeWorld } from '../support/worlds/charge-world.ts'
import { BFF, ENVIRONMENT } from '../support/worlds/environment.ts'
import { DOWN } from '../support/worlds/network.ts'
import { HOUR, MINUTE } from '../support/worlds/observed.ts'
import { posted } from '../support/worlds/sandbox-line.ts'

const ADDRESS = createPortalAddress('charges', readConfig(ENVIRONMENT)).url.slice(BFF.length)
const SECOND = 1_000
const REFUSAL = { status_code: 172, status_description: 'Validation failed', message: 'No.' }

/** A shop whose gateway takes the first charge, and then answers as `answer` says. */
async function openShop(answer: (taken: object) => Response) {
  const taken: { charge_request_id: string; external_reference: string }[] = []
  const shop = await createChargeWorld({
    charges: 'flat',
    env: { GATEWAY_CHARGE_METHODS: 'MOMO_KEN=MoMo:25470' },
    async gateway(url, init) {
      const isCharge = init.method === 'POST' && /charge/.test(new URL(url).pathname)
      if (!isCharge || taken.length > 0) {
        return undefined
      }

      const body = await (await shop.sandbox.app.request(url, init)).json()
      taken.push(body)
      return answer(body)
    },
  })
  return {
    ...shop,
    callBack: (external_reference: string) =>
      shop.ask(ADDRESS, posted({ external_reference, charge_request_id: taken[0]?.charge_request_id }, {})),
  }
}

describe('a request whose answer has another total', () => {
  const PAGE = { redirect_url: `${BFF}/pay`, auth_url: `${BFF}/3ds` }
  const differ = (taken: object) =>
    Response.json({ ...taken, ...PAGE, total_amount: '1015' }, { status: 201 })

  test('a charge whose answer has another total is followed by the id in it, and shows no page', async () => {
    const shop = await openShop(differ)
    shop.network.reliability.callbacks = DOWN
    expect(await shop.charge()).toMatchObject({ outcome: 'pending', redirect_url: null, auth_url: null })
    await shop.play('approve')
    await shop.later(HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', amount_paid: '1000', discrepancy: null })
    expect(shop.posts()).toBe(1)
  })

  test('a prompt whose answer has another total is followed by the id in it', async () => {
    const shop = await openShop(differ)
    shop.network.reliability.callbacks = DOWN
    shop.order('A-1')
    await shop.initiate('A-1', { method: 'prompt' })
    const [row] = await shop.rows()
    await shop.pay({ merchant_transaction_id: String(row?.reference) }, 'approve')
    await shop.later(HOUR)
    expect(shop.types()).toEqual(['checkout.paid'])
  })
})

describe('a request that was refused although it arrived', () => {
  const refuse = () => Response.json(REFUSAL, { status: 400 })

  test('a refused charge that arrived is a late payment when a callback names its id', async () => {
    const shop = await openShop(refuse)
    await shop.charge()
    expect(shop.types()).toEqual(['charge.failed'])
    await shop.play('approve')
    await shop.callBack('C-1')
    await shop.later(MINUTE)
    expect(shop.types()).toEqual(['charge.failed', 'charge.needs_attention'])
    expect(await shop.read()).toMatchObject({ status: 801, outcome: 'needs_attention' })
  })

  test('a refused prompt that arrived is a late payment when a callback names its id, and its order cannot be paid again', async () => {
    const shop = await openShop(refuse)
    shop.order('A-1')
    await shop.initiate('A-1', { method: 'prompt' })
    const [row] = await shop.rows()
    const merchant_transaction_id = String(row?.reference)
    await shop.pay({ merchant_transaction_id }, 'approve')
    await shop.callBack(merchant_transaction_id)
    await shop.later(5 * MINUTE)
    expect(shop.types()).toEqual(['checkout.needs_attention', 'checkout.paid_late'])
    expect(await shop.start('A-1', { method: 'prompt' })).toMatchObject({ attempt: 1, outcome: 'paid' })
  })
})

test('a callback is about the transaction of its own chapter, whatever another one is called', async () => {
  const shop = await openShop(() => new Response(null, { status: 504 }))
  shop.network.reliability.callbacks = DOWN
  await shop.payOut('local', { payout_reference: 'C-1' })
  await shop.charge()
  await shop.play('approve')
  const ofPayouts = createPortalAddress('payouts', readConfig(ENVIRONMENT)).url.slice(BFF.length)
  await shop.ask(ofPayouts, posted({ payout_reference: 'C-1' }, {}))
  await shop.callBack('C-1')
  await shop.later(MINUTE)
  expect(await shop.read()).toMatchObject({ outcome: 'succeeded' })
})

test.each([{ add_transaction_charge: true }, {}])(
  'a charge whose answer was lost is found by the id in its callback: %j',
  async (fields) => {
    const shop = await openShop(() => new Response(null, { status: 504 }))
    await shop.charge(fields)
    await shop.play('approve')
    await shop.later(HOUR)
    const { amount_paid } = await shop.read()
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', discrepancy: null, amount: amount_paid })
    expect(shop.types()).toEqual(['charge.succeeded'])
  },
)

test('a callback that overtakes the answer to a charge does not cost its page', async () => {
  const auth_url = `${BFF}/3ds`
  const named = { external_reference: 'C-1', charge_request_id: '77', amount: '1000' }
  const waiting = { ...named, payment_status: 703, currency_code: 'KES' }
  const shop = await createChargeWorld({
    charges: 'flat',
    async gateway(url, { method }) {
      if (/transaction\/77\/status/.test(url)) {
        return Response.json(waiting)
      }
      if (method !== 'POST' || !url.endsWith('/charge')) {
        return undefined
      }

      await shop.ask(ADDRESS, posted({ ...waiting, event: 'pending_payment' }, {}))
      await shop.later(2 * SECOND)
      return Response.json({ ...named, status_code: 176, total_amount: '1000', auth_url }, { status: 201 })
    },
  })
  expect(await shop.charge()).toMatchObject({ charge_request_id: '77', auth_url })
})
