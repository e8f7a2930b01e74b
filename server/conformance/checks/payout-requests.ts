/** The checks of what starts a payout, field by field. */

import { expectAccepted, expectRefused, fieldChecks, words } from '../check.ts'
import { PRIVATE_HOSTS, needsControl } from '../checkout.ts'
import { expect } from '../expect.ts'
import {
  INITIATE_PAYOUT,
  PAYOUT_KINDS,
  TO_BANK,
  paymentStatusOf,
  payoutRequest,
  retrievePayout,
  sendPayout,
  simulateResult,
  testedPayout,
} from '../payout.ts'

import type { Check } from '../check.ts'
import type { PayoutKind } from '../payout.ts'

const local = testedPayout('local')
const transfer = testedPayout('transfer')
const b2b = testedPayout('b2b')

const REQUIRED_AND_OPTIONAL = [
  'sender_phone_number',
  'recipient_first_name',
  'recipient_last_name',
  'callback_url',
]

const WRONG = {
  service_code: ['NO-SUCH-SERVICE'],
  sender_country_code: ['Kenya, the country'],
  sender_phone_number: ['not a number'],
  recipient_phone_number: ['not a number', '0700000001'],
  destination_name: ['NO_SUCH_WALLET', 'NO_SUCH_KEN'],
  source_currency: ['shillings'],
  destination_currency: ['shillings'],
  exchange_rate: ['par', '1.01'],
  sender_amount: ['ten', '-10', '0'],
  recipient_amount: ['ten', '-10', '9.99'],
  amount: ['ten', '-10', '0'],
  payment_method: ['CASH'],
  currency_code: ['shillings', 'kes'],
  country_code: ['KE', 'Kenya'],
  callback_url: ['not an address'],
}

const WORDS: Record<PayoutKind, Record<string, Record<string, Record<string, unknown>>>> = {
  local: { destination_type: { MOBILE: {}, BANK: TO_BANK } },
  transfer: {
    sender_type: { INDIVIDUAL: {}, COMPANY: {} },
    recipient_type: { INDIVIDUAL: {}, COMPANY: {} },
    destination_type: { MOBILE: {}, BANK: TO_BANK },
  },
  b2b: {
    recipient_type: {
      PAYBILL: { payment_method: 'MOMO_B2B' },
      TILL: { payment_method: 'MOMO_B2B' },
      BANK_ACCOUNT_NUMBER: { payment_method: 'BANK' },
    },
  },
}

