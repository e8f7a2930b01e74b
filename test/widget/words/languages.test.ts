import { expect, test } from 'vitest'

import { FAILURE_REASONS } from '../../../server/contract/failure-reason.ts'
import { LANGUAGES, loadWords } from '../../../widget/words.ts'
import { en } from '../../../widget/words/en.ts'
import { FIRST_WORDS } from '../../../widget/words/first-words.ts'

import type { Words } from '../../../widget/words/en.ts'

const OTHERS = (await Promise.all(LANGUAGES.map((lang) => loadWords(lang)))).flatMap((words) =>
  words && words !== en ? [words] : [],
)

test('every reason that the server knows has words, but unknown, for which the general ones stand', () => {
  expect(Object.keys(en.reason)).toEqual(FAILURE_REASONS.filter((reason) => reason !== 'unknown'))
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

test('in Arabic, no text ends with a name or an amount: its full stop would stand before the last word of a line', async () => {
  const texts = allTexts((await loadWords('ar')) ?? en)
  expect(texts.length).toBeGreaterThan(80)
  expect(texts.filter((text) => /[\w}]\.$/.test(text))).toEqual([])
})

test.each([
  ['fr', /^Numéro/, { copied: 'Copié', notCopied: 'Non copié' }],
  ['pt', /^Número/, { copied: 'Copiado', notCopied: 'Não copiado' }],
])('in %s, what is said of a copied number has the gender of the number', async (lang, label, said) => {
  const { receiptNumber, receipt } = (await loadWords(lang)) ?? en
  expect(receiptNumber).toMatch(label)
  expect(receipt).toMatchObject(said)
})

test('the language counts, not the region, and what has no words is English', async () => {
  const found = await Promise.all(
    ['sw-TZ', 'SW', 'fr-SN', 'pt-MZ', 'ar-EG', 'en-KE', 'de', 'constructor', ''].map((lang) =>
      loadWords(lang),
    ),
  )
  expect(found.map((words) => words?.language)).toEqual('sw sw fr pt ar en en en en'.split(' '))
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
