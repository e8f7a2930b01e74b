/** A merchant's client for charges with split settlements. */

import { charge, redirectCharge } from '../support/spec-charges.ts'
import { openMerchant } from './merchant.ts'

export const CHARGES = '/v1/charges'
export const SECOND = 1_000
export const PORTAL = 'http://127.0.0.1:9/callbacks/charges/abc'

export async function openChargeMerchant(options: Parameters<typeof openMerchant>[0] = {}) {
  const merchant = await openMerchant({ portal: { charge_callback_url: PORTAL }, ...options })
  const { post, get, later, token } = merchant
  const authorized = () => ({ 'x-access-token': token() })
  const send = (body: unknown) => post(CHARGES, body, authorized())
  const ledger = async () => (await get('/_sandbox/ledger')).json()

  const chargeMerchant = {
    ...merchant,
    send,
    ledger,
    /** Posts a charge that must be accepted. */
    async charge(fields: object = {}) {
      return posted(await send({ ...charge, ...fields }))
    },
    async redirect(fields: object = {}) {
      return posted(await send({ ...redirectCharge, ...fields }))
    },
    async status(reference = charge.external_reference) {
      return (await get(`${CHARGES}/${reference}/status`, authorized())).json()
    },
    pay: (scenario: string | undefined, fields: object = {}, reference = charge.external_reference) =>
      merchant.pay(scenario, fields, reference),
    /** Posts a direct charge and waits until it is paid. Returns the payment's id. */
    async paid(fields: object = {}): Promise<string> {
      const { external_reference } = await chargeMerchant.charge(fields)
      await later(5 * SECOND)
      return (await chargeMerchant.status(external_reference)).payments.at(-1).transaction_id
    },
    confirm: (payment_id: string, status = 'SUCCESSFUL', narration = 'Delivered') =>
      post('/transactions/acknowledge', { payment_id, status, narration }, authorized()),
    /** The balance of a ledger account; zero without entries. */
    async held(account: string): Promise<string> {
      const { accounts } = await ledger()
      return accounts.find((one: { account: string }) => one.account === account)?.balance ?? '0.00'
    },
  }
  return chargeMerchant
}

async function posted(answer: Response) {
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}
