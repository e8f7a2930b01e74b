import { expect, it } from 'vitest'

import { PAYOUT_ERROR_CODES } from '../../server/contract/payout.ts'
import { airtime } from '../support/spec/airtime.ts'
import { transfer } from '../support/spec/payouts.ts'
import {
  AIRTIME,
  B2B,
  FUNDED,
  MINUTE,
  PAYOUTS,
  SECOND,
  TRANSFERS,
  b2b,
  openMerchant,
  payout,
  to,
} from './merchant.ts'

import type { Entry, Merchant } from './merchant.ts'

it.each<[authorization: string | null, other: string | null, result: number | string]>([
  ['right', null, 720],
  ['Bearer right', null, 720],
  ['right', 'wrong', 720],
  ['wrong', 'right', 'INVALID_ACCESS_TOKEN'],
  ['wrong', null, 'INVALID_ACCESS_TOKEN'],
  [null, null, 'UNAUTHORIZED'],
])('a transfer with Authorization %j and x-access-token %j: %s', async (authorization, other, result) => {
  const merchant = await openMerchant()
  const headers = Object.entries({ authorization, 'x-access-token': other }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value.replace('right', merchant.token())]],
  )
  const answer = await merchant.post(TRANSFERS, transfer, Object.fromEntries(headers))
  const { response_code, error_code = response_code } = await answer.json()
  expect({ status: answer.status, error_code }).toEqual({
    status: result === 720 ? 200 : 401,
    error_code: result,
  })
})

const RESERVED = '998987.50'
// A refund returns the amount without the fee of 12.50.
const REFUNDED = '999987.50'

it.each([
  ['an ordinary number', '254700000001', [700], RESERVED],
  ['success', '254700009100', [700], RESERVED],
  ['decline', '254700009101', [701], FUNDED],
  ['slow', '254700009007', [700], RESERVED],
  ['jam', '254700009008', [704], RESERVED],
  ['reverse', '254700009009', [700, 702], FUNDED],
  ['refund', '254700009010', [700, 705], REFUNDED],
] as const)(
  'the magic number %s (%s) makes payouts send callbacks with %j',
  async (_, number, statuses, balance) => {
    const merchant = await openMerchant()
    await merchant.accepted(PAYOUTS, payout({ recipient_phone_number: number }))
    expect(await merchant.payoutStatus()).toMatchObject({ data: { payment_status: 703 } })
    await merchant.later(2 * MINUTE)
    const last = await merchant.payoutStatus()
    expect(last.data).toMatchObject({ payment_status: statuses.at(-1), wallet_balance: balance })
    expect(await merchant.balance()).toBe(balance)
    const results = () => merchant.callbacks.map(({ text }) => JSON.parse(text))
    expect(results().map(({ data }) => data.payment_status)).toEqual(statuses)
    expect(results().at(-1)).toEqual(last)

    merchant.callbacks.length = 0
    await merchant.accepted(B2B, b2b({ payout_reference: 'b2b-1', recipient_account_number: number }))
    await merchant.later(2 * MINUTE)
    expect(results().map(({ payment_status }) => payment_status)).toEqual(statuses)
    expect(results().at(-1)).toEqual(await merchant.b2bStatus('b2b-1'))
  },
)

it.each(PAYOUT_ERROR_CODES.map((code, index) => [code, `25470000${9102 + index}`]))(
  'the code %s is reached by the magic number %s, and nothing is kept',
  async (error_code, number) => {
    const merchant = await openMerchant()
    const refusal = await merchant.refusal(PAYOUTS, payout({ recipient_phone_number: number }))
    expect(refusal).toEqual({
      http: expect.any(Number),
      payout_reference: 'payout-1',
      response_code: error_code === 'DUPLICATE_IGNORED' ? 722 : 721,
      response_description: expect.stringContaining(error_code.toLowerCase()),
      error_code,
    })
    expect(await merchant.payoutStatus()).toMatchObject({ response_code: 723 })
    expect(await merchant.balance()).toBe(FUNDED)
  },
)

it('a name that a payout does not have is empty in its result', async () => {
  const merchant = await openMerchant()
  const names = { recipient_first_name: null, recipient_middle_name: '', recipient_last_name: undefined }
  await merchant.accepted(PAYOUTS, payout())
  await merchant.accepted(TRANSFERS, { ...transfer, ...names, payout_reference: 'nameless' })
  expect((await merchant.payoutStatus()).data).toHaveProperty('recipient_middle_name', '')
  const empty = { recipient_first_name: '', recipient_middle_name: '', recipient_last_name: '' }
  expect((await merchant.payoutStatus('nameless')).data).toMatchObject(empty)
})

const ABROAD = { destination_type: 'BANK', destination_name: 'Bank', recipient_bank_code: '01' }

it.each(['EUR', 'GBP'])('%s has rates, and receives transfers', async (currency) => {
  const merchant = await openMerchant()
  const { rates } = await merchant.read(`/v1/fx?base_currency=${currency}`)
  expect(Number(rates.KES.buying)).toBeGreaterThan(100)
  const exchange_rate = await merchant.rate('KES', currency)
  const recipient_amount = (2000 * Number(exchange_rate)).toFixed(2)
  const fields = { ...ABROAD, destination_currency: currency, exchange_rate, recipient_amount }
  await merchant.accepted(TRANSFERS, { ...transfer, ...fields })
  await merchant.later(5 * SECOND)
  const data = { payment_status: 700, currency, amount: recipient_amount }
  expect(await merchant.payoutStatus('FAMILY-1')).toMatchObject({ data })
})

