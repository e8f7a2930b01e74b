import { expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND, payout } from './merchant.ts'
import { openTrade } from './portal-trade.ts'
import { formIn, openPortal, problemsIn, readableIn } from './portal-visitor.ts'
import type { Visitor } from './portal-visitor.ts'

const DAY = 24 * HOUR
const WORKBENCH = ['/workbench', '/requests']

async function openWorkbench(role = 'developer') {
  const trade = await openTrade()
  const visitor = await signIn(trade, role)
  await visitor.open('/workbench')
  const read = async (path: string) => readableIn((await visitor.open(path)).html)
  return { trade, visitor, read }
}

async function signIn({ sandbox }: { sandbox: { app: Parameters<typeof openPortal>[0] } }, role: string) {
  const visitor = openPortal(sandbox.app)
  await visitor.signIn(`${role}@sandbox.test`)
  return visitor
}

async function expectRefused(visitor: Visitor, name: string, fields: Record<string, string>, field: string) {
  await visitor.open('/workbench')
  const { status, html } = await visitor.send(name, fields)
  expect([fields, status, Object.keys(problemsIn(html))]).toEqual([fields, 422, [field]])
}

test('the clock moves ahead, once for each press, and the user stays signed in', async () => {
  const { trade, visitor } = await openWorkbench()
  const before = trade.timeline.now()
  const form = formIn(visitor.page().html, 'advance', { seconds: String((2 * DAY) / SECOND) })
  await Promise.all([visitor.post(form), visitor.post(form)])
  expect(trade.timeline.now() - before).toBe(2 * DAY)
  const { status, html } = await visitor.open('/workbench')
  expect(status).toBe(200)
  expect(html).toContain('23 Nov 2026, 09:02:23')
  await trade.later(11 * HOUR)
  expect((await visitor.open('/workbench')).status).toBe(200)
  await trade.later(2 * HOUR)
  expect((await visitor.open('/workbench')).status).toBe(303)
})

test('faults are added, listed, strike, and are cleared', async () => {
  const { trade, visitor, read } = await openWorkbench()
  await visitor.send('fault', {
    fault: 'status',
    status: '503',
    route: '/v2/checkout',
    next: '2',
    ms: '',
    probability: '',
  })
  expect(await read('/workbench')).toContain(
    'Answer with an error status (status) 503, the next 2 of /v2/checkout',
  )
  expect((await trade.send('/v2/checkout/initiate', {})).status).toBe(503)
  await visitor.open('/workbench')
  await visitor.send('fault', { fault: 'callback_drop', probability: '0.5', route: '*' })
  expect(await read('/workbench')).toContain('with probability 0.5, of *')
  await visitor.send('clear-faults')
  expect(await read('/workbench')).toContain('None: every request')
})

test('each wrong field of the workbench is named', async () => {
  const { trade, visitor } = await openWorkbench()
  const fault = { fault: 'latency', route: '*', ms: '10' }
  const before = trade.timeline.now()
  for (const seconds of ['', '-1', '0', '1.5', 'x', '31622401', '9'.repeat(40)])
    await expectRefused(visitor, 'advance', { seconds }, 'seconds')
  for (const speed of ['', '-1', '3601', 'fast', '1e3'])
    await expectRefused(visitor, 'speed', { speed }, 'speed')
  // The clock of this test has no real time.
  await expectRefused(visitor, 'speed', { speed: '2' }, 'speed')
  for (const route of ['', 'v2', '/a b']) await expectRefused(visitor, 'fault', { ...fault, route }, 'route')
  for (const ms of ['', '-1', '600001', '1.5']) await expectRefused(visitor, 'fault', { ...fault, ms }, 'ms')
  await expectRefused(visitor, 'fault', { ...fault, fault: 'fire' }, 'fault')
  for (const status of ['', '200', '600'])
    await expectRefused(visitor, 'fault', { ...fault, fault: 'status', status }, 'status')
  for (const next of ['0', '-1', 'x']) await expectRefused(visitor, 'fault', { ...fault, next }, 'next')
  for (const probability of ['2', '-0.1', '.'])
    await expectRefused(visitor, 'fault', { ...fault, probability }, 'probability')
  await expectRefused(visitor, 'fault', { ...fault, next: '1', probability: '1' }, 'probability')
  await expectRefused(visitor, 'plan', { payout_reference: ' ', scenario: 'jam' }, 'payout_reference')
  await expectRefused(visitor, 'plan', { payout_reference: 'P-1', scenario: 'approve' }, 'scenario')
  await expectRefused(visitor, 'reset', {}, 'sure')
  expect(trade.timeline.now()).toBe(before)
  expect((await trade.control('/faults')).faults).toEqual([])
})

