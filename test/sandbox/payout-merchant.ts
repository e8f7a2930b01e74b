/** A merchant's client for payouts. The requests are written by hand from the spec's tables. */

import { openMerchant } from './merchant.ts'

export const PAYOUTS = '/v1/payouts/initiate'
export const TRANSFERS = '/v1/payouts/imt/initiate'
export const B2B = '/v1/payouts/b2b/initiate'
export const SECOND = 1_000

export async function openPayoutMerchant(options: Parameters<typeof openMerchant>[0] = {}) {
  const merchant = await openMerchant(options)
  const { sandbox, timeline, callbacks, post, get, later, token } = merchant
  const authorized = () => ({ 'x-access-token': token() })
  const send = (path: string, body: unknown, headers: Record<string, string> = authorized()) =>
    post(path, body, headers)

  return {
    sandbox,
    timeline,
    callbacks,
    post,
    get,
    later,
    token,
    renewToken: () => merchant.renewToken(),
    send,
    /** Sends a request that must be accepted. */
    async accepted(path: string, body: object) {
      const answer = await send(path, body)
      const acknowledgement = await answer.json()
      if (acknowledgement.response_code !== 720) throw new Error(JSON.stringify(acknowledgement))
      return acknowledgement
    },
    async status(reference = 'payout-1') {
      return (await get(`/v1/payouts/${reference}/status`, authorized())).json()
    },
    async statusOfB2b(reference = 'payout-1') {
      return (await get(`/v1/payouts/b2b/${reference}/status`, authorized())).json()
    },
    async play(scenario: string, reference = 'payout-1') {
      return post(`/_sandbox/payouts/${reference}/play`, { scenario })
    },
    async balance() {
      return (await (await get('/v1/accounts/ACC-001/balance', authorized())).json()).balance
    },
    async rate(source: string, destination: string) {
      const { rates } = await (await get(`/v1/fx?base_currency=${source}`, authorized())).json()
      return rates[destination].buying
    },
    async ledger(reference = '') {
      return (await get(`/_sandbox/ledger${reference && `?reference=${reference}`}`)).json()
    },
    async deliveries(reference = 'payout-1') {
      return (await (await get(`/_sandbox/callbacks?reference=${reference}`)).json()).callbacks
    },
  }
}

/** [spec: Local payout request] */
export function payout(fields: object = {}) {
  return {
    payout_reference: 'payout-1',
    service_code: 'PAYOUT-KES',
    recipient_first_name: 'Asha',
    recipient_last_name: 'Otieno',
    destination_type: 'MOBILE',
    destination_name: 'MOMO_KEN',
    recipient_phone_number: '254700000001',
    recipient_account_number: '254700000001',
    recipient_account_name: 'Asha Otieno',
    source_currency: 'KES',
    destination_currency: 'KES',
    exchange_rate: '1',
    sender_amount: '1000',
    sender_country_code: 'KEN',
    recipient_amount: '1000',
    payment_description: 'Wages',
    callback_url: 'http://127.0.0.1:9/callbacks/payouts/abc',
    ...fields,
  }
}

/** [spec: International money transfer request] Only what is required by both readings of it. */
export function transfer(fields: object = {}) {
  return {
    payout_reference: 'payout-1',
    service_code: 'IMT-KES',
    sender_first_name: 'Juma',
    sender_last_name: 'Mwangi',
    sender_type: 'INDIVIDUAL',
    sender_country_code: 'KEN',
    recipient_type: 'INDIVIDUAL',
    recipient_phone_number: '256700000001',
    recipient_account_number: '256700000001',
    recipient_account_name: 'Asha Otieno',
    recipient_occupation: 'Teacher',
    destination_type: 'MOBILE',
    destination_name: 'MOMO_UGA',
    source_currency: 'KES',
    destination_currency: 'UGX',
    income_source: 'Salary',
    fund_purpose: 'Family support',
    sender_amount: '1000',
    payment_description: 'School fees',
    callback_url: 'http://127.0.0.1:9/callbacks/payouts/abc',
    ...fields,
  }
}

/** [spec: B2B payout request] */
export function b2b(fields: object = {}) {
  return {
    payout_reference: 'payout-1',
    service_code: 'B2B-KES',
    payment_account_reference: 'INV-7',
    recipient_name: 'Kanga Mills',
    recipient_type: 'PAYBILL',
    recipient_account_number: '600000',
    amount: '2500.50',
    payment_description: 'Cloth',
    payment_method: 'MOMO_B2B',
    currency_code: 'KES',
    country_code: 'KEN',
    callback_url: 'http://127.0.0.1:9/callbacks/b2b/abc',
    ...fields,
  }
}
