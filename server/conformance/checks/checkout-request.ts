/** The checks of what starts a checkout, field by field. */

import { randomUUID } from 'node:crypto'

import { systemClock } from '../../work/clock.ts'
import { codeChecks, expectAccepted, expectRefused, fieldChecks, fieldsOf, oneOf, text } from '../check.ts'
import {
  INITIATE,
  PRIVATE_HOSTS,
  checkoutRequest,
  expectCheckoutError,
  needsControl,
  pay,
  retrieveCheckout,
  startCheckout,
  testedCheckout,
} from '../checkout.ts'
import { expect } from '../expect.ts'
import { initiateLengths } from '../requests.ts'

import type { Check } from '../check.ts'
import type { Gateway, Need } from '../gateway.ts'

const MINUTE = 60_000

const LONG: Record<string, (length: number, gateway: Gateway) => string> = {
  merchant_transaction_id: (length) => randomUUID().padEnd(length, 'x'),
  payer_name: (length) => 'Asha '.padEnd(length, 'a'),
  payer_email: (length) => '@mail.example'.padStart(length, 'a'),
  payer_msisdn: (length, { credentials }) =>
    credentials.msisdn.slice(0, 3) + credentials.msisdn.slice(3).padStart(length - 3),
  narration: (length) => 'Two kangas '.padEnd(length, '!'),
  callback_url: (length, gateway) => `${gateway.mailbox().url}/`.padEnd(length, '1'),
  redirect_url: (length) => 'https://shop.example/return/'.padEnd(length, '1'),
}
const LIMITS_OF_TWO_FIELDS = ['payer_name, payer_email', 'callback_url, redirect_url']

/** Every refusal shows them: see {@link expectCheckoutError}. */
const ERROR_OBJECT = [
  ...['status_code', 'status_description', 'message'].map((field) => `Checkout error object / ${field}`),
  'Checkout errors / error object',
  'Checkout errors / HTTP status',
]

