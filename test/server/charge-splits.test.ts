import { describe, expect, test } from 'vitest'
import { createChargeWorld } from '../support/charge-world.ts'
import { CHARGE } from '../support/chargeable.ts'

describe('splits', () => {
  const split = (fields: object = {}) => ({ account: 'PARTNER-001', amount: 1, reason: 'Cloth', ...fields })
  const LIST = 'extra_data.split_settlements'

  test.each([
    ['nothing', [split({ amount: 0 })], '[0].amount', 'must be more than zero'],
    ['less than nothing', [split(), split({ amount: -1 })], '[1].amount', 'must be more than zero'],
    ['half a cent', [split({ amount: '0.005' })], '[0].amount', 'must have at most 2 fraction digits in KES'],
    ['words', [split({ amount: 'ten' })], '[0].amount', 'must be a number'],
    ['no account', [split({ account: undefined })], '[0].account', 'is required'],
    ['a blank account', [split({ account: ' ' })], '[0].account', 'must not be blank'],
    ['no reason', [split({ reason: '' })], '[0].reason', 'must not be blank'],
    ['one account twice', [split(), split()], '[1].account', 'is the same as that of [0]'],
    ['no list', 'PARTNER-001', '', 'must be a list'],
    [
      'more than there is',
      [split({ amount: 975.01 })],
      '',
      'come to 1000.01, which is more than the amount of 1000',
    ],
  ])('of %s are refused by entry and rule, before anything is sent', async (_, list, path, message) => {
    const shop = await createChargeWorld()
    const answer = await shop.api('/charges', { ...CHARGE, extra_data: { split_settlements: list } })
    const { errors } = await answer.json()
    expect([answer.status, errors]).toEqual([422, [{ path: LIST + path, message }]])
    expect(shop.gatewayRequests()).toEqual([])
  })

  test('always carry the dynamic accounts, in their own share where the merchant names one', async () => {
    const shop = await createChargeWorld()
    const accounts = ({ split_settlements }: Awaited<ReturnType<typeof shop.charge>>) =>
      split_settlements.map(({ account, amount }) => [account, amount])
    expect(accounts(await shop.charge({ extra_data: undefined }))).toEqual([['PARTNER-FEES', '25']])
    const own = { split_settlements: [split({ account: 'PARTNER-FEES', amount: '10' })] }
    expect(accounts(await shop.charge({ external_reference: 'C-2', extra_data: own }))).toEqual([
      ['PARTNER-FEES', '10'],
    ])
  })
})
