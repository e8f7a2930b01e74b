import { expect, test } from 'vitest'

import { FAILURE_REASONS } from '../../../server/contract/failure-reason.ts'
import { serverBase, returnAddress } from '../../../widget/button/checkout-settings.ts'
import { formatMoney } from '../../../widget/state/money.ts'
import { LANGUAGES, loadWords } from '../../../widget/words.ts'
import { en } from '../../../widget/words/en.ts'
import { FIRST_WORDS } from '../../../widget/words/first-words.ts'
import { describeView } from '../../../widget/words/message.ts'
import { EXPIRED, freshView, PAID, PARTIAL, UNPAID } from '../../support/worlds/scripted-bff.ts'

import type { CheckoutView } from '../../../server/api/view.ts'
import type { Words } from '../../../widget/words/en.ts'

const OTHERS = (await Promise.all(LANGUAGES.map((lang) => loadWords(lang)))).flatMap((words) =>
  words && words !== en ? [words] : [],
)

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

test('every reason that the server knows has words, but unknown, for which the general ones stand', () => {
  expect([...Object.keys(en.reason), 'unknown']).toEqual(FAILURE_REASONS)
})

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

test.each(OTHERS)('every amount that an English sentence names is named in $language', (words) => {
  const placeholders = (text: string) => [...text.matchAll(/{\w+}/g)].map(([name]) => name).toSorted()
  for (const [name, [, detail]] of Object.entries(en.sentence)) {
    const other = Object.entries(words.sentence).find(([key]) => key === name)?.[1][1] ?? ''
    expect({ name, placeholders: placeholders(other) }).toEqual({ name, placeholders: placeholders(detail) })
  }
})

/** Matches the secret of a mobile money account. */
const SECRET = /PIN\b|code secret|الرقم السري/

test.each(OTHERS)('$language names the PIN in the same texts as English', (words) => {
  const naming = (texts: readonly string[]) => texts.map((text) => SECRET.test(text))
  for (const part of ['sentence', 'reason', 'prompt'] as const) {
    expect({ part, textsByName: textsByName(words[part]).map(naming) }).toEqual({
      part,
      textsByName: textsByName(en[part]).map(naming),
    })
  }
})

/** Returns the texts of each name, in the order of the names. */
function textsByName(part: Words['sentence' | 'reason' | 'prompt']): (readonly string[])[] {
  return Object.entries(part)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, texts]) => [texts].flat())
}

test.each(OTHERS)('nothing in $language is left in English', (words) => {
  expect(allTexts(words).filter((text) => allTexts(en).includes(text))).toEqual([])
})

function allTexts(words: Words): string[] {
  const within = (part: object | string): string[] =>
    typeof part === 'string' ? [part] : Object.values(part).flatMap(within)
  return within({ ...words, language: '', dir: '' }).filter((text) => text !== '')
}

test('in French, no line begins with a punctuation mark: the space before it does not break', async () => {
  const texts = allTexts((await loadWords('fr')) ?? en)
  expect(texts.filter((text) => /[^\u00a0][?!:;»]/.test(text))).toEqual([])
})

test.each([
  ['fr', /^Numéro/, ['Copié', 'Non copié']],
  ['pt', /^Número/, ['Copiado', 'Não copiado']],
])('in %s, what is said of a copied number has the gender of the number', async (lang, label, said) => {
  const { receiptNumber, receipt } = (await loadWords(lang)) ?? en
  expect(receiptNumber).toMatch(label)
  expect([receipt.copied, receipt.notCopied]).toEqual(said)
})

test('amounts stay exact, however long', () => {
  expect(plain(formatMoney('90071992547409931.25', 'KES', 'en'))).toBe('KES 90,071,992,547,409,931.25')
})

test('the language counts, not the region, and what has no words is English', async () => {
  const found = await Promise.all(
    ['sw-TZ', 'SW', 'fr-SN', 'pt-MZ', 'ar-EG', 'en-KE', 'de', 'constructor', ''].map((lang) =>
      loadWords(lang),
    ),
  )
  expect(found.map((words) => words?.language)).toEqual('sw sw fr pt ar en en en en'.split(' '))
})

test('a server may be written as people write it', () => {
  expect(serverBase('https://pay.test/', 'https://shop.test/a')).toBe('https://pay.test')
  expect(serverBase('/pay/', 'https://shop.test/a')).toBe('https://shop.test/pay')
  expect(serverBase('javascript:alert(1)', 'https://shop.test/a')).toBeNull()
  for (const frame of ['about:srcdoc', 'blob:https://shop.test/4d7a']) {
    expect(serverBase('/pay', frame)).toBeNull()
    expect(serverBase('https://pay.test', frame)).toBe('https://pay.test')
  }
})

test.each([
  ['', 'https://shop.test/cart?a=1#/orders/7', 'https://shop.test/cart?a=1#/orders/7'],
  ['', `https://shop.test/cart?fbclid=${'x'.repeat(2_000)}`, 'https://shop.test/cart'],
  ['/thanks', 'https://shop.test/cart#top', 'https://shop.test/thanks'],
  ['#/orders/7', 'https://shop.test/cart#top', 'https://shop.test/cart#/orders/7'],
  ['', 'capacitor://localhost/cart', 'capacitor://localhost/cart'],
  ['', 'about:srcdoc', ''],
  ['', 'blob:https://shop.test/4d7a', ''],
])('with return-url="%s", the shopper comes back from %s to %s', (given, page, url) => {
  expect(returnAddress(given, page)).toBe(url)
})

test('no language says that nothing was charged, in any sentence', () => {
  const CHARGED = /charge|debit|débit|cobra|deduct|prélev|katwa|toz(wa|o)|خصم|سحب/i
  const NEVER_MADE = /no payment was made|aucun paiement n’a été|não houve|yaliyofanyika|لم يحدث/i
  for (const language of [en, ...OTHERS]) {
    const texts = JSON.stringify({ ...language, overlay: null })
    expect(texts).not.toMatch(CHARGED)
    expect(texts).not.toMatch(NEVER_MADE)
  }
})

test('the first file says the same words as the one that follows', async () => {
  for (const [lang, { dir, pay, checking }] of Object.entries(FIRST_WORDS)) {
    expect(await loadWords(lang)).toMatchObject({ dir, pay, sentence: { checking } })
  }
})
