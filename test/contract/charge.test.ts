import { describe, expect, it } from 'vitest'
import { ChargeRequest, Confirmation, SplitSettlement } from '../../server/contract/charge.ts'
import { CheckoutError } from '../../server/contract/errors.ts'
import { charge, chargeErrors, confirmation, redirectCharge } from '../support/spec-charges.ts'

describe('a charge', () => {
  it('is parsed with every field of the table, shares as numbers', () => {
    const [first, second, third] = charge.extra_data.split_settlements
    expect(ChargeRequest.parse(charge)).toEqual({
      ...charge,
      extra_data: { split_settlements: [first, { ...second, amount: 250.5 }, third] },
    })
  })

  it('requires only payer, payee and amount', () => {
    expect(ChargeRequest.parse(redirectCharge)).toEqual(redirectCharge)
    const { extra_data: _, ...least } = redirectCharge
    expect(ChargeRequest.parse(least)).toEqual(least)
    for (const field of Object.keys(least))
      expect(ChargeRequest.safeParse({ ...least, [field]: undefined }).success).toBe(false)
  })

  it('keeps unknown metadata', () => {
    const extra_data = { basket: [{ kanga: 2 }] }
    expect(ChargeRequest.parse({ ...charge, extra_data }).extra_data).toEqual(extra_data)
  })

  it.each([0, 1, true, false])('accepts %j for a boolean', (wish) => {
    expect(ChargeRequest.parse({ ...charge, notify_client: wish }).notify_client).toBe(Boolean(wish))
  })

  it.each([1e15, 0.1234567890123456, Number.NaN, Infinity, 1e-7, '1e3', '0x10', ''])(
    'refuses the inexact amount %s',
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
  'a share with %j is refused',
  (fields) => {
    const [share] = charge.extra_data.split_settlements
    expect(SplitSettlement.safeParse(share).success).toBe(true)
    expect(SplitSettlement.safeParse({ ...share, ...fields }).success).toBe(false)
  },
)

it('a confirmation is SUCCESSFUL or FAILED', () => {
  expect(Confirmation.parse(confirmation)).toEqual(confirmation)
  expect(Confirmation.parse({ ...confirmation, status: 'FAILED' }).status).toBe('FAILED')
  expect(Confirmation.safeParse({ ...confirmation, status: 'PENDING' }).success).toBe(false)
})

it.each(chargeErrors)('the refusal $status_code is parsed', (error) => {
  expect(CheckoutError.parse(error)).toEqual(error)
})
