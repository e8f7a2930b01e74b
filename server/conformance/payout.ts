/** Sends local payouts, international transfers and B2B payouts for the checks, and reads what becomes of them. */

import { randomUUID } from 'node:crypto'

import { PAYOUT_ERROR_CODES } from '../contract/payout.ts'
import { expect } from './expect.ts'
import { b2bPayout, localPayout, transfer } from './requests.ts'

import type { Sample, TestedRequest } from './check.ts'
import type { Json } from './connection.ts'
import type { Gateway } from './gateway.ts'

export const PAYOUT_KINDS = ['local', 'transfer', 'b2b'] as const
export type PayoutKind = (typeof PAYOUT_KINDS)[number]

export const INITIATE_PAYOUT = {
  local: '/v1/payouts/initiate',
  transfer: '/v1/payouts/imt/initiate',
  b2b: '/v1/payouts/b2b/initiate',
} as const

/** The sections of the specification that describe the requests. */
export const REQUEST_SECTION = {
  local: 'Local payout request',
  transfer: 'International money transfer request',
  b2b: 'B2B payout request',
} as const

/** Changes of a local payout or a transfer that send it to a bank account. The specification lists no bank codes. */
export const TO_BANK = {
  destination_type: 'BANK',
  destination_name: 'Bank of Pwani',
  recipient_bank_code: '01',
}

/** Small, because the balance of the merchant's account has to cover the payouts of all checks. */
const AMOUNT = '10.00'

/** @param changes Fields that replace those of the same name. */
export function payoutRequest(kind: PayoutKind, gateway: Gateway, changes: object = {}): Json {
  const { currency, country, wallet, msisdn, services } = gateway.credentials
  const ownFields = {
    payout_reference: randomUUID(),
    callback_url: gateway.mailbox().url,
    service_code: services[kind === 'local' ? 'payout' : kind],
  }
  if (kind === 'b2b') {
    const amountFields = { amount: AMOUNT, currency_code: currency, country_code: country }
    return { ...b2bPayout, ...ownFields, ...amountFields, ...changes }
  }

  const walletFields = {
    destination_name: wallet,
    recipient_phone_number: msisdn,
    recipient_account_number: msisdn,
    sender_country_code: country,
  }
  const amountFields = {
    source_currency: currency,
    destination_currency: currency,
    sender_amount: AMOUNT,
    recipient_amount: AMOUNT,
  }
  const example = kind === 'local' ? localPayout : transfer
  return { ...example, ...ownFields, ...walletFields, ...amountFields, ...changes }
}

export function testedPayout(kind: PayoutKind): TestedRequest {
  return {
    section: REQUEST_SECTION[kind],
    send: (gateway, changes) => gateway.post(INITIATE_PAYOUT[kind], payoutRequest(kind, gateway, changes)),
    assertAccepted: ({ body, text }) => expect(body?.response_code, text).toBe(720),
    assertRefused: ({ body, text }) => {
      expect(body?.response_code, text).toBe(721)
      expect(body.response_description).toMatch(/\S/)
      expect(PAYOUT_ERROR_CODES).toContain(body.error_code)
    },
  }
}

export async function sendPayout(kind: PayoutKind, gateway: Gateway, changes: object = {}): Promise<Sample> {
  const sent = payoutRequest(kind, gateway, changes)
  const answer = await gateway.post(INITIATE_PAYOUT[kind], sent)
  testedPayout(kind).assertAccepted(answer)
  return { sent, got: answer.body }
}

// Transfers have the status path of local payouts. [spec: Endpoints]
export function statusPath(kind: PayoutKind, reference: string): string {
  return kind === 'b2b' ? `/v1/payouts/b2b/${reference}/status` : `/v1/payouts/${reference}/status`
}

/** Resolves with the result of the payout, as the status query returns it. */
export function retrievePayout(
  kind: PayoutKind,
  gateway: Gateway,
  { payout_reference }: Json,
): Promise<Json> {
  return gateway.read(statusPath(kind, payout_reference))
}

/** Returns the fields of a result: those of local payouts and transfers are in `data`. [spec: Payout result] */
export function resultFieldsOf(result: Json): Json {
  return result?.data ?? result
}

export function paymentStatusOf(result: Json): Json {
  return resultFieldsOf(result)?.payment_status
}

/** Makes the operator of a sandbox settle the payout by a scenario, such as `success` or `decline`. */
export function simulateResult(
  gateway: Gateway,
  { payout_reference }: Json,
  scenario: string,
): Promise<void> {
  return gateway.simulate(`/payouts/${payout_reference}/play`, { scenario })
}

/** Resolves with a payout and its first result. The same changes have one payout for all checks of a run. */
export function acceptedPayout(kind: PayoutKind, gateway: Gateway, changes: object = {}): Promise<Sample> {
  return gateway.remember(`an accepted ${kind} payout ${JSON.stringify(changes)}`, async () => {
    const { sent } = await sendPayout(kind, gateway, changes)
    return { sent, got: await retrievePayout(kind, gateway, sent) }
  })
}

/** Resolves with the merchant's account and its balance. */
export function retrieveAccount(gateway: Gateway): Promise<Json> {
  return gateway.read(`/v1/accounts/${gateway.credentials.account_number}/balance`)
}
