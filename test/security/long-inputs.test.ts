import { describe, expect, test } from 'vitest'
import { CheckoutPayload } from '../../server/contract/checkout.ts'
import { toReportedState } from '../../server/payins/reported-state.ts'
import { withLongNumbersAsText } from '../../server/contract/json.ts'
import { serverBase } from '../../widget/element/checkout-settings.ts'
import { problemsOf } from '../support/least-config.ts'
import { describedApp } from '../support/described.ts'
import { createScriptedGateway, failureOf, json } from '../support/scripted-gateway.ts'
import { checkoutPayload, paymentRecord } from '../support/spec-shapes.ts'
import { API_KEY, createWorld, PAYER } from '../support/world.ts'

// Quadratic algorithms took from 60 ms to 14 s for these inputs.
const MOST_CPU_MS = 30

describe('takes little time:', () => {
  test.each<[string, () => unknown]>([
    ['an Accept-Language header of 16,000 commas', () => askForPage(','.repeat(16_000))],
    ['PUBLIC_URL with 60,000 slashes', () => configured('PUBLIC_URL', `https://a${'/'.repeat(60_000)}b`)],
    ['a secret of 60,000 letters', () => configured('MERCHANT_API_KEY', `${'a'.repeat(60_000)}bcdefghi`)],
    ['the attribute server with 60,000 slashes', () => serverBase(`//a${'/'.repeat(60_000)}b`, 'https://a')],
    ['a report of 3,000 payments', () => toReportedState(REPORT, 0, 'KES')],
    [
      'JSON of 100,000 texts without an end',
      () => withLongNumbersAsText(`${'9'.repeat(17)}${'"\\'.repeat(100_000)}`),
    ],
    ['JSON of 500,000 quotes', () => withLongNumbersAsText(`${'9'.repeat(17)}${'"'.repeat(500_001)}`)],
  ])('%s', async (_, work) => {
    const times = []
    for (let run = 0; run < 3; run++) times.push(await cpuOf(work))
    expect(Math.min(...times)).toBeLessThan(MOST_CPU_MS)
  })

  test.each(['{}', '0', 'null'])('a charge with as many splits "%s" as its body can hold', async (split) => {
    const world = await createWorld()
    const list = Array.from({ length: 31_000 / (split.length + 1) }, () => split).join()
    const body = `{"extra_data":{"split_settlements":[${list}]}}`
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }
    const times = []
    for (let run = 0; run < 3; run++)
      times.push(
        await cpuOf(async () => {
          const answer = await world.ask('/api/charges', { method: 'POST', headers, body })
          expect([answer.status, await answer.text()]).toEqual([
            422,
            expect.stringContaining('at most 1000 items'),
          ])
        }),
      )
    expect(Math.min(...times)).toBeLessThan(MOST_CPU_MS)
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

async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
