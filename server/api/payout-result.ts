/**
 * Defines the schemas of the results that the gateway reports for payouts. The field `result` of a payout in the API
 * has one of these schemas.
 */

import { B2bResult } from '../contract/b2b.ts'
import { PayoutResult } from '../contract/payout.ts'
import { describeFields, field } from './field.ts'

const REFERENCE = ['Your reference.', 'WAGES-2026-11-0001'] as const
const STATUS = [
  'Payment status: 700 processed, 701 failed, 702 reversed, 703 pending, 704 jammed, 705 refunded.',
  700,
] as const
const AMOUNT = ['Amount paid out, as decimal text in major units.', '1500.00'] as const
const CURRENCY = ['Currency of the amount, ISO 4217. Null when not reported.', 'KES'] as const
const TIME = ['When the gateway processed the payout, as it writes it.', '2026-11-21 12:00:00'] as const
const MESSAGE = ["The gateway's text. Null when not reported.", 'Processed successfully'] as const
const DESTINATION_NAME = ['Operator, bank or business. Null when not reported.', 'MOMO_KEN'] as const

const { data: DATA, ...outer } = PayoutResult.shape

/** The result of a local or international payout. [spec: Payout result] */
export const PayoutResultFields = describeFields(outer, {
  payout_reference: REFERENCE,
  destination: ['Type of the destination. Null when not reported.', 'MOBILE'],
}).extend({
  data: field(
    describeFields(DATA.shape, {
      payment_id: ["The gateway's id of the payment. Null when not reported.", '8815201'],
      reference: ["The operator's reference. Null when not reported.", 'QK71P0ZX'],
      wallet_account_number: ['Number of your float account. Null when not reported.', 'ACC-001'],
      transaction_cost: ['Fee, as decimal text. Null when not reported.', '15.00'],
      wallet_balance: [
        'Balance of the float account afterwards, as decimal text. Null when not reported.',
        '98485.00',
      ],
      payment_status: STATUS,
      amount: AMOUNT,
      currency: CURRENCY,
      account_number: ['Number of the recipient, possibly masked. Null when not reported.', '2547*****001'],
      destination_name: DESTINATION_NAME,
      payout_description: ['Your description. Null when not reported.', 'Wages for November'],
      transaction_time: TIME,
      bank_code: ['Bank code. Null when not reported.', '68'],
      result_description: MESSAGE,
      recipient_first_name: ['First name of the recipient. Null when not reported.', 'Asha'],
      recipient_middle_name: ['Middle name of the recipient. Null when not reported.', 'Njeri'],
      recipient_last_name: ['Last name of the recipient. Null when not reported.', 'Otieno'],
      recipient_phone_number: ['Phone number of the recipient. Null when not reported.', '254700000001'],
      message: MESSAGE,
    }).loose(),
    'Details of the payment. May hold fields that the specification does not list.',
  ),
})

/** The result of a B2B payout. [spec: B2B callback and status payload] */
export const B2bResultFields = describeFields(B2bResult.shape, {
  payout_reference: REFERENCE,
  transaction_id: ["The gateway's id of the transaction. Null when not reported.", '8815202'],
  payment_reference: ["The operator's reference. Null when not reported.", 'QK71P0ZY'],
  wallet_account: ['Number of your float account. Null when not reported.', 'ACC-001'],
  destination: ['Number of the paybill, the till, or the bank account. Null when not reported.', '400200'],
  payment_status: STATUS,
  amount: AMOUNT,
  currency: CURRENCY,
  account_number: ['Account reference at the business. Null when not reported.', 'INV-7731'],
  destination_name: DESTINATION_NAME,
  description: ['Your description. Null when not reported.', 'Two bales of cloth'],
  transaction_time: TIME,
  account_balance: [
    'Balance of the float account afterwards, as decimal text. Null when not reported.',
    '75000.00',
  ],
  result_description: MESSAGE,
})
