/** Words and money, as the element and the BFF's pages say them. */

import { expect, test } from 'vitest'
import { freshView } from '../support/till.ts'
import { dateTime, failureWords, money, outcomeWords } from '../../widget/locale.ts'
import { en } from '../../widget/locales/en.ts'
import { sw } from '../../widget/locales/sw.ts'
import { paceMs, backoffMs } from '../../widget/polling.ts'
import { serverBase, returnAddress } from '../../widget/address.ts'

import type { View } from '../../server/contract/view.ts'

const view = (news: Partial<View>): View => ({ ...freshView(0), ...news })
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

test.each<[Partial<View>, string]>([
  [{ outcome: 'paid', amount_paid: '1500.00' }, 'Paid: We have received KES 1,500. Thank you.'],
  [
    { outcome: 'partial', amount_paid: '500.50', settled: true },
    'Paid in part, too late for the rest: We have received KES 500.50. KES 999.50 was not paid in time. Please contact the shop.',
  ],
  [{ outcome: 'refunded' }, 'Refunded: The payment of KES 1,500 was refunded.'],
])('%o reads as a shopper would want it', (news, sentence) => {
  const { title, detail } = outcomeWords(view(news), en, 'en')
  expect(plain(`${title}: ${detail}`)).toBe(sentence)
})

test('a failed try, an end without payment and an expiry are different things', () => {
  const titles = [
    outcomeWords(view({ outcome: 'unpaid' }), en, 'en'),
    outcomeWords(view({ outcome: 'unpaid', settled: true }), en, 'en'),
    outcomeWords(view({ outcome: 'expired', settled: true }), en, 'en'),
  ].map(({ title }) => title)
  expect(new Set(titles).size).toBe(3)
})

test('a prompt that is unanswered asks for the phone, not for patience', () => {
  const payments: View['payments'] = [
    { status: 703, outcome: 'waiting', amount: '1500', currency: 'KES', method: null, paid_at: null },
  ]
  expect(outcomeWords(view({ payments }), en, 'en').title).toBe('Confirm the payment on your phone')
})

test('every hole of an English sentence is in the Swahili one', () => {
  const holes = (text: string) => [...text.matchAll(/{\w+}/g)].map(([hole]) => hole).toSorted()
  for (const [name, [, detail]] of Object.entries(en.sentence)) {
    const other = Object.entries(sw.sentence).find(([key]) => key === name)?.[1][1] ?? ''
    expect([name, holes(other)]).toEqual([name, holes(detail)])
  }
})

test('amounts stay exact, however long', () => {
  expect(plain(money('90071992547409931.25', 'KES', 'en'))).toBe('KES 90,071,992,547,409,931.25')
})

test('dates are the reader’s, and no date is no text', () => {
  expect(plain(dateTime('2026-11-21T09:00:00Z', 'en', 'Africa/Nairobi'))).toMatch(/Nov 21, 2026, 12:00.PM/)
  expect(dateTime(null, 'en')).toBe('')
  expect(dateTime('yesterday', 'en')).toBe('')
})

test('an unknown code has a sentence, too', () => {
  expect(failureWords('something_new', en)).toBe(en.failure.other)
  expect(failureWords('orders_unavailable', en)).toBe(en.failure.again)
})

test('the pace is the BFF’s, within reason', () => {
  expect([0, 100, 3_000, 86_400_000].map((wish) => paceMs(wish))).toEqual([5_000, 1_000, 3_000, 60_000])
})

test('failures are met with growing, spread pauses that heed the BFF', () => {
  expect([1, 2, 3, 9].map((failures) => backoffMs(failures, 0, () => 0))).toEqual([
    1_000, 2_000, 4_000, 30_000,
  ])
  expect(backoffMs(1, 20_000, () => 0)).toBe(20_000)
})

test('a server may be written as people write it', () => {
  expect(serverBase('https://pay.test/', 'https://shop.test/a')).toBe('https://pay.test')
  expect(serverBase('/pay/', 'https://shop.test/a')).toBe('https://shop.test/pay')
  expect(serverBase('javascript:alert(1)', 'https://shop.test/a')).toBeNull()
})

test('comes back to the page it left, without its fragment, unless told otherwise', () => {
  expect(returnAddress('', 'https://shop.test/cart#top')).toBe('https://shop.test/cart')
  expect(returnAddress('/thanks', 'https://shop.test/cart')).toBe('https://shop.test/thanks')
})
