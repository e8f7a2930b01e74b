import { expect, test } from 'vitest'

import { Secret } from '../../../server/config/secret.ts'
import { createSealer } from '../../../server/privacy/personal.ts'
import { openStore } from '../../../server/store/open.ts'
import { newRow } from '../../support/contracts/stored-rows.ts'
import { problemsOf } from '../../support/least-config.ts'
import { createSeededRandom } from '../../support/seeded-random.ts'
import { CHARGE } from '../../support/worlds/chargeable.ts'
import { ENVIRONMENT, SHOP } from '../../support/worlds/environment.ts'
import { PAYOUT_PATHS, PAYOUTS } from '../../support/worlds/payable.ts'
import { createWorld } from '../../support/worlds/world.ts'

const DAY = 24 * 3_600_000
const RECIPIENTS = [{ phone_number: '254700000001', amount: '10' }]
const AIRTIME = { reference: 'A-1', recipients: RECIPIENTS }

async function openSettled(days: string) {
  const shop = await createWorld({ seed: 3, env: { RETENTION_DAYS: days } })
  shop.order('paid')
  shop.order('left')
  await shop.pay(await shop.start('paid'), 'approve')
  await shop.start('left')
  await shop.payOut('local')
  await shop.api('/charges', CHARGE)
  await shop.api('/airtime', AIRTIME)
  await shop.later(DAY)
  return shop
}

async function problemOf(answer: Response) {
  const { code, detail } = await answer.json()
  return [answer.status, code, detail]
}

test('RETENTION_DAYS is at least 31', () => {
  expect(problemsOf({ RETENTION_DAYS: '30' })).toEqual([
    'RETENTION_DAYS must be a whole number from 31 to 36500.',
  ])
  expect(problemsOf({ RETENTION_DAYS: '31' })).toEqual([])
})

test('settled transactions are deleted, and their references stay taken', async () => {
  const shop = await openSettled('31')
  expect(await shop.rows()).toHaveLength(5)
  await shop.later(29 * DAY)
  expect(await shop.rows()).toHaveLength(5)
  const count = shop.delivered.length
  await shop.later(3 * DAY)
  expect(await shop.rows()).toEqual([])
  const sent = shop.gatewayRequests().length

  const deleted = (outcome: string) =>
    `It was settled long ago as ${outcome}, and its record was deleted. Nothing was sent.`
  for (const order of ['paid', 'PAID']) {
    shop.order(order)
    expect(await problemOf(await shop.initiate(order))).toEqual([
      409,
      'order_not_payable',
      deleted('paid (500 KES)'),
    ])
  }

  const { local } = PAYOUTS
  for (const [path, body, reference, outcome] of [
    [PAYOUT_PATHS.local, local, 'payout_reference', 'succeeded (1000 KES)'],
    ['/charges', CHARGE, 'external_reference', 'succeeded (1000 KES)'],
    ['/airtime', AIRTIME, 'reference', 'succeeded (10 for 1 recipients)'],
  ] as const) {
    expect([reference, ...(await problemOf(await shop.api(path, body)))]).toEqual([
      reference,
      410,
      'record_deleted',
      deleted(outcome),
    ])
  }

  const others = [
    [PAYOUT_PATHS.local, { ...local, payment_description: 'Another' }],
    ['/charges', { ...CHARGE, amount: 2000 }],
    ['/airtime', { ...AIRTIME, recipients: [...RECIPIENTS, { phone_number: '254700000002', amount: '10' }] }],
  ] as const
  for (const [path, body] of others) {
    expect((await problemOf(await shop.api(path, body))).slice(0, 2)).toEqual([409, 'reference_reused'])
  }

  expect(shop.gatewayRequests()).toHaveLength(sent)
  expect(shop.delivered).toHaveLength(count)

  // The shopper left this order without paying, so a new attempt may start.
  expect(await shop.start('left')).toMatchObject({ attempt: 2, outcome: 'waiting' })
})

test('a shopper comes back to the shop as long as the checkout is stored', async () => {
  const shop = await createWorld({ env: { RETENTION_DAYS: '90' } })
  shop.order('paid')
  const page = `${SHOP}/thanks?email=asha@example.com`
  const checkout = await shop.start('paid', { return_url: page })
  await shop.pay(checkout, 'approve')
  await shop.later(60 * DAY)
  const answer = await shop.ask(`/checkout/return/${checkout.checkout_id}`)
  expect(answer.headers.get('location')).toBe(`${page}#gateway-checkout-${checkout.checkout_id}`)
  await shop.later(60 * DAY)
  expect(await shop.rows()).toEqual([])
})

test('personal data are encrypted with the new secret, also behind many that cannot be decrypted', async () => {
  const store = openStore('sqlite::memory:')
  const [earlier, current] = ['the secret before', ENVIRONMENT['GATEWAY_CONSUMER_SECRET']!].map((secret) =>
    createSealer([new Secret(secret)], createSeededRandom(1, 'iv')),
  )
  const personal = { response_description: 'Paid to Asha.' }
  const damaged = `${earlier!.seal(personal).slice(0, -4)}AAAA`
  const row = (id: string, sealed: string) =>
    newRow(id, { created_at: Date.UTC(2026, 10, 21), due_at: null, personal: sealed })
  for (let index = 100; index < 350; index++) {
    await store.insert(row(`damaged ${index}`, damaged))
  }

  await store.insert(row('last', earlier!.seal(personal)))
  const shop = await createWorld({ store, env: { GATEWAY_CONSUMER_SECRET_PREVIOUS: 'the secret before' } })
  await shop.later(60_000)
  expect(current!.open((await store.find('last'))?.personal ?? '')).toEqual(personal)
  expect(await store.find('damaged 349')).toMatchObject({ personal: damaged, version: 1 })
})
