import { expect, it } from 'vitest'

import { MINUTE, SECOND, openMerchant } from './merchant.ts'

const SCENARIOS: [scenario: string, digits: string, statuses: number[], reason?: string | null][] = [
  ['approve', '9000', [801]],
  ['insufficient_funds', '9001', [803], 'There was not enough money.'],
  ['wrong_pin', '9002', [803], 'The PIN was wrong.'],
  ['ignore', '9003', [803], 'The prompt timed out.'],
  ['cancel', '9004', [803], 'The prompt was cancelled.'],
  ['partial', '9005', [802]],
  ['overpay', '9006', [801]],
  ['slow', '9007', [801]],
  ['jam', '9008', [850]],
  ['reverse', '9009', [801, 840]],
  ['refund', '9010', [801, 841]],
  ['limit', '9011', [803], 'The limit of the wallet is reached.'],
  ['not_registered', '9012', [803], 'The number is not registered for mobile money.'],
  ['operator_away', '9013', [803], 'The operator is not available.'],
  ['silent', '9014', [803], null],
]

it.for(SCENARIOS)(
  '%s (%s) as a magic number of a checkout, a request to pay, a charge and the hosted page',
  async ([scenario, digits, statuses, reason]) => {
    const atOnce = scenario === 'slow' ? 851 : statuses[0]
    const merchant = await openMerchant()
    const payer_msisdn = `25470000${digits}`
    await merchant.begin({ payer_msisdn })
    await merchant.begin({ merchant_transaction_id: 'order-2', payer_msisdn: '254700009004' })
    const { redirect_url } = await merchant.begin({ merchant_transaction_id: 'order-3' })
    await merchant.charge({ payer_msisdn })
    expect(await merchant.pay(undefined)).toMatchObject({ status: atOnce })
    const overridden = await merchant.pay(undefined, { msisdn: `+254 700 00-${digits}` }, 'order-2')
    expect(overridden).toMatchObject({ status: atOnce, payments: [{ payer_msisdn }] })
    const { pathname } = new URL(redirect_url)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    await merchant.post(`${pathname}/prompt`, `method=MOMO_KEN&msisdn=${payer_msisdn}`, form)
    await merchant.later(3 * SECOND)
    const all = async () => [
      ...(await Promise.all(['order-1', 'order-2', 'order-3'].map((id) => merchant.status(id)))),
      await merchant.chargeStatus(),
    ]
    for (const { status } of await all()) {
      expect(status).toBe(atOnce)
    }

    await merchant.later(2 * MINUTE)
    for (const { status, payments } of await all()) {
      expect(status).toBe(statuses.at(-1))
      if (reason !== undefined) {
        expect(payments).toMatchObject([{ event: 'failed_payment', receiver_narration: reason }])
      }
    }

    for (const id of ['order-1', 'order-2', 'order-3', 'ORDER-7731']) {
      const callbacks = merchant.callbacks.filter(({ body }) => body?.merchant_transaction_id === id)
      expect(callbacks.map(({ body }) => body?.status)).toEqual(statuses)
    }
  },
)

it('a prompt that is ignored times out after a minute, with a callback only then', async () => {
  const merchant = await openMerchant()
  await merchant.begin()
  expect(await merchant.pay('ignore')).toMatchObject({
    status: 803,
    payments: [{ payment_status: 703, event: 'pending_payment', receiver_narration: null }],
  })
  await merchant.later(MINUTE - 1)
  expect(merchant.callbacks).toEqual([])
  await merchant.later(SECOND)
  expect(await merchant.status()).toMatchObject({ status: 803, payments: [{ payment_status: 701 }] })
  expect(merchant.callbacks).toHaveLength(1)
})

it.each([
  ['wrong_pin', { status: 803, amount: '0' }],
  ['partial', { status: 802, amount: '250' }],
  ['jam', { status: 850 }],
])('after %s the status does not expire', async (scenario, expected) => {
  const merchant = await openMerchant()
  await merchant.begin()
  await merchant.pay(scenario)
  await merchant.later(31 * MINUTE)
  expect(await merchant.status()).toMatchObject(expected)
})

