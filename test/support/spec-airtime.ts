/** Airtime as the spec's tables have it, written by hand from them. [spec: Airtime request] */

export const AIRTIME = '/v1/gw/airtime/send'

export const airtime = {
  reference: 'AIRTIME-1',
  recipients: [
    { phone_number: '254700000001', amount: '100.00' },
    { phone_number: '254700000002', amount: '50' },
  ],
}

/** That many recipients with ordinary numbers, each of whom gets 10. */
export function manyRecipients(count: number, first = 0): { phone_number: string; amount: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    // Ends in a letter's place before the last four digits, so that no number stands for a scenario.
    phone_number: `2547${String(first + index).padStart(6, '0')}00`,
    amount: '10',
  }))
}

/** [spec: Airtime callback and status entry] */
export const airtimeEntry = {
  phone_number: '254700000001',
  amount: 100,
  service_status: 602,
  external_reference: 'AIRTIME-1',
  provider_reference: 'R1NETWORK9',
  correlation_id: 'c0ffee',
  message: 'The airtime was delivered.',
}
