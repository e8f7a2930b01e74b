import type { GatewayClient } from '../../server/gateway/client.ts'
import { describe, expect, test } from 'vitest'
import { CheckoutPayload } from '../../server/contract/checkout.ts'
import { serverBase } from '../../widget/element/checkout-settings.ts'
import { problemsOf } from '../support/least-config.ts'
import { describedApp } from '../support/described.ts'
import { createScriptedGateway, failureOf, json } from '../support/scripted-gateway.ts'
import { checkoutPayload, paymentRecord } from '../support/spec-shapes.ts'
import { API_KEY, createWorld, PAYER } from '../support/world.ts'
import { toReportedState } from '../../server/payins/outcome.ts'
import { withLongNumbersAsText } from '../../server/contract/parse.ts'

// Quadratic algorithms took from 60 ms to 14 s for these inputs.
const MOST_CPU_MS = 30

describe('takes little time:', () => {
  test.each<[string, () => unknown]>([
    ['an Accept-Language header of 16,000 commas', () => askForPage(','.repeat(16_000))],
    ['PUBLIC_URL with 60,000 slashes', () => configured('PUBLIC_URL', `https://a${'/'.repeat(60_000)}b`)],
    ['a secret of 60,000 letters', () => configured('MERCHANT_API_KEY', `${'a'.repeat(60_000)}bcdefghi`)],
    ['the attribute server with 60,000 slashes', () => serverBase(`//a${'/'.repeat(60_000)}b`, 'https://a')],
    ['a report of 1,000 payments', () => toReportedState(REPORT, 0, 'KES')],
    [
      'JSON of 100,000 texts without an end',
      () => withLongNumbersAsText(`${'9'.repeat(17)}${'"\\'.repeat(100_000)}`),
    ],
    ['JSON of 250,000 quotes', () => withLongNumbersAsText(`${'9'.repeat(17)}${'"'.repeat(250_001)}`)],
  ])('%s', async (_, work) => {
    expect(await leastCpuOf(work)).toBeLessThan(MOST_CPU_MS)
  })

  test.each(['{}', '0', 'null'])('a charge with as many splits "%s" as its body can hold', async (split) => {
    const world = await createWorld()
    const list = Array.from({ length: 31_000 / (split.length + 1) }, () => split).join()
    const body = `{"extra_data":{"split_settlements":[${list}]}}`
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }
    const charge = async () => {
      const answer = await world.ask('/api/charges', { method: 'POST', headers, body })
      const refusal = [422, expect.stringContaining('at most 1000 items')]
      expect([answer.status, await answer.text()]).toEqual(refusal)
    }
    expect(await leastCpuOf(charge)).toBeLessThan(MOST_CPU_MS)
  })
})

const NONSENSE = Array.from({ length: 900 }, () => ({}))
const MOST_CHARACTERS = 10_000

test('the log says in few words what is wrong with an order of 900 wrong splits', async () => {
  const world = await createWorld()
  world.orders.set('A-1', {
    order: 'A-1',
    amount: '5',
    currency: 'KES',
    narration: 'x',
    splits: Object(NONSENSE),
  })
  expect((await world.initiate('A-1', PAYER)).status).toBe(503)
  expect(world.logged.at(-1)?.message).toContain('and more than 80 more')
  expect(world.logged.at(-1)?.message.length).toBeLessThan(MOST_CHARACTERS)
})

test('an error says in few words what is wrong with 900 rates', async () => {
  const rates = Object.fromEntries(NONSENSE.map((rate, index) => [`${'x'.repeat(1_000)}${index}`, rate]))
  const gateway = createScriptedGateway(() => json({ base_currency: 'KES', rates }))
  const { code, message } = await failureOf(gateway.outcome(gateway.client.getRates('KES')))
  expect([code, message.length < MOST_CHARACTERS]).toEqual(['gateway_answer_invalid', true])
})

const RECIPIENTS = 100_000
/** For lists of 100,000 items. Six times the CPU time on a machine of its own: on a busy one the same work takes up to four times as long. */
const MOST_LIST_CPU_MS = 3_000

test.each<[string, recipient: (index: number) => unknown]>([
  ['words', () => ({ phone_number: 'x', amount: '-' })],
  [
    'valid recipients, and nonsense at the end',
    (index) => (index < RECIPIENTS - 200 ? { phone_number: `2547${10_000_000 + index}`, amount: '1' } : 'x'),
  ],
])('an airtime list of %s is refused in a small response, without a long pause', async (_, recipient) => {
  const world = await createWorld()
  const recipients = Array.from({ length: RECIPIENTS }, (_item, index) => recipient(index))
  const { answer, cpuMs } = await cpuOf(() => world.api('/airtime', { reference: 'A-1', recipients }))
  expect(answer.status).toBe(422)
  const text = await answer.text()
  expect(text.length).toBeLessThan(30_000)
  const { errors, detail } = JSON.parse(text)
  expect([errors.length, detail]).toEqual([100, expect.stringContaining('more than 80 more')])
  expect(cpuMs).toBeLessThan(MOST_LIST_CPU_MS)
})

test.each([
  [
    'airtime entries',
    2_000,
    (client: GatewayClient): Promise<unknown> => client.getAirtimeStatus('A-1'),
    (list: unknown[]) => list,
  ],
  [
    'payments',
    1_000,
    (client: GatewayClient): Promise<unknown> =>
      client.getCheckoutStatus(checkoutPayload.merchant_transaction_id),
    (payments: unknown[]) => ({ ...checkoutPayload, payments }),
  ],
  [
    'payments of a charge',
    1_000,
    (client: GatewayClient): Promise<unknown> => client.getChargeStatus('C-1'),
    (payments: unknown[]) => ({ ...checkoutPayload, payments }),
  ],
])(
  'an answer of the gateway with more %s than %i is refused without a long pause',
  async (_, most, ask, bodyWith) => {
    const gateway = createScriptedGateway(() => json(bodyWith(Array(100_000).fill({}))))
    const { answer, cpuMs } = await cpuOf(() => failureOf(gateway.outcome(ask(gateway.client))))
    const { code, message } = answer
    expect([code, message]).toEqual([
      'gateway_answer_invalid',
      expect.stringContaining(`must have at most ${most} items`),
    ])
    expect(cpuMs).toBeLessThan(MOST_LIST_CPU_MS)
  },
)

const PAYMENTS = Array.from({ length: 1_000 }, (_, index) => ({
  ...paymentRecord,
  transaction_id: String(index),
}))
const REPORT = CheckoutPayload.parse({ ...checkoutPayload, payments: PAYMENTS })

function askForPage(language: string) {
  return describedApp.request('/nothing', { headers: { accept: 'text/html', 'accept-language': language } })
}

function configured(name: string, value: string) {
  return problemsOf({ [name]: value })
}

async function cpuOf<T>(work: () => T): Promise<{ answer: Awaited<T>; cpuMs: number }> {
  const before = process.cpuUsage()
  const answer = await work()
  const { user, system } = process.cpuUsage(before)
  return { answer, cpuMs: (user + system) / 1_000 }
}

async function leastCpuOf(work: () => unknown): Promise<number> {
  const times = []
  for (let run = 0; run < 5; run++) times.push((await cpuOf(work)).cpuMs)
  return Math.min(...times)
}
