/** Sends charges and confirmations as the checks need them, in either dialect of the gateway. */

import { randomUUID } from 'node:crypto'

import { expectAccepted, expectSuccess } from './check.ts'
import { expectCheckoutError } from './checkout.ts'
import { expect } from './expect.ts'
import { charge } from './requests.ts'

import type { RequestTable, Sample } from './check.ts'
import type { Json } from './connection.ts'
import type { Answer, Gateway } from './gateway.ts'

export const CONFIRM = '/transactions/acknowledge'

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
    extra_data: partners && {
      split_settlements: [
        { account: partners.plain, amount: 1000, reason: 'Cloth' },
        { account: partners.dynamic, amount: '20', reason: 'Platform fee' },
      ],
    },
    ...fields,
  }
}

export function partnersOf({ credentials: { partners } }: Gateway): { plain: string; dynamic: string } {
  if (!partners) {
    throw new Error('The merchant has no partners.')
  }
  return partners
}

export const chargeTable: RequestTable = {
  section: 'Charge request / Fields of the body',
  send: (gateway, fields) => gateway.post(gateway.chargePath(), chargeRequest(gateway, fields)),
  accepts: ({ body, text }) => expect(body?.status_code, text).toBe(176),
  refuses: expectCheckoutError,
}

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

export const confirmationTable: RequestTable = {
  section: 'Service processing confirmation / Request',
  async send(gateway, fields) {
    const { got } = await paidCharge(gateway)
    return confirm(gateway, { payment_id: got.transaction_id, ...fields })
  },
  accepts: expectSuccess,
  refuses: expectCheckoutError,
}

export function confirmed(gateway: Gateway): Promise<Sample> {
  return gateway.remember('a confirmed charge', async () => {
    const { got } = await paidCharge(gateway)
    const { body } = await confirm(gateway, { payment_id: got.transaction_id })
    return { sent: { payment_id: got.transaction_id }, got: body }
  })
}

export async function post(gateway: Gateway, fields: object = {}): Promise<Sample> {
  const sent = chargeRequest(gateway, fields)
  const { body } = await expectAccepted(chargeTable, gateway, sent)
  return { sent, got: body }
}

export async function paidCharge(gateway: Gateway, fields: object = {}): Promise<Sample> {
  const posted = await post(gateway, fields)
  await pay(gateway, posted)
  return { sent: posted.sent, got: paymentsIn(await statusOf(gateway, posted)).at(-1) }
}

// Only the sandbox supports simulated payments.
export async function pay(gateway: Gateway, { sent }: Sample): Promise<void> {
  await gateway.control(`/checkouts/${sent.external_reference}/pay`, { scenario: 'approve' })
  await gateway.later(1_000)
}

export const NONE = { external_reference: 'none', charge_request_id: 'none' }

export const statusOf = (gateway: Gateway, { sent, got }: Sample): Promise<Json> =>
  gateway.read(gateway.chargeStatusPath({ ...NONE, ...sent, charge_request_id: got.charge_request_id }))

// A charge is reported like a checkout, with its payments, or as its payment record.
export const paymentsIn = (status: Json): Json[] => status.payments ?? [status]

export function confirm(gateway: Gateway, fields: object): Promise<Answer> {
  return gateway.post(CONFIRM, { status: 'SUCCESSFUL', narration: 'Delivered', ...fields })
}

export async function partnerBalance(gateway: Gateway, partner: string): Promise<number> {
  const { accounts } = await gateway.control('/ledger')
  const account = `partner/${partner}/${gateway.credentials.currency}`
  return Number(accounts.find((each: Json) => each.account === account)?.balance ?? 0)
}
