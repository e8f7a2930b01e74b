/** The checks of what the gateway sends by itself, and of what it does without an answer. */

import { needsCallbacks, needsControl, pay, retrieveCheckout, startCheckout } from '../checkout.ts'
import { expect } from '../expect.ts'
import { withPortal } from '../gateway.ts'
import {
  PAYOUT_KINDS,
  REQUEST_SECTION,
  paymentStatusOf,
  retrievePayout,
  sendPayout,
  simulateResult,
} from '../payout.ts'

import type { Check } from '../check.ts'

const HOUR = 3_600_000

const CALLBACK_OF = {
  local: 'Events / Payout result (local and international)',
  transfer: 'Events / Payout result (local and international)',
  b2b: 'Events / B2B payout status',
} as const

const RULES_OF = {
  local: [],
  transfer: [],
  b2b: [
    'Events / 2 / reference',
    'B2B payout request / callback_url / updates',
    'B2B payout request / callback_url / POST',
  ],
} as const

export const callbackChecks: Check[] = [
  ...PAYOUT_KINDS.map((kind): Check => ({
    ...needsCallbacks,
    rows: [
      CALLBACK_OF[kind],
      ...RULES_OF[kind],
      `${REQUEST_SECTION[kind]} / callback_url`,
      'General behaviour / 1 / acknowledged first',
      'General behaviour / 1 / callback',
    ],
    fact: `a ${kind} payout is acknowledged first, and callback and status query agree on the result`,
    async run(gateway) {
      const mailbox = gateway.mailbox()
      const { sent } = await sendPayout(kind, gateway, { callback_url: mailbox.url })
      expect(mailbox.received).toEqual([])
      await simulateResult(gateway, sent, 'success')
      const [callback] = mailbox.received
      expect(callback?.body.payout_reference).toBe(sent.payout_reference)
      expect(paymentStatusOf(callback?.body)).toBe(700)
      expect(callback?.body).toEqual(await retrievePayout(kind, gateway, sent))
    },
  })),
  ...(['local', 'transfer'] as const).map((kind): Check => ({
    ...needsCallbacks,
    rows: ['Events / 1 / three retries', 'Events / 1 / then none', 'Limits / Payout callback retries'],
    fact: `the callback of a ${kind} payout is retried 3 times over 48 hours`,
    async run(gateway) {
      const mailbox = gateway.mailbox()
      mailbox.answers = 500
      const { sent } = await sendPayout(kind, gateway, { callback_url: mailbox.url })
      await simulateResult(gateway, sent, 'success')
      expect(mailbox.received).toHaveLength(1)
      await gateway.advanceClock(48 * HOUR)
      expect(mailbox.received).toHaveLength(4)
      await gateway.advanceClock(7 * 24 * HOUR)
      expect(mailbox.received).toHaveLength(4)
      const bodies = mailbox.received.map(({ body }) => JSON.stringify(body))
      expect(new Set(bodies).size).toBe(1)
      expect(paymentStatusOf(await retrievePayout(kind, gateway, sent))).toBe(700)
    },
  })),
  {
    ...needsCallbacks,
    rows: ['Events / 1 / other statuses', 'Events / acknowledged by 200'],
    fact: 'only 200 acknowledges a callback: 201, 204, 302 and 404 do not',
    async run(gateway) {
      for (const answers of [200, 201, 204, 302, 404]) {
        const mailbox = gateway.mailbox()
        mailbox.answers = answers
        const { sent } = await sendPayout('local', gateway, { callback_url: mailbox.url })
        await simulateResult(gateway, sent, 'success')
        await gateway.advanceClock(48 * HOUR)
        expect(mailbox.received, `answered with ${answers}`).toHaveLength(answers === 200 ? 1 : 4)
      }
    },
  },
  {
    ...needsCallbacks,
    rows: ['Events / 2 / retries', 'Events / 2 / reference', 'Events / 4 / duplicates'],
    fact: 'a repeated B2B callback has the same reference, and a repeated checkout callback the same body',
    async run(gateway) {
      const b2b = gateway.mailbox()
      const checkout = gateway.mailbox()
      b2b.answers = 503
      checkout.answers = 503
      const { sent } = await sendPayout('b2b', gateway, { callback_url: b2b.url })
      await simulateResult(gateway, sent, 'success')
      const { sent: order } = await startCheckout(gateway, { callback_url: checkout.url })
      await pay(gateway, order, { scenario: 'approve' })
      await gateway.advanceClock(48 * HOUR)
      const [first] = checkout.received
      expect(first?.body.merchant_transaction_id).toBe(order.merchant_transaction_id)
      for (const { body } of checkout.received) {
        expect(body).toEqual(first?.body)
      }

      const references = b2b.received.map(({ body }) => body.payout_reference)
      expect([...new Set(references)]).toEqual([sent.payout_reference])
      expect((await retrieveCheckout(gateway, order)).status).toBe(801)
    },
  },
  {
    ...needsCallbacks,
    rows: [
      'Events / Checkout notification',
      'Events / 4 / status',
      'Standard checkout flow / 4',
      'Standard checkout flow / 5 / status',
      'Standard checkout request / callback_url',
      'Standard checkout request / callback_url / notifications',
      'Checkout callback and status payload / status query',
      'General behaviour / 5 / scenarios',
      'General behaviour / 5 / callbacks',
    ],
    fact: 'after each payment a callback is sent to the callback_url of the checkout, and the status query agrees with it',
    async run(gateway) {
      for (const [scenario, status] of [
        ['approve', 801],
        ['partial', 802],
        ['cancel', 803],
        ['jam', 850],
      ] as const) {
        const mailbox = gateway.mailbox()
        const { sent } = await startCheckout(gateway, { callback_url: mailbox.url })
        await gateway.advanceClock(5_000)
        expect(mailbox.received).toEqual([])
        await pay(gateway, sent, { scenario })
        expect(mailbox.received).toHaveLength(1)
        expect(mailbox.received[0]?.body.status).toBe(status)
        expect(mailbox.received[0]?.body).toEqual(await retrieveCheckout(gateway, sent))
      }
    },
  },
  {
    ...needsCallbacks,
    rows: ['Events / POST'],
    fact: 'every callback is a POST with a JSON body',
    async run(gateway) {
      const mailbox = gateway.mailbox()
      const { sent } = await startCheckout(gateway, { callback_url: mailbox.url })
      await pay(gateway, sent, { scenario: 'approve' })
      for (const kind of PAYOUT_KINDS) {
        const { sent: payout } = await sendPayout(kind, gateway, { callback_url: mailbox.url })
        await simulateResult(gateway, payout, 'success')
      }

      expect(mailbox.received).toHaveLength(1 + PAYOUT_KINDS.length)
      for (const { method, contentType, body } of mailbox.received) {
        expect(method).toBe('POST')
        expect(contentType).toMatch(/^application\/json/)
        expect(typeof body).toBe('object')
      }
    },
  },
  {
    ...needsCallbacks,
    rows: ['General behaviour / 3 / callback URLs', 'Events / Payout result (local and international)'],
    fact: 'without a callback_url in the request, B2C notifications go to the address of the portal',
    run: (gateway) =>
      withPortal(gateway, 'b2c_callback_url', async (mailbox) => {
        const { sent } = await sendPayout('transfer', gateway, { callback_url: undefined })
        await simulateResult(gateway, sent, 'success')
        expect(mailbox.received.map(({ body }) => body.payout_reference)).toEqual([sent.payout_reference])
      }),
  },
  {
    ...needsControl,
    rows: ['General behaviour / 1 / status query'],
    fact: 'the status query has the result even when no callback arrives',
    async run(gateway) {
      const { sent } = await sendPayout('local', gateway, {
        callback_url: 'https://nobody.example/callbacks',
      })
      await simulateResult(gateway, sent, 'decline')
      expect(paymentStatusOf(await retrievePayout('local', gateway, sent))).toBe(701)
    },
  },
]
