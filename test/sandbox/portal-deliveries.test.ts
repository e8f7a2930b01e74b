import { expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from './merchant.ts'
import { openTrade } from './portal-trade.ts'
import { formIn, openPortal, readableIn } from './portal-visitor.ts'

const DAY = 24 * HOUR

async function openTraded() {
  const trade = await openTrade()
  const visitor = await signIn(trade, 'developer')
  const read = async (path: string) => readableIn((await visitor.open(path)).html)
  return { trade, visitor, read }
}

async function signIn({ sandbox }: { sandbox: { app: Parameters<typeof openPortal>[0] } }, role: string) {
  const visitor = openPortal(sandbox.app)
  await visitor.signIn(`${role}@sandbox.test`)
  return visitor
}

test('a delivery is sent again with the same bytes, once for each press, by developers', async () => {
  const { trade, visitor, read } = await openTraded()
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
  const { trade, visitor, read } = await openTraded()
  const [original] = await trade.deliveries('payout-1')
  await trade.later(2 * DAY + MINUTE)
  await visitor.signIn('developer@sandbox.test')
  const text = await read(`/deliveries/${original.id}`)
  expect(text).toContain('Given up')
  expect(text.match(/Answered 503/g)).toHaveLength(4)
  expect(await read('/deliveries?status=given_up')).toContain('payout-1')
})
