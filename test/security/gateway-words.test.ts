import { expect, test } from 'vitest'

import { initiateAnswer } from '../support/spec/shapes.ts'
import { createWorld, formOf, PAYER } from '../support/worlds/world.ts'

const DESCRIPTION = 'Invalid Service Code of account ACC-001 <b>call +254 700 666666</b>'
const MESSAGE = 'SELECT * FROM merchants: contact evil.example'
const GATEWAYS_WORDS = /ACC-001|evil\.example|666666|SELECT|\b172\b|v2\/checkout/

test.each<[string, answer: () => Response, code: string, why: RegExp]>([
  ['of an error object', () => refusal(172), 'gateway_refused', /172 Invalid Service Code of account/],
  [
    'of a contradiction',
    () => Response.json({ ...initiateAnswer, merchant_transaction_id: 'evil.example' }),
    'gateway_contradiction',
    /merchant_transaction_id|reference/,
  ],
])("the gateway's words %s reach the log and the merchant, and no shopper", async (_, answer, code, why) => {
  const { asJson, asPage, logged, history } = await refused(answer)
  const problem = JSON.parse(asJson)
  expect(problem).toMatchObject({ code, retryable: false })
  expect(problem).not.toHaveProperty('gateway')
  for (const text of [asJson, asPage]) {
    expect(text).not.toMatch(GATEWAYS_WORDS)
  }

  expect(logged).toContainEqual(expect.stringMatching(why))
  expect(history).toMatch(why)
})

test("the gateway's words in a refusal are logged with its own message, without the payer's details", async () => {
  const message = `unknown payer ${PAYER.payer_email}, ${PAYER.payer_msisdn}`
  const { logged } = await refused(() =>
    Response.json({ status_code: 172, status_description: 'No', message }, { status: 400 }),
  )
  expect(logged).toContainEqual(expect.stringContaining('172 No. It says: unknown payer ***, ***'))
  for (const line of logged) {
    for (const detail of [PAYER.payer_email, PAYER.payer_msisdn]) {
      expect(line).not.toContain(detail)
    }
  }
})

test.each([109, 110])(
  "the gateway's words in a refusal still name the field that the shopper can correct (%s)",
  async (status) => {
    const { asJson, asPage } = await refused(() => refusal(status))
    expect(JSON.parse(asJson)).toMatchObject({
      code: 'gateway_refused',
      errors: [{ path: 'payer_msisdn' }],
    })
    expect(asPage).toContain('Enter your mobile number, with the country code.')
    for (const text of [asJson, asPage]) {
      expect(text).not.toMatch(GATEWAYS_WORDS)
    }
  },
)

function refusal(status_code: number): Response {
  return Response.json({ status_code, status_description: DESCRIPTION, message: MESSAGE }, { status: 400 })
}

async function refused(answer: () => Response) {
  const shop = await createWorld({
    gateway(url) {
      if (url.includes('/status/')) {
        return refusal(120)
      }
      return url.endsWith('/initiate') ? answer() : undefined
    },
  })
  shop.order('A-1', '1500')
  const start = async (accept: string) =>
    (await shop.ask('/checkout/initiate', formOf('A-1', {}, { accept }))).text()
  const asJson = await start('application/json')
  const asPage = await start('text/html')
  const history = await (await shop.api('/history/A-1')).text()
  return { asJson, asPage, logged: shop.logged.map(({ message }) => message), history }
}
