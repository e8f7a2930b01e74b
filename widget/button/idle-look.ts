/**
 * Describes what the element shows without a view of a checkout, also before the second file has arrived: the button's
 * word, and how much the page says is paid, to whom; or the card of a shopper who may have paid, never with a button
 * that pays. The payment server never gets these terms, and they disappear once it has reported its own.
 */

import { formatMoneyIn } from '../state/money.ts'
import { isDisabled, langOf } from './checkout-settings.ts'
import { drawContent } from './skeleton.ts'

import type { Sentence } from '../words/en.ts'
import type { Language } from '../words/languages.ts'
import type { ElementHost } from './element-host.ts'
import type { Frame, Look } from './frame.ts'

/** Returns what the element shows without a checkout. */
export function idleLook(host: ElementHost): Look {
  const { element } = host
  const { words, amount, label, payee, methods } = element
  const language = languageOf(host)
  const pay = words?.[language]?.pay ?? FIRST_WORDS[language].pay
  const offered = offeredAmount(amount, language)
  return {
    state: 'idle',
    isBusy: false,
    isDisabled: isDisabled(element),
    language,
    dir: language === 'ar' ? 'rtl' : 'ltr',
    text: label || [pay, offered].filter(Boolean).join(' '),
    terms: termsText(label && offered, payee, methods),
  }
}

/**
 * Draws the card of a shopper who may have paid, before the first view of the checkout and without the second file.
 *
 * @param isLost Whether the second file cannot be had: the page may be loaded again, which pays nothing.
 */
export function drawChecking(host: ElementHost, frame: Frame, isLost: boolean): Look {
  const { element } = host
  const language = languageOf(host)
  const { reload, checking } = FIRST_WORDS[language]
  const [title, detail] = element.words?.[language]?.sentence?.checking ?? checking
  const amount = offeredAmount(element.amount, language).replaceAll('\u00a0', ' ')
  // The icon is that of `waiting` in `../words/glyphs.ts`, which the second file has.
  drawContent(frame.status, { icon: 'M3 5h18v14H3zM3 9h18', title, detail, amount })
  frame.card.className = 'middle card'
  // The page's own label says "Buy".
  frame.label.name = 'no-label'
  return { ...idleLook(host), state: 'waiting', text: isLost ? reload : '', terms: '' }
}

/** Makes room for the button again: the checkout is not the order's. */
export function clearChecking({ card, status, label }: Frame): void {
  drawContent(status, null)
  card.className = ''
  label.name = 'label'
}

/**
 * What the first file says; `reload` is the word for loading the page again. The others are as in `words/`, so that
 * nothing changes when the other words arrive.
 */
export const FIRST_WORDS: Readonly<Record<Language, { pay: string; reload: string; checking: Sentence }>> = {
  en: { pay: 'Pay', reload: 'Reload', checking: ['Checking your payment', 'Please do not pay again.'] },
  ar: { pay: 'ادفع', reload: 'إعادة التحميل', checking: ['جارٍ التحقق من الدفع', 'يرجى عدم الدفع مرة أخرى.'] },
  fr: {
    pay: 'Payer',
    reload: 'Actualiser',
    checking: ['Vérification du paiement', 'Ne payez pas à nouveau.'],
  },
  pt: { pay: 'Pagar', reload: 'Atualizar', checking: ['A verificar o seu pagamento', 'Não pague de novo.'] },
  sw: { pay: 'Lipa', reload: 'Pakia upya', checking: ['Tunaangalia malipo yako', 'Tafadhali usilipe tena.'] },
}

/** Returns the language in which the element speaks. */
function languageOf({ element, environment }: ElementHost): Language {
  const [tag = ''] = langOf(element, environment).toLowerCase().split('-')
  return isSupported(tag) ? tag : 'en'
}

function isSupported(text: string): text is Language {
  return Object.hasOwn(FIRST_WORDS, text)
}

/** Returns the attribute `amount` in a language if it is like "KES 1500.50", and unchanged otherwise. */
export function offeredAmount(amount: string, language: string): string {
  return amount.replace(/^([A-Z]{3}) (\d{1,18}(\.\d{1,12})?)$/, (_, currency: string, number: string) =>
    formatMoneyIn(language, number, currency),
  )
}

/**
 * Returns the terms as one text; empty texts are left out. A mark (U+200F) ends the run of Latin
 * letters: in Arabic text, a Latin payee would otherwise stand between the number and its currency.
 */
export function termsText(...terms: readonly string[]): string {
  return terms.filter(Boolean).join(' · \u200f')
}