test('a planned scenario is the result of the payout that arrives later', async () => {
  const { trade, visitor } = await openWorkbench()
  await visitor.send('plan', { payout_reference: 'LATER-1', scenario: 'jam' })
  await trade.accepted('/v1/payouts/initiate', payout({ payout_reference: 'LATER-1' }))
  await trade.later(5 * SECOND)
  expect((await trade.payoutStatus('LATER-1')).data.payment_status).toBe(704)
})

test('a reset replaces everything and signs everybody out', async () => {
  const { trade, visitor } = await openWorkbench()
  await visitor.send('reset', { sure: 'on' })
  expect((await visitor.open('/payments')).status).toBe(303)
  const again = await signIn(trade, 'owner')
  expect(readableIn((await again.open('/payments')).html)).toContain('A payment appears here')
})

test('the request log has bodies and refusals, and no secrets', async () => {
  const { trade, read } = await openWorkbench()
  const text = await read('/requests?status=refused')
  expect(text).toContain('POST /v2/checkout/initiate')
  expect(text).toContain('order-wrong')
  expect(text).toContain('payer_name')
  const all = await read('/requests?q=auth')
  expect(all).toContain('[redacted]')
  for (const secret of ['sandbox-secret', trade.token()]) expect(all).not.toContain(secret)
})

test('the workbench lists every scenario with its magic number', async () => {
  const { trade, read } = await openWorkbench()
  const text = await read('/workbench')
  const { scenarios } = await trade.control('/scenarios')
  for (const { digits, does, name } of scenarios) {
    expect(text).toContain(`…${digits}`)
    expect(text).toContain(does)
    expect(text).toContain(`${name}:`)
  }
})

test('a viewer sees the workbench without forms, finance does not see it, and neither changes it', async () => {
  const { trade, visitor } = await openWorkbench()
  const form = formIn(visitor.page().html, 'advance', { seconds: '60' })
  const before = trade.timeline.now()
  for (const role of ['viewer', 'finance']) {
    const other = await signIn(trade, role)
    for (const path of WORKBENCH) {
      const { status, html } = await other.open(path)
      expect([role, path, status]).toEqual([role, path, role === 'viewer' ? 200 : 403])
      expect(html).not.toContain('/portal/workbench/')
    }
    const { csrf = '' } = formIn(other.page().html, 'sign-out').fields
    expect((await other.post({ ...form, fields: { ...form.fields, csrf } })).status).toBe(403)
  }
  expect(trade.timeline.now()).toBe(before)
})

test('a delivery is sent again with the same bytes, once for each press, by developers', async () => {
  const { trade, visitor, read } = await openWorkbench()
  const [original] = await trade.deliveries('WAGES-2')
  const path = `/deliveries/${original.id}`
  expect(await read(path)).toContain('Answered 503')
  const form = formIn(visitor.page().html, 'resend')
  const sent = trade.callbacks.length
  const [first, second] = await Promise.all([visitor.post(form), visitor.post(form)])
  expect(first.location).toBe(second.location)
  await trade.later(SECOND)
  expect(trade.callbacks.slice(sent).map(({ text }) => text)).toEqual([original.body])
  expect(readableIn((await visitor.ask(first.location ?? '')).html)).toContain(
    'The same bytes are being sent again.',
  )
  const viewer = await signIn(trade, 'viewer')
  expect((await viewer.open(path)).html).not.toContain('/resend')
  const { csrf = '' } = formIn(viewer.page().html, 'sign-out').fields
  expect((await viewer.post({ ...form, fields: { ...form.fields, csrf } })).status).toBe(403)
})

test('a delivery that nobody acknowledged is given up after 48 hours, and tells each attempt', async () => {
  const { trade, visitor, read } = await openWorkbench()
  const [original] = await trade.deliveries('payout-1')
  await trade.later(2 * DAY + MINUTE)
  await visitor.signIn('developer@sandbox.test')
  const text = await read(`/deliveries/${original.id}`)
  expect(text).toContain('Given up')
  expect(text.match(/Answered 503/g)).toHaveLength(4)
  expect(await read('/deliveries?status=given_up')).toContain('payout-1')
})