export const checkoutRequestChecks: Check[] = [
  ...fieldChecks(testedCheckout, {
    amount: ['ten', 10.5, 0, -5],
    payer_msisdn: ['not a number', '0700000001'],
    expires_in: ['soon', 1.5, 0, -5],
    callback_url: ['not an address', 'http://shop.example/callbacks', 'ftp://shop.example/callbacks'],
    redirect_url: ['not an address', 'javascript:alert(1)'],
  }),
  ...Object.entries(initiateLengths).map(([field, most]): Check => {
    const make = LONG[field]
    const limit = LIMITS_OF_TWO_FIELDS.find((fields) => fields.includes(field)) ?? field
    return {
      rows: [`Standard checkout request / ${field} / at most ${most}`, `Limits / ${limit} length`],
      // Without `make`, every value is refused. The refusal must change when the value becomes too long.
      fact: `${field} of ${most} characters is ${make ? 'accepted' : 'refused as unknown'}, and of ${most + 1} refused for its length`,
      async run(gateway) {
        if (make) {
          await expectAccepted(testedCheckout, gateway, { [field]: make(most, gateway) })
          await expectRefused(testedCheckout, gateway, { [field]: make(most + 1, gateway) })
          return
        }

        const refusalOf = async (length: number) => {
          const { body } = await expectRefused(testedCheckout, gateway, { [field]: 'X'.repeat(length) })
          return { ...body, message: body.message.replaceAll(/X+/g, '') }
        }

        expect(await refusalOf(most)).toEqual(await refusalOf(most - 1))
        expect(await refusalOf(most + 1)).not.toEqual(await refusalOf(most))
      },
    }
  }),
  {
    rows: [
      'Standard checkout request / merchant_transaction_id',
      'Standard checkout request / merchant_transaction_id / unique',
      'Standard checkout request / merchant_transaction_id / idempotency',
    ],
    fact: 'the same request returns the same session, and another request with its id is refused',
    async run(gateway) {
      const { sent, got } = await startCheckout(gateway)
      const again = await gateway.post(INITIATE, sent)
      expect(again.body).toMatchObject({ checkout_reference: got.checkout_reference })
      const other = await gateway.post(INITIATE, { ...sent, amount: sent.amount + 1 })
      if (other.status === 200) {
        expect(other.body.checkout_reference).toBe(got.checkout_reference)
      } else {
        expectCheckoutError(other)
      }

      const { got: next } = await startCheckout(gateway)
      expect(next.checkout_reference).not.toBe(got.checkout_reference)
    },
  },
  invalidService('does not exist', () => 'NO-SUCH-SERVICE', [
    'Standard checkout request / service_code',
    'Standard checkout request / service_code / valid',
    'Checkout errors / 172',
    'Checkout errors / 172 / unknown service',
  ]),
  invalidService(
    'is disabled',
    ({ disabled }) => disabled,
    ['Standard checkout request / service_code / active', 'Checkout errors / 172 / disabled service'],
    ['disabled service'],
  ),
  invalidService(
    'is of another merchant',
    ({ foreign }) => foreign,
    ['Standard checkout request / service_code / own', 'Checkout errors / 172 / service of another'],
    ['foreign service'],
  ),
  {
    rows: [
      'Standard checkout request / callback_url',
      'Standard checkout request / callback_url / HTTPS',
      'Events / 4 / HTTPS',
      'Events / 4 / public',
    ],
    fact: 'the callback_url of a checkout must be HTTPS and publicly reachable',
    async run(gateway) {
      await expectAccepted(testedCheckout, gateway, { callback_url: 'https://shop.example/callbacks' })
      await expectRefused(testedCheckout, gateway, { callback_url: 'http://shop.example/callbacks' })
      for (const host of PRIVATE_HOSTS) {
        await expectRefused(testedCheckout, gateway, { callback_url: `https://${host}/callbacks` })
      }
    },
  },
  {
    rows: ['General behaviour / 5 / PIN'],
    fact: 'the hosted page asks for no PIN',
    needs: ['control'],
    async run(gateway) {
      const { got } = await startCheckout(gateway)
      const page = await gateway.page(got.redirect_url)
      expect(page).toMatch(/<form[^>]*method="post"/i)
      expect(page).not.toMatch(/<input[^>]*(type="password"|name="[^"]*pin[^"]*")/i)
    },
  },
  ...codeChecks(testedCheckout, [
    [109, { payer_msisdn: undefined }, ...ERROR_OBJECT],
    [110, { payer_msisdn: 'not a number' }],
    [120, { account_number: undefined }, 'Checkout errors / 120 / account'],
    [172, { payer_name: undefined }, 'Checkout errors / 172 / validation'],
  ]),
  {
    ...needsControl,
    rows: ['Standard checkout request / redirect_url', 'Standard checkout response / redirect_url'],
    fact: 'the hosted page returns to redirect_url after the payment',
    async run(gateway) {
      const redirect_url = `https://shop.example/return/${randomUUID()}`
      const { sent, got } = await startCheckout(gateway, { redirect_url })
      await pay(gateway, sent, { scenario: 'approve' })
      expect(await gateway.page(got.redirect_url)).toContain(redirect_url)
    },
  },
  {
    rows: [
      'Standard checkout request / expires_in',
      'Limits / expires_in',
      'Standard checkout response / expires_at',
    ],
    fact: 'a session with 44 minutes more expires 44 minutes later',
    async run(gateway) {
      const before = systemClock.now()
      const { got: first } = await startCheckout(gateway, { expires_in: 1 })
      const { got: second } = await startCheckout(gateway, { expires_in: 45 })
      const elapsed = systemClock.now() - before
      const later = Date.parse(second.expires_at) - Date.parse(first.expires_at)
      // One second of tolerance, for gateways that drop fractions of a second.
      expect(later).toBeGreaterThanOrEqual(44 * MINUTE - 1_000)
      expect(later).toBeLessThanOrEqual(44 * MINUTE + elapsed + 1_000)
    },
  },
  {
    ...needsControl,
    rows: [
      'Standard checkout request / expires_in',
      'Standard checkout response / expires_at',
      'Checkout overall status / 820',
    ],
    fact: 'a session accepts payments for expires_in minutes, until expires_at, and expires without a callback',
    async run(gateway) {
      const mailbox = gateway.mailbox()
      const { sent, got } = await startCheckout(gateway, { expires_in: 45, callback_url: mailbox.url })
      await gateway.advanceClock(44 * MINUTE)
      expect((await retrieveCheckout(gateway, sent)).status).toBe(803)
      await gateway.advanceClock(Date.parse(got.expires_at) - (await gateway.now()))
      expect((await retrieveCheckout(gateway, sent)).status).toBe(820)
      expect(mailbox.received).toEqual([])
    },
  },
  ...fieldsOf('Standard checkout response', session, {
    merchant_transaction_id: (value, sent) => expect(value).toBe(sent.merchant_transaction_id),
    checkout_reference: text,
    currency: (value, sent) => oneOf(sent.currency)(value, sent),
    amount: (value, sent) => expect(value).toBe(sent.amount),
    expires_at: (value) => expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:?00)$/),
    redirect_url: (value) => expect(['http:', 'https:']).toContain(new URL(value).protocol),
  }),
  {
    rows: ['Endpoints / JSON'],
    fact: 'bodies are JSON, and other content is refused',
    async run(gateway) {
      const answer = await gateway.post(INITIATE, checkoutRequest(gateway))
      testedCheckout.assertAccepted(answer)
      expect(answer.contentType).toMatch(/^application\/json/)
      for (const wrong of ['merchant_transaction_id=1', '', '{"amount":', '[]', 'null', '7']) {
        expectCheckoutError(await gateway.post(INITIATE, wrong))
      }
    },
  },
]

function invalidService(
  which: string,
  codeOf: (services: Gateway['credentials']['services']) => string | undefined,
  rows: readonly string[],
  needs: readonly Need[] = [],
): Check {
  return {
    rows,
    fact: `a service that ${which} is 172, Invalid Service Code`,
    needs,
    async run(gateway) {
      const service_code = codeOf(gateway.credentials.services)
      const { body } = await expectRefused(testedCheckout, gateway, { service_code })
      expect(body).toMatchObject({ status_code: 172, status_description: 'Invalid Service Code' })
    },
  }
}

async function session(gateway: Gateway) {
  return gateway.remember('a session', async () => {
    const { sent, got } = await startCheckout(gateway)
    return { sent: { ...sent, currency: gateway.credentials.currency }, got }
  })
}
