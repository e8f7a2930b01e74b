import { describe, expect, it } from 'vitest'
import { ChargeRequest, Confirmation, SplitSettlement } from '../../server/contract/charge.ts'
import { CheckoutError } from '../../server/contract/errors.ts'
import { charge, chargeErrors, confirmation, redirectCharge } from '../support/spec-charges.ts'

describe('a charge', () => {
  it('is read with every field of the table, shares as numbers', () => {
    const [first, second, third] = charge.extra_data.split_settlements
    expect(ChargeRequest.parse(charge)).toEqual({
      ...charge,
      extra_data: { split_settlements: [first, { ...second, amount: 250.5 }, third] },
    })
  })

  it('needs no more than who pays what to whom', () => {
    expect(ChargeRequest.parse(redirectCharge)).toEqual(redirectCharge)
    const { extra_data: _, ...least } = redirectCharge
    expect(ChargeRequest.parse(least)).toEqual(least)
    for (const field of Object.keys(least))
      expect(ChargeRequest.safeParse({ ...least, [field]: undefined }).success).toBe(false)
  })

  it('keeps metadata that nobody knows', () => {
    const extra_data = { basket: [{ kanga: 2 }] }
    expect(ChargeRequest.parse({ ...charge, extra_data }).extra_data).toEqual(extra_data)
  })

  it.each([0, 1, true, false])('takes %j for a wish', (wish) => {
    expect(ChargeRequest.parse({ ...charge, notify_client: wish }).notify_client).toBe(Boolean(wish))
  })

  it.each([1e15, 0.1234567890123456, Number.NaN, Infinity, 1e-7, '1e3', '0x10', ''])(
    'has no amount of %s, which is not exact',
    (amount) => {
      expect(ChargeRequest.safeParse({ ...charge, amount }).success).toBe(false)
    },
  )
})

it.each([
  [16, true],
  [17, false],
  [20_000, false],
])('metadata of %i levels may be sent: %s', (levels, may) => {
  const deep: unknown = JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  expect(ChargeRequest.safeParse({ ...charge, extra_data: deep }).success).toBe(may)
})

it.each([{ account: '' }, { amount: 0 }, { amount: '-1' }, { reason: undefined }])(
  'a share with %j is none',
  (fields) => {
    const [share] = charge.extra_data.split_settlements
    expect(SplitSettlement.safeParse(share).success).toBe(true)
    expect(SplitSettlement.safeParse({ ...share, ...fields }).success).toBe(false)
  },
)

it('a confirmation is one of two words', () => {
  expect(Confirmation.parse(confirmation)).toEqual(confirmation)
  expect(Confirmation.parse({ ...confirmation, status: 'FAILED' }).status).toBe('FAILED')
  expect(Confirmation.safeParse({ ...confirmation, status: 'PENDING' }).success).toBe(false)
})

it.each(chargeErrors)('the refusal $status_code is read', (error) => {
  expect(CheckoutError.parse(error)).toEqual(error)
})
