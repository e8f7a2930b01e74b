/** [spec: Local payout request; International money transfer request; B2B payout request] */

import { expect } from 'vitest'
import { expectRefused, expectAccepted, optional, required, typed, words } from '../check.ts'
import { needsControl } from '../checkout.ts'
import {
  INITIATE_PAYOUT,
  payoutRequest,
  payoutTable,
  paymentStatusOf,
  play,
  resultOf,
  send,
} from '../payout.ts'
import type { Check } from '../check.ts'
import type { PayoutKind } from '../payout.ts'

const local = payoutTable('local')
const transfer = payoutTable('transfer')
const b2b = payoutTable('b2b')

const TO_BANK = { destination_type: 'BANK', destination_name: 'Bank of Pwani', recipient_bank_code: '01' }

/** Where the table and the shape of a transfer disagree on who is required. */
const EITHER = ['sender_phone_number', 'recipient_first_name', 'recipient_last_name', 'callback_url']

export const payoutRequestChecks: Check[] = [
  ...required(local, [
    'payout_reference',
    'service_code',
    'recipient_first_name',
    'recipient_last_name',
    'destination_type',
    'destination_name',
    'recipient_phone_number',
    'recipient_account_number',
    'recipient_account_name',
    'source_currency',
    'destination_currency',
    'exchange_rate',
    'sender_amount',
    'sender_country_code',
    'recipient_amount',
    'payment_description',
    'callback_url',
  ]),
  ...typed(local, {
    payout_reference: [],
    service_code: ['NO-SUCH-SERVICE'],
    recipient_first_name: [],
    recipient_last_name: [],
    destination_type: [],
    destination_name: ['NO_SUCH_WALLET'],
    recipient_phone_number: ['not a number'],
    recipient_account_number: [],
    recipient_bank_code: [],
    recipient_account_name: [],
    source_currency: ['shillings'],
    destination_currency: ['shillings'],
    exchange_rate: ['par'],
    sender_amount: ['ten', '-10'],
    sender_country_code: ['Kenya, the country'],
    recipient_amount: ['ten', '-10'],
    payment_description: [],
    callback_url: ['not an address'],
  }),
  ...words(local, 'destination_type', { MOBILE: {}, BANK: TO_BANK }),
  bankCodeCheck('local'),
  {
    rows: ['Local payout request / all required'],
    fact: 'a payout without fields is refused, naming the missing fields',
    async run(gateway) {
      const { body } = await gateway.post(INITIATE_PAYOUT.local, {})
      expect(body.response_code).toBe(721)
      expect(body.response_description).toContain('payout_reference')
    },
  },
  {
    rows: ['Local payout request / values as strings'],
    fact: 'all values may be strings',
    async run(gateway) {
      const request = payoutRequest('local', gateway)
      expect(Object.values(request).every((value) => typeof value === 'string')).toBe(true)
      local.accepts(await gateway.post(INITIATE_PAYOUT.local, request))
    },
  },
  {
    rows: ['Local payout request / exchange_rate', 'Local payout request / recipient_amount'],
    fact: 'amounts and the rate may be numbers, too',
    async run(gateway) {
      await expectAccepted(local, gateway, { exchange_rate: 1, sender_amount: 10, recipient_amount: 10 })
    },
  },
  {
    rows: ['Local payout request / payout_reference', 'Payout acknowledgement codes / 722'],
    fact: 'a reference is unique',
    async run(gateway) {
      const { sent } = await send('local', gateway)
      const again = await gateway.post(INITIATE_PAYOUT.local, sent)
      expect(again.body.response_code).toBe(722)
    },
  },
  ...required(transfer, [
    'payout_reference',
    'service_code',
    'sender_first_name',
    'sender_last_name',
    'sender_type',
    'sender_country_code',
    'recipient_type',
    'recipient_phone_number',
    'recipient_account_number',
    'recipient_account_name',
    'recipient_occupation',
    'destination_type',
    'destination_name',
    'source_currency',
    'destination_currency',
    'income_source',
    'fund_purpose',
    'exchange_rate',
    'sender_amount',
    'recipient_amount',
    'payment_description',
  ]),
  ...optional(transfer, [
    'sender_middle_name',
    'sender_document_type',
    'sender_document_number',
    'recipient_middle_name',
    'recipient_document_type',
    'recipient_document_number',
  ]),
  ...EITHER.map((field): Check => ({
    rows: [`International money transfer request / ${field} / optional`],
    fact: `a transfer without ${field} is accepted, or refused naming it: the specification says both`,
    async run(gateway) {
      await expectAccepted(transfer, gateway, {})
      const answer = await transfer.send(gateway, { [field]: undefined })
      if (answer.body?.response_code === 720) return
      transfer.refuses(answer)
      expect(answer.body.response_description).toContain(field)
    },
  })),
  ...typed(transfer, {
    payout_reference: [],
    service_code: ['NO-SUCH-SERVICE'],
    sender_first_name: [],
    sender_middle_name: [],
    sender_last_name: [],
    sender_type: [],
    sender_document_type: [],
    sender_document_number: [],
    sender_country_code: ['Kenya, the country'],
    sender_phone_number: ['not a number'],
    recipient_first_name: [],
    recipient_middle_name: [],
    recipient_last_name: [],
    recipient_type: [],
    recipient_document_type: [],
    recipient_document_number: [],
    recipient_phone_number: ['not a number'],
    recipient_account_number: [],
    recipient_account_name: [],
    recipient_occupation: [],
    destination_type: [],
    destination_name: ['NO_SUCH_WALLET'],
    recipient_bank_code: [],
    source_currency: ['shillings'],
    destination_currency: ['shillings'],
    income_source: [],
    fund_purpose: [],
    exchange_rate: ['par'],
    sender_amount: ['ten', '-10'],
    recipient_amount: ['ten', '-10'],
    payment_description: [],
    callback_url: ['not an address'],
  }),
  ...words(transfer, 'sender_type', { INDIVIDUAL: {}, COMPANY: {} }),
  ...words(transfer, 'recipient_type', { INDIVIDUAL: {}, COMPANY: {} }),
  ...words(transfer, 'destination_type', { MOBILE: {}, BANK: TO_BANK }),
  bankCodeCheck('transfer'),
  {
    rows: ['International money transfer request / recipient_amount'],
    fact: 'the recipient amount is the converted sender amount',
    async run(gateway) {
      const { currency } = gateway.credentials
      const { body } = await gateway.get(`/v1/fx?base_currency=${currency}`)
      const exchange_rate = body.rates.USD.buying
      const recipient_amount = (1000 * Number(exchange_rate)).toFixed(2)
      const abroad = { ...TO_BANK, destination_currency: 'USD', exchange_rate, sender_amount: '1000' }
      await expectAccepted(transfer, gateway, { ...abroad, recipient_amount })
      await expectRefused(transfer, gateway, { ...abroad, recipient_amount: '1000' })
    },
  },
  ...required(b2b, [
    'payout_reference',
    'service_code',
    'payment_account_reference',
    'recipient_name',
    'recipient_type',
    'recipient_account_number',
    'amount',
    'payment_description',
    'payment_method',
    'currency_code',
    'country_code',
    'callback_url',
  ]),
  ...typed(b2b, {
    payout_reference: [],
    service_code: ['NO-SUCH-SERVICE'],
    payment_account_reference: [],
    recipient_name: [],
    recipient_type: [],
    recipient_account_number: [],
    amount: ['ten', '-10'],
    payment_description: [],
    payment_method: ['CASH'],
    currency_code: ['shillings', 'kes'],
    country_code: ['KE', 'Kenya'],
    callback_url: ['not an address'],
  }),
  ...words(b2b, 'recipient_type', {
    PAYBILL: { payment_method: 'MOMO_B2B' },
    TILL: { payment_method: 'MOMO_B2B' },
    BANK_ACCOUNT_NUMBER: { payment_method: 'BANK' },
  }),
  {
    rows: ['B2B payout request / payment_method'],
    fact: 'MOMO_B2B is for PAYBILL and TILL only, BANK for BANK_ACCOUNT_NUMBER only',
    async run(gateway) {
      await expectRefused(b2b, gateway, { recipient_type: 'PAYBILL', payment_method: 'BANK' })
      await expectRefused(b2b, gateway, { recipient_type: 'TILL', payment_method: 'BANK' })
      await expectRefused(b2b, gateway, { recipient_type: 'BANK_ACCOUNT_NUMBER', payment_method: 'MOMO_B2B' })
    },
  },
  {
    rows: [
      'B2B payout request / payout_reference',
      'Payout error_code values / B2B, unique payout_reference',
    ],
    fact: 'the reference of a B2B payout is unique, or a duplication error results',
    async run(gateway) {
      const { sent } = await send('b2b', gateway)
      const again = await gateway.post(INITIATE_PAYOUT.b2b, sent)
      expect(again.body).toMatchObject({ response_code: 722, error_code: 'DUPLICATE_IGNORED' })
    },
  },
  ...[
    { cause: 'missing required fields', fields: { recipient_name: undefined } },
    { cause: 'invalid recipient_type', fields: { recipient_type: 'FRIEND' } },
    { cause: 'unreachable callback_url', fields: { callback_url: 'not an address' } },
    { cause: 'insufficient funds', fields: { amount: '999999999.00' } },
  ].map(({ cause, fields }): Check => ({
    rows: [`Payout error_code values / B2B, ${cause}`],
    fact: `a B2B payout fails for ${cause}`,
    run: async (gateway) => void (await expectRefused(b2b, gateway, fields)),
  })),
  {
    ...needsControl,
    rows: [
      'What the service does / Local payouts',
      'What the service does / Business-to-business payouts to a paybill, a till or a bank account',
    ],
    fact: 'payouts reach wallets, bank accounts, paybills, tills and banks of businesses',
    async run(gateway) {
      const routes: [PayoutKind, object][] = [
        ['local', {}],
        ['local', TO_BANK],
        ['transfer', {}],
        ['transfer', TO_BANK],
        ['b2b', { recipient_type: 'PAYBILL' }],
        ['b2b', { recipient_type: 'TILL' }],
        ['b2b', { recipient_type: 'BANK_ACCOUNT_NUMBER', payment_method: 'BANK' }],
      ]
      for (const [kind, fields] of routes) {
        const { sent } = await send(kind, gateway, fields)
        await play(gateway, sent, 'success')
        expect(paymentStatusOf(await resultOf(kind, gateway, sent))).toBe(700)
      }
    },
  },
]

/** [spec: recipient_bank_code] Required only when destination_type is BANK. */
function bankCodeCheck(kind: 'local' | 'transfer'): Check {
  const table = payoutTable(kind)
  return {
    rows: [`${table.section} / recipient_bank_code / required`, `${table.section} / recipient_bank_code`],
    fact: `${table.section}: recipient_bank_code is required for BANK only`,
    async run(gateway) {
      await expectAccepted(table, gateway, TO_BANK)
      await expectAccepted(table, gateway, { recipient_bank_code: undefined })
      await expectRefused(table, gateway, { ...TO_BANK, recipient_bank_code: undefined })
    },
  }
}
