import { expect, it } from 'vitest'

import { ChargeRequest } from '../../server/contract/charge.ts'
import { charge } from '../support/spec/charges.ts'

it('a charge is parsed with every field of the table, shares as numbers', () => {
  const [first, second, third] = charge.extra_data.split_settlements
  expect(ChargeRequest.parse(charge)).toEqual({
    ...charge,
    extra_data: { split_settlements: [first, { ...second, amount: 250.5 }, third] },
  })
})

it('a charge keeps unknown metadata', () => {
  const extra_data = { basket: [{ kanga: 2 }] }
  expect(ChargeRequest.parse({ ...charge, extra_data }).extra_data).toEqual(extra_data)
})

it.each([0, 1, true, false])('a charge accepts %j for a boolean', (wish) => {
  expect(ChargeRequest.parse({ ...charge, notify_client: wish }).notify_client).toBe(Boolean(wish))
})

it.each([1e15, 0.1234567890123456, Number.NaN, Infinity, 1e-7, '1e3', '0x10', ''])(
  'a charge refuses the inexact amount %s',
  (amount) => {
    expect(ChargeRequest.safeParse({ ...charge, amount }).success).toBe(false)
  },
)

it.each([
  [16, true],
  [17, false],
  [20_000, false],
])('metadata of %i levels may be sent: %s', (levels, may) => {
  const deep: unknown = JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  expect(ChargeRequest.safeParse({ ...charge, extra_data: deep }).success).toBe(may)
})
