import { expect, it, test } from 'vitest'

import { createSandbox, createTimeline } from '../../demo/sandbox/index.ts'
import { openLivePortal } from '../../server/conformance/live-portal.ts'
import { formIn, openPortal, problemsIn, signedIn } from '../../server/conformance/portal-visitor.ts'
import { transfer } from '../support/spec/payouts.ts'
import { posted } from '../support/worlds/sandbox-line.ts'
import { CALLBACKS, MINUTE, START, TRANSFERS, openMerchant, payout, request } from './merchant.ts'

import type { SandboxOptions } from '../../demo/sandbox/index.ts'

const merchant = await openMerchant()
const { app } = merchant.sandbox
const owner = await signedIn(app)
const viewer = await signedIn(app, 'viewer')

test('money for the float arrives in the ledger', async () => {
  const before = await merchant.balance()
  await owner.open('/accounts')
  const form = formIn(owner.page().html, 'fund', {
    account: 'ACC-001',
    amount: '2 500.50',
    reference: '<b>T1</b>',
  })
  expect(await owner.post(form)).toMatchObject({ status: 303, location: '/portal/accounts' })
  const { html } = await owner.follow()
  expect(html).toContain('KES 2,500.50 arrived on ACC-001.')
  expect((await owner.open('/accounts/ACC-001')).html).toContain('&lt;b&gt;T1&lt;/b&gt;')
  expect({ before, balance: await merchant.balance() }).toEqual({
    before: '1000000.00',
    balance: '1002500.50',
  })
  expect((await merchant.ledger()).totals['KES']).toBe('0.00')
})

test.each<[string, Record<string, string>, string]>([
  ['no amount', { amount: '' }, 'amount'],
  ['0', { amount: '0.00' }, 'amount'],
  ['a negative amount', { amount: '-5' }, 'amount'],
  ['three fraction digits', { amount: '1.005' }, 'amount'],
  ['a word', { amount: 'ten' }, 'amount'],
  ['more than a billion', { amount: '1000000000.01' }, 'amount'],
  ['an account of somebody else', { account: 'PARTNER-001' }, 'account'],
  ['no reference', { reference: ' ' }, 'reference'],
])('funding with %s is refused, and moves nothing', async (_, wrong, field) => {
  const before = await merchant.ledger()
  await owner.open('/accounts')
  const fields = { account: 'ACC-001', amount: '10', reference: 'T2', ...wrong }
  const { status, html } = await owner.send('fund', fields)
  expect([status, Object.keys(problemsIn(html))]).toEqual([422, [field]])
  expect(html).toContain(`value="${field === 'reference' ? '10' : 'T2'}"`)
  expect(await merchant.ledger()).toEqual(before)
})

test('callback URLs are saved by type, and removed when they are empty', async () => {
  await owner.open('/callback-urls')
  await owner.send('save', {
    b2c_callback_url: ' https://shop.example/b2c ',
    airtime_callback_url: '',
    charge_callback_url: `${CALLBACKS}/charges`,
  })
  expect(await merchant.control('/portal')).toEqual({
    b2c_callback_url: 'https://shop.example/b2c',
    airtime_callback_url: null,
    charge_callback_url: `${CALLBACKS}/charges`,
  })
  expect((await viewer.open('/callback-urls')).html).toContain('https://shop.example/b2c')
})

test('onboarding goes step by step, and its answers stay once they are agreed to', async () => {
  await owner.open('/onboarding')
  const early = formIn(owner.page().html, 'business')
  const agreement = { ...early, action: '/portal/onboarding/agreement' }
  const signed = { signed_by: 'Amina', agreed: 'on' }
  const refusal = await owner.post({ ...agreement, fields: { ...agreement.fields, ...signed } })
  expect(problemsIn(refusal.html)['signed_by']).toContain('Business first')

  await owner.open('/onboarding')
  await owner.send('business', { legal_name: '<b>Pwani</b>', registration_number: 'PVT-1', country: 'Kenya' })
  await owner.follow()
  // The first of several wrong fields has the focus.
  const both = await owner.send('person', { full_name: '', email: 'amina', phone: '1' })
  expect(both.html).toMatch(/name="full_name"[^>]*autofocus/)
  expect(both.html.match(/autofocus/g)).toHaveLength(1)
  const wrong = await owner.send('person', { full_name: 'Amina', email: 'amina', phone: '1' })
  expect([Object.keys(problemsIn(wrong.html)), wrong.html]).toEqual([
    ['email'],
    expect.stringContaining('value="Amina"'),
  ])
  await owner.send('person', { full_name: 'Amina', email: 'amina@pwani.example', phone: '+254 700 000001' })
  await owner.follow()
  await owner.send('bank', { bank: 'Bank', account_name: 'Pwani', account_number: '1' })
  await owner.follow()
  expect(problemsIn((await owner.send('agreement', { signed_by: 'Amina' })).html)).toHaveProperty('agreed')
  await owner.send('agreement', signed)
  const { html } = await owner.follow()
  expect(html).toContain('Onboarding is complete')
  expect(html).not.toContain('<b>Pwani')

  const late = { legal_name: 'Other', registration_number: 'X', country: 'X', form: 'late' }
  const changed = await owner.post({ ...early, fields: { ...early.fields, ...late } })
  expect(problemsIn(changed.html)['legal_name']).toContain('complete')
  expect((await viewer.open('/onboarding')).html).toContain('&lt;b&gt;Pwani&lt;/b&gt;')
})

