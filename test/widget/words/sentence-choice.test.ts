import { expect, test } from 'vitest'

import { en } from '../../../widget/words/en.ts'
import { describeView } from '../../../widget/words/sentence-choice.ts'
import { EXPIRED, freshView, PAID, PARTIAL, UNPAID } from '../../support/worlds/scripted-bff.ts'

import type { CheckoutView } from '../../../server/api/view.ts'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

function sentencesFor(news: Partial<CheckoutView>): string[] {
  return describeView({ ...freshView(0), ...news }, en).map(plain)
}

/** A time after the end of the session. */
const AFTER = new Date(32 * 60_000).toISOString()

/** @param reason Any text: a newer server may give reasons that this element does not know. */
function failedFor(reason: string): Partial<CheckoutView> {
  const payment = {
    status: 701,
    outcome: 'failed',
    amount: '1500',
    currency: 'KES',
    method: null,
    paid_at: null,
  }
  return { ...UNPAID, payments: JSON.parse(JSON.stringify([{ ...payment, reason }])) }
}

test.each<[Partial<CheckoutView>, string]>([
  [{ outcome: 'paid', amount_paid: '1500.00' }, 'Paid: We have received your payment. Thank you.'],
  [
    { outcome: 'partial', amount_paid: '500.50', settled: true },
    'Paid in part: We have received KES 500.50. KES 999.50 was not paid. Please contact the shop.',
  ],
  [{ ...PARTIAL, amount_paid: '600.00' }, 'KES 900 to go: We have received KES 600 of KES 1,500.'],
  [
    { ...PAID, amount_paid: '1700', discrepancy: 'excess' },
    'Paid: We have received KES 1,700, which is KES 200 too much. Please contact the shop.',
  ],
  [{ ...UNPAID, settled: true }, `That did not go through: No payment was confirmed. You can try again.`],
  [
    { ...UNPAID, settled: true, updated_at: AFTER },
    `Not paid: No payment was confirmed in time. You can try again.`,
  ],
  ...Object.entries(en.reason).map(([reason, [title, remedy]]): [Partial<CheckoutView>, string] => [
    failedFor(reason),
    `${title}: ${remedy}`,
  ]),
  [{ ...failedFor('wrong_pin'), settled: true }, `The PIN was wrong: ${en.reason.wrong_pin[1]}`],
  ...['unknown', 'reason of a newer server', 'constructor'].map((reason): [Partial<CheckoutView>, string] => [
    failedFor(reason),
    `That did not go through: No payment was confirmed. You can try again.`,
  ]),
  [{ ...failedFor('wrong_pin'), ...PARTIAL }, 'KES 900 to go: We have received KES 600 of KES 1,500.'],
  [{ ...EXPIRED, status: null }, 'That did not go through: No payment was confirmed. You can try again.'],
  [EXPIRED, 'The time to pay has ended: No payment was confirmed in time. You can try again.'],
  [
    { outcome: 'refunded' },
    'Refunded: The payment of KES 1,500 was refunded. If it is not back in the account that paid, please contact the shop.',
  ],
])('%o reads as a shopper would want it', (news, sentence) => {
  expect(sentencesFor(news).join(': ')).toBe(sentence)
})
