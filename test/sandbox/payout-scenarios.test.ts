import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE } from './merchant.ts'
import { B2B, PAYOUTS, SECOND, b2b, openPayoutMerchant, payout } from './payout-merchant.ts'

/** [spec: Payout error_code values] */
const ERROR_CODES = [
  'INSUFFICIENT_BALANCE',
  'SERVICE_NOT_ALLOWED',
  'INVALID_ACCESS_TOKEN',
  'INVALID_DESTINATION_TYPE',
  'INVALID_PHONE_NUMBER',
  'INVALID_PAYMENT_METHOD',
  'INVALID_WALLET',
  'UNAUTHORIZED',
  'RESOURCE_NOT_FOUND',
  'DUPLICATE_IGNORED',
  'FAILED',
]

const FUNDED = '1000000.00'
const RESERVED = '998987.50'

/** A number that stands for a scenario, and what comes of a payout to it. */
const OUTCOMES = [
  ['an ordinary number', '254700000001', [700], RESERVED],
  ['success', '254700009100', [700], RESERVED],
  ['decline', '254700009101', [701], FUNDED],
  ['slow', '254700009007', [700], RESERVED],
  ['jam', '254700009008', [704], RESERVED],
  ['reverse', '254700009009', [700, 702], FUNDED],
  ['refund', '254700009010', [700, 705], '999987.50'],
] as const

describe('a magic number', () => {
  it.each(OUTCOMES)('%s (%s) makes a payout send callbacks with %j', async (_, number, statuses, balance) => {
    const merchant = await openPayoutMerchant()
    await merchant.accepted(PAYOUTS, payout({ recipient_phone_number: number }))
    expect(await merchant.status()).toMatchObject({ data: { payment_status: 703 } })
    await merchant.later(2 * MINUTE)
    const last = await merchant.status()
    expect(last.data.payment_status).toBe(statuses.at(-1))
    expect(last.data.wallet_balance).toBe(balance)
    expect(await merchant.balance()).toBe(balance)
    expect(merchant.callbacks.map(({ text }) => JSON.parse(text).data.payment_status)).toEqual(statuses)
    expect(JSON.parse(merchant.callbacks.at(-1)!.text)).toEqual(last)
  })

  it.each(OUTCOMES)('%s (%s) makes a B2B payout send callbacks with %j', async (_, number, statuses) => {
    const merchant = await openPayoutMerchant()
    await merchant.accepted(B2B, b2b({ recipient_account_number: number }))
    await merchant.later(2 * MINUTE)
    expect(merchant.callbacks.map(({ text }) => JSON.parse(text).payment_status)).toEqual(statuses)
    expect(await merchant.statusOfB2b()).toMatchObject({ payment_status: statuses.at(-1) })
  })

  it('with slow stays 703 for 45 seconds', async () => {
    const merchant = await openPayoutMerchant()
    await merchant.accepted(PAYOUTS, payout({ recipient_phone_number: '254700009007' }))
    await merchant.later(45 * SECOND)
    expect(await merchant.status()).toMatchObject({ data: { payment_status: 703 } })
    await merchant.later(5 * SECOND)
    expect(await merchant.status()).toMatchObject({ data: { payment_status: 700 } })
  })

  it.each(ERROR_CODES.map((code, index) => [code, `25470000${9102 + index}`]))(
    '%s is reached by %s, and nothing is kept',
    async (error_code, number) => {
      const merchant = await openPayoutMerchant()
      const answer = await merchant.send(PAYOUTS, payout({ recipient_phone_number: number }))
      expect(answer.ok).toBe(false)
      expect(await answer.json()).toEqual({
        payout_reference: 'payout-1',
        response_code: error_code === 'DUPLICATE_IGNORED' ? 722 : 721,
        response_description: expect.stringContaining(error_code.toLowerCase()),
        error_code,
      })
      expect(await merchant.status()).toMatchObject({ response_code: 723 })
      expect(await merchant.balance()).toBe(FUNDED)
    },
  )
})