const ADDRESS = `${CALLBACKS}/portal`
const NOTHING = { airtime_callback_url: null, charge_callback_url: null, b2c_callback_url: null }

it('the portal has no addresses at first, and keeps those that are set', async () => {
  const merchant = await openMerchant({ portal: {} })
  const read = () => merchant.control('/portal')
  expect(await read()).toEqual(NOTHING)
  const set = await merchant.control('/portal', { airtime_callback_url: ADDRESS })
  expect(set).toEqual({ ...NOTHING, airtime_callback_url: ADDRESS })
  await merchant.control('/portal', { charge_callback_url: 'https://shop.example/x' })
  await merchant.control('/portal', { airtime_callback_url: null })
  expect(await read()).toEqual({ ...NOTHING, charge_callback_url: 'https://shop.example/x' })
})

it('the portal is reset to the options of the sandbox', async () => {
  const merchant = await openMerchant({ portal: { b2c_callback_url: ADDRESS } })
  await merchant.post('/_sandbox/portal', { b2c_callback_url: null })
  await merchant.post('/_sandbox/reset', {})
  expect(await merchant.control('/portal')).toEqual({ ...NOTHING, b2c_callback_url: ADDRESS })
})

it.each(['http://shop.example/callback', 'ftp://127.0.0.1/x', '/callback', '', 7, 'x'.repeat(501)])(
  'the portal takes no callbacks to %j',
  async (address) => {
    for (const field of Object.keys(NOTHING)) {
      const merchant = await openMerchant({ portal: {} })
      const answer = await merchant.post('/_sandbox/portal', { [field]: address })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ message: expect.stringContaining(field) })
      expect(await merchant.control('/portal')).toEqual(NOTHING)
    }
  },
)

it('the sandbox refuses to start with an address in the portal that cannot receive callbacks', () => {
  expect(() => createSandbox({ portal: { airtime_callback_url: 'http://shop.example/' } })).toThrow('HTTPS')
})

it('the portal receives the callbacks of requests without a callback_url, and nobody does without its addresses', async () => {
  const b2c_callback_url = ADDRESS
  const open = await openMerchant({ portal: { b2c_callback_url } })
  const closed = await openMerchant({ portal: {} })
  for (const merchant of [open, closed]) {
    await merchant.accepted(TRANSFERS, transfer)
    await merchant.charge()
    await merchant.buy()
    await merchant.later(MINUTE)
  }

  expect(open.callbacks).toMatchObject([
    { url: b2c_callback_url, body: await open.payoutStatus(transfer.payout_reference) },
  ])
  expect(closed.callbacks).toEqual([])
  expect(await closed.chargeStatus()).toMatchObject({ status: 801 })
})

// [spec: What the service does, 2, 4 and 5; Authentication, 4]

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
  const post = (path: string, body: object, headers = {}) => sandbox.app.request(path, posted(body, headers))
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
  for (const path of ['/_sandbox/clock', '/_sandbox/scenarios', '/_sandbox/ledger']) {
    expect((await live.get(path)).status).toBe(404)
  }

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
  // The service is on: nothing is refused yet.
  expect(owner.page().html).toContain('New requests will be refused.')
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
  for (const path of ['/users/viewer%40sandbox.test', '/keys/sandbox-key', '/services/PAYOUT-KES']) {
    expect((await second.open(path)).status).toBe(404)
  }
})
