// [spec: What the service does, 2, 4 and 5; Authentication, 4]

import { expect, test } from 'vitest'
import { createSandbox, createTimeline } from '../../demo/sandbox/index.ts'
import { openLivePortal } from '../support/live-portal.ts'
import { CALLBACKS, openMerchant, payout, request, START } from './merchant.ts'
import { formIn, openPortal, problemsIn, signedIn } from './portal-visitor.ts'
import type { SandboxOptions } from '../../demo/sandbox/index.ts'

const PUBLIC = 'https://shop.example/callbacks'

async function openLive(options: SandboxOptions = {}) {
  const timeline = createTimeline({ wall: null, start: START })
  const sent: string[] = []
  const sandbox = createSandbox({
    seed: 1,
    environment: 'production',
    ...options,
    timeline,
    fetch: (url) => {
      sent.push(url)
      return new Response('OK')
    },
  })
  const portal = await openLivePortal(sandbox)
  const key = await portal.createKey()
  const post = (path: string, body: object, headers = {}) =>
    sandbox.app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const { access_token } = await (await post('/v1/auth', key)).json()
  const token = { 'x-access-token': access_token }
  const send = async (path: string, body: object) => (await post(path, body, token)).json()
  const get = (path: string, headers: Record<string, string> = token) =>
    sandbox.app.request(path, { headers })
  return { sandbox, portal, key, post, send, get, token, sent, timeline }
}

/** A look-alike that takes payouts. */
async function openReady(options: SandboxOptions = {}) {
  const ready = await openLive(options)
  await ready.portal.addService('LIVE-PAYOUT', 'local')
  await ready.portal.completeOnboarding()
  await ready.portal.fund('5000')
  return ready
}

const live = await openLive()
const sandbox = await openMerchant()
const livePayout = (fields: object = {}) =>
  payout({ service_code: 'LIVE-PAYOUT', callback_url: PUBLIC, ...fields })
const initiate = (fields: object = {}) =>
  request({ service_code: 'LIVE-SHOP', callback_url: PUBLIC, ...fields })

test('production has no control, no seeded users, services or funds, and says what it is', async () => {
  for (const path of ['/_sandbox/clock', '/_sandbox/scenarios', '/_sandbox/ledger'])
    expect((await live.get(path)).status).toBe(404)
  expect((await live.post('/_sandbox/clock/advance', { seconds: 60 })).status).toBe(404)
  const visitor = openPortal(live.sandbox.app, 'production')
  const { html } = await visitor.open('/sign-in')
  expect(html).toContain('Production, simulated')
  expect(html).not.toContain('@sandbox.test')
  expect((await visitor.signIn()).status).toBe(422)
  expect(await (await live.get('/v1/accounts/LIVE-001/balance')).json()).toMatchObject({ balance: '0.00' })
  expect((await live.get('/v1/accounts/ACC-001/balance')).status).toBe(404)
  expect(await live.send('/v2/checkout/initiate', initiate({ service_code: 'CHECKOUT-KES' }))).toMatchObject({
    status_code: 172,
    status_description: 'Invalid Service Code',
  })
})

test('no number selects a scenario in production', async () => {
  const live = await openReady()
  const fields = { payout_reference: 'magic', recipient_phone_number: '254700009102' }
  expect(await live.send('/v1/payouts/initiate', livePayout(fields))).toMatchObject({ response_code: 720 })
  await live.timeline.advance(5_000)
  const { data } = await (await live.get('/v1/payouts/magic/status')).json()
  expect(data.payment_status).toBe(700)
})

test('callbacks go to this machine only under a name that was given', async () => {
  const live = await openReady()
  const local = { callback_url: `${CALLBACKS}/checkouts`, merchant_transaction_id: 'local' }
  const refusal = await live.send('/v2/checkout/initiate', initiate(local))
  expect(refusal).toMatchObject({
    status_code: 172,
    message: expect.stringContaining('callback_url must be HTTPS'),
  })
  const payoutRefusal = livePayout({ payout_reference: 'p-local', callback_url: 'https://localhost/x' })
  expect((await live.send('/v1/payouts/initiate', payoutRefusal)).response_code).toBe(721)
  await live.portal.visitor.open('/callback-urls')
  const { html } = await live.portal.visitor.send('save', { charge_callback_url: CALLBACKS })
  expect(problemsIn(html)).toHaveProperty('charge_callback_url')
  expect(live.sent).toEqual([])

  const named = await openReady({ callbackHosts: ['127.0.0.1'] })
  const mine = livePayout({ callback_url: `${CALLBACKS}/payouts` })
  expect(await named.send('/v1/payouts/initiate', mine)).toMatchObject({ response_code: 720 })
  await named.timeline.advance(5_000)
  expect(named.sent).toEqual([`${CALLBACKS}/payouts`])
})

test('a service that is switched off refuses new requests, and what is open goes on', async () => {
  const owner = await signedIn(sandbox.sandbox.app)
  await sandbox.begin()
  await owner.open('/services/CHECKOUT-KES')
  const off = formIn(owner.page().html, 'switch-off')
  await owner.post(off)
  expect((await owner.follow()).html).toContain('CHECKOUT-KES is off.')
  expect(
    await sandbox.refusal('/v2/checkout/initiate', request({ merchant_transaction_id: 'new' })),
  ).toMatchObject({ status_code: 172, status_description: 'Invalid Service Code' })
  expect((await sandbox.pay('approve')).status).toBe(801)

  await owner.send('switch-on')
  await owner.follow()
  await sandbox.begin({ merchant_transaction_id: 'new' })
  expect((await sandbox.pay('approve', {}, 'new')).status).toBe(801)
})

test('a user of one merchant sees and changes nothing of another', async () => {
  const second = openPortal(sandbox.sandbox.app)
  await second.signIn('owner@second.test')
  expect((await second.open()).html).toContain('Second Shop')
  expect((await second.open('/services')).html).not.toContain('>CHECKOUT-KES<')
  expect((await second.open('/users')).html).not.toContain('owner@sandbox.test')
  for (const path of ['/users/viewer%40sandbox.test', '/keys/sandbox-key', '/services/PAYOUT-KES'])
    expect((await second.open(path)).status).toBe(404)
})