it('airtime under a reference that was used before is 721, as a duplicate', async () => {
  const merchant = await openMerchant()
  await merchant.accepted(AIRTIME, airtime)
  const refusal = { http: 409, response_code: 721, error_code: 'DUPLICATE_IGNORED' }
  expect(await merchant.refusal(AIRTIME, airtime)).toMatchObject(refusal)
})

it.each([
  ['reverse', 702, FUNDED],
  ['refund', 705, REFUNDED],
])(
  'the scenario %s through /_sandbox applies to paid payouts only',
  async (scenario, payment_status, balance) => {
    const merchant = await openMerchant()
    await merchant.accepted(PAYOUTS, payout())
    expect((await merchant.play(scenario)).status).toBe(409)
    await merchant.later(5 * SECOND)
    await merchant.play(scenario)
    expect(await merchant.payoutStatus()).toMatchObject({ data: { payment_status } })
    expect(await merchant.balance()).toBe(balance)
    for (const late of ['success', 'decline', 'slow', 'jam', 'reverse', 'refund', 'failed']) {
      expect((await merchant.play(late)).status).toBe(409)
    }
  },
)

it('a scenario through /_sandbox is kept for one future payout', async () => {
  const merchant = await openMerchant()
  expect((await merchant.play('invalid_wallet')).status).toBe(202)
  expect(await merchant.refusal(PAYOUTS, payout())).toMatchObject({ error_code: 'INVALID_WALLET' })
  await merchant.play('decline')
  const tooMuch = payout({ sender_amount: '999999999', recipient_amount: '999999999' })
  expect(await merchant.refusal(PAYOUTS, tooMuch)).toMatchObject({ error_code: 'INSUFFICIENT_BALANCE' })
  await merchant.accepted(PAYOUTS, payout())
  await merchant.later(5 * SECOND)
  expect(await merchant.payoutStatus()).toMatchObject({
    data: { payment_status: 701, transaction_cost: '0.00', message: 'The operator declined the payout.' },
  })
})

const OUTCOMES = [
  ['0001', [602]],
  ['9100', [602]],
  ['9101', [603]],
  ['9112', [603]],
  ['9007', [602]],
  ['9008', [604]],
  ['9009', [602, 605]],
  ['9010', [602, 606]],
  ['9113', [607, 602]],
] as const

const statusesOf = async (merchant: Merchant) =>
  (await merchant.entries()).map((entry) => entry.service_status)

it('a magic number gives each recipient of a request its own result', async () => {
  const merchant = await openMerchant()
  await merchant.buy(OUTCOMES.map(([digits]) => to(digits)))
  await merchant.later(2 * MINUTE)
  expect(await statusesOf(merchant)).toEqual(OUTCOMES.map(([, statuses]) => statuses.at(-1)))
  const entries: Entry[] = merchant.callbacks.map(({ text }) => JSON.parse(text))
  for (const [digits, statuses] of OUTCOMES) {
    const ofThis = entries.filter(({ phone_number }) => phone_number.endsWith(digits))
    expect(ofThis.map((entry) => entry.service_status)).toEqual(statuses)
  }

  // The float pays four deliveries (602) and reserves one (604). All other amounts return to the float.
  expect(await merchant.balance()).toBe('999500.00')
  expect(await merchant.balanceOf('reserved/ACC-001/KES')).toBe('100.00')
  expect(await merchant.balanceOf('operators/KES')).toBe('400.00')
})

it.each([
  ['reverse', 605],
  ['refund', 606],
])('the scenario %s through /_sandbox applies to delivered airtime only', async (scenario, status) => {
  const merchant = await openMerchant()
  await merchant.buy([to('0001')])
  expect((await merchant.playAirtime(scenario)).status).toBe(409)
  await merchant.later(5 * SECOND)
  await merchant.playAirtime(scenario)
  expect(await statusesOf(merchant)).toEqual([status])
  expect(await merchant.balance()).toBe(FUNDED)
  for (const late of ['success', 'failed', 'slow', 'jam', 'reprocess', 'reverse', 'refund']) {
    expect((await merchant.playAirtime(late)).status).toBe(409)
  }
})

it('a rejection always has an error_code: FAILED with 400 is a wrong field, and with 503 an outage', async () => {
  const merchant = await openMerchant()

  const refused = async (fields: object) => {
    const { http, response_code, error_code } = await merchant.refusal(PAYOUTS, payout(fields))
    return [http, response_code, error_code]
  }

  expect(await refused({ sender_amount: 'x' })).toEqual([400, 721, 'FAILED'])
  expect(await refused({ recipient_phone_number: '254700009114' })).toEqual([400, 721, 'FAILED'])
  expect(await refused({ recipient_phone_number: '254700009112' })).toEqual([503, 721, 'FAILED'])
})

it('an empty transfer is refused with the names of all its fields', async () => {
  const merchant = await openMerchant()
  const { response_description } = await merchant.refusal(TRANSFERS, {})
  const named = String(response_description)
    .split('; ')
    .map((problem) => problem.split(' ')[0])
  expect(named).toHaveLength(21)
  const requested = new Set(Object.keys(transfer))
  expect(named.filter((name = '') => !requested.has(name))).toEqual([])
})
