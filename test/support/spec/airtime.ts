// [spec: Airtime request]

export const AIRTIME = '/v1/gw/airtime/send'

export const airtime = {
  reference: 'AIRTIME-1',
  recipients: [
    { phone_number: '254700000001', amount: '100.00' },
    { phone_number: '254700000002', amount: '50' },
  ],
}

export function manyRecipients(count: number, first = 0): { phone_number: string; amount: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    // The last digits 00 select no sandbox scenario.
    phone_number: `2547${String(first + index).padStart(6, '0')}00`,
    amount: '10',
  }))
}

export const airtimeEntry = {
  phone_number: '254700000001',
  amount: 100,
  service_status: 602,
  external_reference: 'AIRTIME-1',
  provider_reference: 'R1NETWORK9',
  correlation_id: 'c0ffee',
  message: 'The airtime was delivered.',
}
