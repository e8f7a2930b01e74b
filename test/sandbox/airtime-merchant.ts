/** A merchant's client for airtime. */

import { AIRTIME, airtime } from '../support/spec-airtime.ts'
import { openPayoutMerchant } from './payout-merchant.ts'

export const ADDRESS = 'http://127.0.0.1:9/callbacks/airtime/abc'
export const FUNDED = '1000000.00'

export type Entry = { phone_number: string; service_status: number; [field: string]: unknown }

export async function openAirtime(options: Parameters<typeof openPayoutMerchant>[0] = {}) {
  const sender = await openPayoutMerchant({ portal: { airtime_callback_url: ADDRESS }, ...options })
  const ask = (reference: string) =>
    sender.get(`/v1/gw/airtime/${reference}/status`, { 'x-access-token': sender.token() })
  return {
    ...sender,
    ask,
    async buy(recipients: object[] = airtime.recipients, reference = 'AIRTIME-1') {
      return sender.accepted(AIRTIME, { reference, recipients })
    },
    async refused(fields: object) {
      const answer = await sender.send(AIRTIME, { ...airtime, ...fields })
      return { status: answer.status, body: await answer.json() }
    },
    async entries(reference = 'AIRTIME-1'): Promise<Entry[]> {
      return (await ask(reference)).json()
    },
    playAirtime: (scenario: unknown, phone = '254700000001', reference = 'AIRTIME-1') =>
      sender.post(`/_sandbox/airtime/${reference}/${phone}/play`, { scenario }),
    statuses: (): number[] => sender.callbacks.map(({ text }) => JSON.parse(text).service_status),
  }
}

export const to = (digits: string, amount: unknown = '100') => ({ phone_number: `25470000${digits}`, amount })

/** Everything that may become of one recipient, all of it in one request. */
export const OUTCOMES = [
  ['0001', [602]],
  ['9100', [602]],
  ['9101', [603]],
  ['9112', [603]],
  ['9007', [602]],
  ['9008', [604]],
  ['9009', [602, 605]],
  ['9010', [602, 606]],
  ['9113', [607, 602]],
] as const
