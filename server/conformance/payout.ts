/** Sends payouts of the three kinds as the checks need them. */

import { randomUUID } from 'node:crypto'

import { PAYOUT_ERROR_CODES } from '../contract/payout.ts'
import { expect } from './expect.ts'
import { b2bPayout, localPayout, transfer } from './requests.ts'

import type { RequestTable, Sample } from './check.ts'
import type { Json } from './connection.ts'
import type { Gateway } from './gateway.ts'

export const PAYOUT_KINDS = ['local', 'transfer', 'b2b'] as const
export type PayoutKind = (typeof PAYOUT_KINDS)[number]

export const INITIATE_PAYOUT = {
  local: '/v1/payouts/initiate',
  transfer: '/v1/payouts/imt/initiate',
  b2b: '/v1/payouts/b2b/initiate',
} as const

export const SECTION = {
  local: 'Local payout request',
  transfer: 'International money transfer request',
  b2b: 'B2B payout request',
} as const

export const TO_BANK = {
  destination_type: 'BANK',
  destination_name: 'Bank of Pwani',
  recipient_bank_code: '01',
}

// The float balance must cover the payouts of all checks.
const AMOUNT = '10.00'

export function payoutRequest(kind: PayoutKind, gateway: Gateway, fields: object = {}): Json {
  const payout_reference = randomUUID()
  const callback_url = gateway.mailbox().url
  const { currency, country, wallet, msisdn, services } = gateway.credentials
  const toPerson = {
    payout_reference,
    callback_url,
    destination_name: wallet,
    recipient_phone_number: msisdn,
    recipient_account_number: msisdn,
    source_currency: currency,
    destination_currency: currency,
    sender_country_code: country,
    sender_amount: AMOUNT,
    recipient_amount: AMOUNT,
  }
  switch (kind) {
    case 'local':
      return { ...localPayout, ...toPerson, service_code: services.payout, ...fields }
    case 'transfer':
      return { ...transfer, ...toPerson, service_code: services.transfer, ...fields }
    case 'b2b': {
      const terms = { payout_reference, callback_url, service_code: services.b2b, amount: AMOUNT }
      return { ...b2bPayout, ...terms, currency_code: currency, country_code: country, ...fields }
    }
  }
}

export function payoutTable(kind: PayoutKind): RequestTable {
  return {
    section: SECTION[kind],
    send: (gateway, fields) => gateway.post(INITIATE_PAYOUT[kind], payoutRequest(kind, gateway, fields)),
    accepts: ({ body, text }) => expect(body?.response_code, text).toBe(720),
    refuses: ({ body, text }) => {
      expect(body?.response_code, text).toBe(721)
      expect(body.response_description).toMatch(/\S/)
      expect(PAYOUT_ERROR_CODES).toContain(body.error_code)
    },
  }
}

export async function send(kind: PayoutKind, gateway: Gateway, fields: object = {}): Promise<Sample> {
  const sent = payoutRequest(kind, gateway, fields)
  const answer = await gateway.post(INITIATE_PAYOUT[kind], sent)
  payoutTable(kind).accepts(answer)
  return { sent, got: answer.body }
}

export function statusPath(kind: PayoutKind, reference: string): string {
  return kind === 'b2b' ? `/v1/payouts/b2b/${reference}/status` : `/v1/payouts/${reference}/status`
}

export const resultOf = (kind: PayoutKind, gateway: Gateway, { payout_reference }: Json): Promise<Json> =>
  gateway.read(statusPath(kind, payout_reference))

export function paymentStatusOf(result: Json): Json {
  return (result?.data ?? result)?.payment_status
}

export async function play(gateway: Gateway, { payout_reference }: Json, scenario: string): Promise<void> {
  await gateway.control(`/payouts/${payout_reference}/play`, { scenario })
  await gateway.later(1_000)
}

export function acceptedPayout(kind: PayoutKind, gateway: Gateway, fields: object = {}): Promise<Sample> {
  return gateway.remember(`an accepted ${kind} payout ${JSON.stringify(fields)}`, async () => {
    const { sent } = await send(kind, gateway, fields)
    return { sent, got: await resultOf(kind, gateway, sent) }
  })
}

export const accountOf = (gateway: Gateway): Promise<Json> =>
  gateway.read(`/v1/accounts/${gateway.credentials.account_number}/balance`)