describe('a scenario through /_sandbox', () => {
  it.each([
    ['success', 700],
    ['decline', 701],
    ['jam', 704],
  ])('%s takes effect at once', async (scenario, status) => {
    const merchant = await openPayoutMerchant()
    await merchant.accepted(PAYOUTS, payout())
    expect(await (await merchant.play(scenario)).json()).toMatchObject({ data: { payment_status: status } })
    await merchant.later(HOUR - 1)
    expect(await merchant.status()).toMatchObject({ data: { payment_status: status } })
    expect(merchant.callbacks).toHaveLength(1)
  })

  it.each([
    ['success', 700, RESERVED],
    ['decline', 701, FUNDED],
  ])('jammed money stays reserved until %s', async (scenario, status, balance) => {
    const merchant = await openPayoutMerchant()
    await merchant.accepted(PAYOUTS, payout())
    await merchant.play('jam')
    await merchant.later(30 * MINUTE)
    expect(await merchant.balance()).toBe(RESERVED)
    await merchant.play(scenario)
    expect(await merchant.status()).toMatchObject({ data: { payment_status: status } })
    expect(await merchant.balance()).toBe(balance)
  })

  it.each([
    ['reverse', 702, FUNDED],
    ['refund', 705, '999987.50'],
  ])('%s applies to paid payouts only', async (scenario, status, balance) => {
    const merchant = await openPayoutMerchant()
    await merchant.accepted(PAYOUTS, payout())
    expect((await merchant.play(scenario)).status).toBe(409)
    await merchant.later(5 * SECOND)
    await merchant.play(scenario)
    expect(await merchant.status()).toMatchObject({ data: { payment_status: status } })
    expect(await merchant.balance()).toBe(balance)
    for (const late of ['success', 'decline', 'slow', 'jam', 'reverse', 'refund', 'failed'])
      expect((await merchant.play(late)).status).toBe(409)
  })

  it('is kept for one future payout', async () => {
    const merchant = await openPayoutMerchant()
    expect((await merchant.play('invalid_wallet')).status).toBe(202)
    expect(await (await merchant.send(PAYOUTS, payout())).json()).toMatchObject({
      error_code: 'INVALID_WALLET',
    })
    await merchant.play('decline')
    await merchant.accepted(PAYOUTS, payout())
    await merchant.later(5 * SECOND)
    expect(await merchant.status()).toMatchObject({
      data: { payment_status: 701, transaction_cost: '0.00', message: 'The operator declined the payout.' },
    })
  })

  it.each(['approve', 'constructor', '', null, 7])('%j is not a payout scenario', async (scenario) => {
    const merchant = await openPayoutMerchant()
    const answer = await merchant.post('/_sandbox/payouts/payout-1/play', { scenario })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining('scenario') })
  })
})

describe('callbacks of payouts', () => {
  it.each([
    ['local', PAYOUTS, payout()],
    ['B2B', B2B, b2b()],
  ])('of %s payouts are retried three times over 48 hours', async (_, path, body) => {
    const merchant = await openPayoutMerchant({ reply: () => new Response('busy', { status: 503 }) })
    await merchant.accepted(path, body)
    await merchant.later(30 * 24 * HOUR)
    const first = 3 * SECOND + 250
    expect(merchant.callbacks.map(({ at }) => at - first)).toEqual([0, MINUTE, HOUR, 48 * HOUR])
    expect(await merchant.deliveries()).toMatchObject([{ reference: 'payout-1', state: 'given_up' }])
  })

  it('are not delayed by a target that is silent, slow, endless or redirects', async () => {
    const zeros = new TextEncoder().encode('0'.repeat(65_536))
    const drop = (controller: ReadableStreamDefaultController) => controller.enqueue(zeros.subarray(0, 3))
    const replies: Record<string, () => Response | Promise<Response>> = {
      silent: () => new Promise(() => {}),
      moved: () => new Response('', { status: 302, headers: { location: 'http://10.0.0.1/' } }),
      dripping: () => new Response(new ReadableStream({ start: drop })),
      endless: () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(zeros) })),
      plain: () => new Response('OK'),
    }
    const merchant = await openPayoutMerchant({ reply: (url) => replies[url.split('/').at(-1)!]!() })
    for (const payout_reference of Object.keys(replies)) {
      const callback_url = `http://127.0.0.1:9/${payout_reference}`
      await merchant.accepted(PAYOUTS, payout({ payout_reference, callback_url }))
    }
    const firstOf = async (reference: string) => (await merchant.deliveries(reference))[0].attempts[0]

    await merchant.later(4 * SECOND)
    expect(await firstOf('plain')).toMatchObject({ outcome: { status: 200, answer: 'OK' } })
    expect(await firstOf('endless')).toMatchObject({ outcome: { status: 200, answer: '0'.repeat(500) } })
    expect(await firstOf('moved')).toMatchObject({ outcome: { status: 302 } })
    expect(await firstOf('dripping')).toBeUndefined()
    await merchant.later(10 * SECOND)
    expect(await firstOf('dripping')).toMatchObject({
      took_ms: 10_000,
      outcome: { status: 200, answer: '000' },
    })
    expect(await firstOf('silent')).toMatchObject({ took_ms: 10_000, outcome: { error: expect.any(String) } })
  })

  it('go beyond this machine only to callbackHosts', async () => {
    const callback_url = 'https://pay.shop.example/callbacks/payouts/abc'
    const closed = await openPayoutMerchant()
    await closed.accepted(PAYOUTS, payout({ callback_url }))
    await closed.later(MINUTE)
    expect(closed.callbacks).toEqual([])
    expect(await closed.deliveries()).toMatchObject([{ state: 'blocked' }])
    const open = await openPayoutMerchant({ callbackHosts: ['pay.shop.example'] })
    await open.accepted(PAYOUTS, payout({ callback_url }))
    await open.later(MINUTE)
    expect(open.callbacks).toHaveLength(1)
  })
})
