import { describe, expect, test } from 'vitest'
import { createWorld } from '../support/world.ts'

// A database that compares without case and marks, and a function that returns the reference it was asked for.
const STORED = 'A-1042'
const { compare } = new Intl.Collator('en', { sensitivity: 'base' })
const asStored = (reference: string) =>
  compare(reference, STORED) === 0
    ? { order: reference, amount: '1500', currency: 'KES', narration: 'Two kangas' }
    : null

async function openShop() {
  const world = await createWorld()
  for (const reference of [STORED, 'a-1042', 'Á-1042', 'A-1042\u200b', 'Ａ-1042']) {
    const order = asStored(reference)
    if (order) world.orders.set(reference, order)
  }
  const codeOf = async (order: string) => {
    const answer = await world.initiate(order)
    return answer.ok ? 'started' : (await answer.json()).code
  }
  return { ...world, codeOf }
}

describe('an order that another one looks like', () => {
  test.each(['live', 'paid'])(
    'is not started while the other is %s, however it is written',
    async (state) => {
      const world = await openShop()
      const begun = await world.start(STORED)
      if (state === 'paid') await world.pay(begun, 'approve')
      await world.later(5_000)
      for (const other of ['a-1042', 'Á-1042']) expect(await world.codeOf(other)).toBe('reference_reused')
      for (const other of ['A-1042\u200b', 'Ａ-1042'])
        expect(await world.codeOf(other)).toMatch(/^order(s_unavailable|_unknown)$/)
      expect(await world.codeOf(STORED)).toBe('started')
    },
  )

  test('is not started at the same moment, whichever comes first', async () => {
    const world = await openShop()
    const codes = await Promise.all([STORED, 'a-1042', 'Á-1042', STORED].map((order) => world.codeOf(order)))
    expect(codes).toContain('started')
    expect(codes.filter((code) => code !== 'started' && code !== 'reference_reused')).toEqual([])
    expect(new Set((await world.rows()).map(({ group }) => group)).size).toBe(1)
  })
})

test('an order with the id of a checkout as its reference is not that checkout', async () => {
  const world = await openShop()
  const { checkout_id } = await world.start(STORED)
  world.order(checkout_id, '90000')
  await world.start(checkout_id)
  expect(await (await world.api(`/checkouts/${checkout_id}`)).json()).toMatchObject({ order: checkout_id })
})