export const payoutRequestChecks: Check[] = [
  ...PAYOUT_KINDS.flatMap((kind) => {
    const tested = testedPayout(kind)
    return [
      ...fieldChecks(tested, WRONG, [
        'recipient_bank_code',
        ...(kind === 'transfer' ? REQUIRED_AND_OPTIONAL : []),
      ]),
      ...Object.entries(WORDS[kind]).flatMap(([field, fields]) => words(tested, field, fields)),
    ]
  }),
  ...[local, transfer].map((tested): Check => ({
    rows: [`${tested.section} / recipient_bank_code / required`, `${tested.section} / recipient_bank_code`],
    fact: `${tested.section}: recipient_bank_code is required for BANK only`,
    async run(gateway) {
      await expectAccepted(tested, gateway, TO_BANK)
      await expectAccepted(tested, gateway, { recipient_bank_code: undefined })
      await expectRefused(tested, gateway, { ...TO_BANK, recipient_bank_code: undefined })
    },
  })),
  {
    rows: ['Local payout request / all required', 'Local payout request / payout_reference'],
    fact: 'a payout without fields is refused, naming every missing field',
    async run(gateway) {
      const { body } = await gateway.post(INITIATE_PAYOUT.local, {})
      expect(body.response_code).toBe(721)
      for (const field of Object.keys(payoutRequest('local', gateway))) {
        expect(body.response_description).toContain(field)
      }
    },
  },
  {
    rows: [
      'Local payout request / values as strings',
      'Local payout request / exchange_rate',
      'Local payout request / recipient_amount',
    ],
    fact: 'all values may be strings, and amounts and the rate numbers, too',
    async run(gateway) {
      const request = payoutRequest('local', gateway)
      expect(Object.values(request).every((value) => typeof value === 'string')).toBe(true)
      local.assertAccepted(await gateway.post(INITIATE_PAYOUT.local, request))
      await expectAccepted(local, gateway, { exchange_rate: 1, sender_amount: 10, recipient_amount: 10 })
    },
  },
  ...REQUIRED_AND_OPTIONAL.map((field): Check => ({
    rows: [`International money transfer request / ${field} / optional`],
    fact: `a transfer without ${field} is accepted, or refused naming it: the specification says both`,
    async run(gateway) {
      await expectAccepted(transfer, gateway, {})
      const answer = await transfer.send(gateway, { [field]: undefined })
      if (answer.body?.response_code === 720) {
        return
      }

      transfer.assertRefused(answer)
      expect(answer.body.response_description).toContain(field)
    },
  })),
  ...[local, transfer].map((tested): Check => ({
    rows: [`${tested.section} / recipient_amount`, `${tested.section} / exchange_rate`],
    fact: `${tested.section}: the recipient amount is the sender amount at the rate of the hour`,
    async run(gateway) {
      const { body } = await gateway.get(`/v1/fx?base_currency=${gateway.credentials.currency}`)
      const exchange_rate = body.rates.USD.buying
      const recipient_amount = (1000 * Number(exchange_rate)).toFixed(2)
      const abroad = { ...TO_BANK, destination_currency: 'USD', exchange_rate, sender_amount: '1000' }
      await expectAccepted(tested, gateway, { ...abroad, recipient_amount })
      for (const wrong of [
        { recipient_amount: '1000' },
        { exchange_rate: '2', recipient_amount: '2000.00' },
      ]) {
        await expectRefused(tested, gateway, { ...abroad, ...wrong })
      }
    },
  })),
  {
    rows: [
      'B2B payout request / payment_method',
      'B2B payout request / payment_method / MOMO_B2B',
      'B2B payout request / payment_method / BANK',
    ],
    fact: 'MOMO_B2B is for PAYBILL and TILL only, BANK for BANK_ACCOUNT_NUMBER only',
    async run(gateway) {
      const methods = { PAYBILL: 'BANK', TILL: 'BANK', BANK_ACCOUNT_NUMBER: 'MOMO_B2B' }
      for (const [recipient_type, payment_method] of Object.entries(methods)) {
        await expectRefused(b2b, gateway, { recipient_type, payment_method })
      }
    },
  },
  ...Object.entries({
    'missing required fields': { recipient_name: undefined },
    'invalid recipient_type': { recipient_type: 'FRIEND' },
    'unreachable callback_url': { callback_url: 'https://10.0.0.1/callbacks' },
    'insufficient funds': { amount: '999999999.00' },
  }).map(([cause, fields]): Check => ({
    rows: [`Payout error_code values / B2B, ${cause}`],
    fact: `a B2B payout fails for ${cause}`,
    run: async (gateway) => void (await expectRefused(b2b, gateway, fields)),
  })),
  {
    rows: ['Events / 2 / public', 'B2B payout request / callback_url / public'],
    fact: 'the callback_url of a B2B payout must be publicly reachable',
    async run(gateway) {
      for (const host of PRIVATE_HOSTS) {
        await expectRefused(b2b, gateway, { callback_url: `https://${host}/callbacks` })
      }
    },
  },
  {
    ...needsControl,
    rows: [
      'What the service does / Local payouts / wallets',
      'What the service does / Local payouts / banks',
      'What the service does / Local payouts / international',
      'What the service does / Business-to-business payouts to a paybill, a till or a bank account',
    ],
    fact: 'payouts reach wallets, bank accounts, paybills, tills and banks of businesses',
    async run(gateway) {
      const requests: [PayoutKind, object][] = [
        ['local', {}],
        ['local', TO_BANK],
        ['transfer', {}],
        ['transfer', TO_BANK],
        ['b2b', { recipient_type: 'PAYBILL' }],
        ['b2b', { recipient_type: 'TILL' }],
        ['b2b', { recipient_type: 'BANK_ACCOUNT_NUMBER', payment_method: 'BANK' }],
      ]
      for (const [kind, fields] of requests) {
        const { sent } = await sendPayout(kind, gateway, fields)
        await simulateResult(gateway, sent, 'success')
        expect(paymentStatusOf(await retrievePayout(kind, gateway, sent))).toBe(700)
      }
    },
  },
]
