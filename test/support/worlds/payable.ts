import { b2bPayout, localPayout, transfer } from '../spec/payouts.ts'

export type PayoutType = 'local' | 'transfer' | 'b2b'

export const PAYOUT_PATHS = {
  local: '/payouts',
  transfer: '/payouts/imt',
  b2b: '/payouts/b2b',
} as const satisfies Record<PayoutType, string>

// The last digits of these fields may select a sandbox scenario.
export const RECIPIENT = {
  local: 'recipient_phone_number',
  transfer: 'recipient_phone_number',
  b2b: 'recipient_account_number',
} as const satisfies Record<PayoutType, string>

const REFERENCE = { payout_reference: 'P-1' }
const THOUSAND = { sender_amount: '1000', recipient_amount: '1000' }

export const PAYOUTS = {
  local: { ...localPayout, ...REFERENCE, ...THOUSAND },
  transfer: { ...transfer, ...REFERENCE, ...THOUSAND },
  b2b: { ...b2bPayout, ...REFERENCE, amount: '1000' },
} as const satisfies Record<PayoutType, object>
