/** Charges as a merchant posts them, shares them with partners and confirms them. */

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { charge } from '../support/spec-charges.ts'
import { expectCheckoutError } from './checkout.ts'
import type { Check, RequestTable, Sample } from './check.ts'
import type { Answer, Gateway } from './gateway.ts'
import type { Json } from './json.ts'

export const CONFIRM = '/transactions/acknowledge'

/** [spec: Charge request] A merchant's own, with two shares; what is undefined is left out. */
export function chargeRequest({ credentials }: Gateway, fields: object = {}): Json {
  const { account_number, client_code, country, currency, msisdn, partners, services } = credentials
  return {
    ...charge,
    external_reference: randomUUID(),
    originator_msisdn: msisdn,
    payer_msisdn: msisdn,
    client_code,
    service_code: services.checkout,
    account_number,
    currency_code: currency,
    country_code: country,
    payment_method_code: credentials.wallet,
    extra_data: {
      split_settlements: [
        { account: partners.plain, amount: 1000, reason: 'Cloth' },
        { account: partners.dynamic, amount: '20', reason: 'Platform fee' },
      ],
    },
    ...fields,
  }
}

export const chargeTable: RequestTable = {
  section: 'Charge request / Fields of the body',
  send: (gateway, fields) => gateway.post(gateway.chargePath(), chargeRequest(gateway, fields)),
  accepts: ({ body, text }) => expect(body?.status_code, text).toBe(176),
  refuses: expectCheckoutError,
}

/** The first share of a charge. */
export const splitTable: RequestTable = {
  ...chargeTable,
  section: 'Charge request',
  send(gateway, fields) {
    const [first, ...others] = chargeRequest(gateway).extra_data.split_settlements
    return chargeTable.send(gateway, {
      extra_data: { split_settlements: [{ ...first, ...fields }, ...others] },
    })
  },
}

/** The confirmation of a charge that was paid. Needs control. */
export const confirmationTable: RequestTable = {
  section: 'Service processing confirmation / Request',
  async send(gateway, fields) {
    const { got } = await paidCharge(gateway)
    return confirm(gateway, { payment_id: got.transaction_id, ...fields })
  },
  accepts: ({ status, text }) => expect(status, text).toBe(200),
  refuses: expectCheckoutError,
}

/** Posts a charge that must be accepted. */
export async function post(gateway: Gateway, fields: object = {}): Promise<Sample> {
  const sent = chargeRequest(gateway, fields)
  const answer = await gateway.post(gateway.chargePath(), sent)
  chargeTable.accepts(answer)
  return { sent, got: answer.body }
}

/** Posts a charge and has it paid: `got` is the payment record. Needs control. */
export async function paidCharge(gateway: Gateway, fields: object = {}): Promise<Sample> {
  const { sent } = await post(gateway, fields)
  await gateway.control(`/checkouts/${sent.external_reference}/pay`, { scenario: 'approve' })
  await gateway.later(1_000)
  return { sent, got: (await statusOf(gateway, sent)).payments.at(-1) }
}

export async function statusOf(gateway: Gateway, { external_reference }: Json): Promise<Json> {
  const answer = await gateway.get(`${gateway.chargePath()}/${external_reference}/status`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

/** [spec: Service processing confirmation] */
export function confirm(gateway: Gateway, fields: object): Promise<Answer> {
  return gateway.post(CONFIRM, { status: 'SUCCESSFUL', narration: 'Delivered', ...fields })
}

/** What a partner was allotted so far, as the sandbox's books have it. */
export async function holdingOf(gateway: Gateway, partner: string): Promise<number> {
  const { accounts } = await gateway.control('/ledger')
  const account = `partner/${partner}/${gateway.credentials.currency}`
  return Number(accounts.find((each: Json) => each.account === account)?.balance ?? 0)
}

export const needsCharges = { needs: ['charges'] } satisfies Partial<Check>
export const needsPaidCharges = { needs: ['charges', 'control'] } satisfies Partial<Check>
