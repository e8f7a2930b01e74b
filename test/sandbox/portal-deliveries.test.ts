import { expect, test } from 'vitest'
import { SECOND } from './merchant.ts'
import { openTrade } from './portal-trade.ts'
import { formIn, openPortal, readableIn } from './portal-visitor.ts'

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
  expect(await read(path)).toContain('answered 503')
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