it('a slow payment is pending for 45 seconds, even when the session expires before', async () => {
  const merchant = await openMerchant()
  await merchant.begin({ expires_in: 1 })
  await merchant.later(30 * SECOND)
  expect(await merchant.pay('slow')).toMatchObject({ status: 851, payments: [{ payment_status: 706 }] })
  await merchant.later(45 * SECOND)
  expect(await merchant.status()).toMatchObject({ status: 801, timestamp: '2026-11-21T09:01:15.000Z' })
})

it.each([{}, { method: 'BANK' }])(
  'a scenario answers the open prompt of %j instead of a second one',
  async (by) => {
    const merchant = await openMerchant()
    await merchant.begin()
    await merchant.pay('ignore', by)
    expect(await merchant.pay('approve')).toMatchObject({ status: 801, payments: [{ payment_status: 700 }] })
    await merchant.later(2 * MINUTE)
    expect(await merchant.status()).toMatchObject({ status: 801, payments: [{ payment_status: 700 }] })
  },
)

it('a session that is paid, ended or expired cannot be paid', async () => {
  const merchant = await openMerchant()
  await merchant.begin()
  await merchant.pay('approve')
  expect(await merchant.pay('approve')).toMatchObject({ message: 'The checkout is paid in full.' })
  await merchant.pay('refund')
  expect(await merchant.pay('approve')).toMatchObject({ message: expect.stringContaining('given back') })
  await merchant.begin({ merchant_transaction_id: 'order-2', expires_in: 1 })
  await merchant.later(MINUTE)
  expect(await merchant.pay('approve', {}, 'order-2')).toMatchObject({
    message: 'The checkout session has expired.',
  })
})

it('an amount may have a fraction, and even one unit can be paid in parts', async () => {
  const merchant = await openMerchant()
  await merchant.begin()
  expect(await merchant.pay('overpay', { amount: '650.50' })).toMatchObject({ amount: '650.50' })
  await merchant.begin({ amount: 1, merchant_transaction_id: 'order-2' })
  expect(await merchant.pay('partial', {}, 'order-2')).toMatchObject({ status: 802, amount: '0.01' })
  expect(await merchant.pay('approve', {}, 'order-2')).toMatchObject({ status: 801, amount: '1' })
})

it.each(['approve', 'slow', 'cancel', 'ignore', 'jam', 'reverse', undefined])(
  'an amount is refused with the scenario %s, which takes none',
  async (scenario) => {
    const merchant = await openMerchant()
    await merchant.begin()
    await merchant.pay('partial')
    const before = await merchant.status()
    expect(await merchant.pay(scenario, { amount: '5' })).toMatchObject({
      status_code: 172,
      message: `The amount must be left out: the scenario ${scenario ?? 'approve'} takes none.`,
    })
    expect(await merchant.status()).toEqual(before)
  },
)

it.each(['L1\nL2', 'é', 'A\u20101', ' A-1', 'A  1', '.', '..'])(
  'the merchant_transaction_id %j is refused, and never changed',
  async (id) => {
    const merchant = await openMerchant()
    await expect(merchant.begin({ merchant_transaction_id: id })).rejects.toThrow(
      /"status_code":172,.*"merchant_transaction_id must/,
    )
  },
)

it('a merchant_transaction_id is compared with case', async () => {
  const merchant = await openMerchant()
  await merchant.begin({ merchant_transaction_id: 'a-1', amount: 100 })
  await merchant.begin({ merchant_transaction_id: 'A-1', amount: 200 })
  expect(await merchant.pay('approve', {}, 'a-1')).toMatchObject({
    amount: '100',
    merchant_transaction_id: 'a-1',
  })
  expect(await merchant.pay('approve', {}, 'A-1')).toMatchObject({
    amount: '200',
    merchant_transaction_id: 'A-1',
  })
})
