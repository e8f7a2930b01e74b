/** Sends charges and service confirmations for the checks, in both dialects of charges (`connection.ts`). */

import { randomUUID } from 'node:crypto'

import { expectAccepted, expectSuccess } from './check.ts'
import { expectCheckoutError } from './checkout.ts'
import { expect } from './expect.ts'
import { charge } from './requests.ts'

import type { Sample, TestedRequest } from './check.ts'
import type { Json } from './connection.ts'
import type { Answer, Gateway } from './gateway.ts'

export const CONFIRM = '/transactions/acknowledge'

/** @param changes Fields that replace those of the same name. */
export function chargeRequest({ credentials }: Gateway, changes: object = {}): Json {
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
    ...changes,
  }
}

export function partnersOf({ credentials: { partners } }: Gateway): { plain: string; dynamic: string } {
  if (!partners) {
    throw new Error('The merchant has no partners.')
  }
  return partners
}

export const testedCharge: TestedRequest = {
  section: 'Charge request / Fields of the body',
  send: (gateway, changes) => gateway.post(gateway.chargePath(), chargeRequest(gateway, changes)),
  assertAccepted: ({ body, text }) => expect(body?.status_code, text).toBe(176),
  assertRefused: expectCheckoutError,
}

/** The first share of a charge. The other share has to stay: a charge must contain the dynamic account. */
export const testedSplit: TestedRequest = {
  ...testedCharge,
  section: 'Charge request',
  send(gateway, changes) {
    const [first, ...others] = chargeRequest(gateway).extra_data.split_settlements
    return testedCharge.send(gateway, {
      extra_data: { split_settlements: [{ ...first, ...changes }, ...others] },
    })
  },
}

export const testedConfirmation: TestedRequest = {
  section: 'Service processing confirmation / Request',
  async send(gateway, changes) {
    const { got } = await paidCharge(gateway)
    return confirm(gateway, { payment_id: got.transaction_id, ...changes })
  },
  assertAccepted: expectSuccess,
  assertRefused: expectCheckoutError,
}

export function confirmedCharge(gateway: Gateway): Promise<Sample> {
  return gateway.remember('a confirmed charge', async () => {
    const { got } = await paidCharge(gateway)
    const { body } = await confirm(gateway, { payment_id: got.transaction_id })
    return { sent: { payment_id: got.transaction_id }, got: body }
  })
}

export async function sendCharge(gateway: Gateway, changes: object = {}): Promise<Sample> {
  const sent = chargeRequest(gateway, changes)
  const { body } = await expectAccepted(testedCharge, gateway, sent)
  return { sent, got: body }
}

/** Resolves with a new charge and its payment. */
export async function paidCharge(gateway: Gateway, changes: object = {}): Promise<Sample> {
  const charged = await sendCharge(gateway, changes)
  await pay(gateway, charged)
  const payments = paymentsIn(await retrieveCharge(gateway, charged))
  return { sent: charged.sent, got: payments.at(-1) }
}

/** Makes the payer of a sandbox approve the charge. */
export function pay(gateway: Gateway, { sent }: Sample): Promise<void> {
  return gateway.simulate(`/checkouts/${sent.external_reference}/pay`, { scenario: 'approve' })
}

/** Ids that no charge has. */
export const NO_CHARGE = { external_reference: 'none', charge_request_id: 'none' }

export function retrieveCharge(gateway: Gateway, { sent, got }: Sample): Promise<Json> {
  const { external_reference } = sent
  const { charge_request_id } = got
  return gateway.read(gateway.chargeStatusPath({ external_reference, charge_request_id }))
}

/** Returns the payments in the state of a charge, which in the dialect `flat` is the record of its payment. */
export function paymentsIn(status: Json): Json[] {
  return status.payments ?? [status]
}

export function confirm(gateway: Gateway, changes: object): Promise<Answer> {
  return gateway.post(CONFIRM, { status: 'SUCCESSFUL', narration: 'Delivered', ...changes })
}

/** Resolves with what the partner holds in the ledger of a sandbox. */
export async function partnerBalance(gateway: Gateway, partner: string): Promise<number> {
  const { accounts } = await gateway.control('/ledger')
  const account = `partner/${partner}/${gateway.credentials.currency}`
  return Number(accounts.find((each: Json) => each.account === account)?.balance ?? 0)
}
