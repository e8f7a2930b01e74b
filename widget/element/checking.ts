/**
 * Draws the card of a shopper who may have paid, before the first view of the checkout and without the second file: never
 * a button that pays.
 */

import { idleLook, languageOf, offeredAmount } from './idle-look.ts'

import type { Frame, Look } from './button.ts'
import type { ElementHost } from './element-host.ts'
import type { Language } from '../words/languages.ts'

/** `sentence.checking` in every language, as in `words/`, and the word for loading the page again. */
export const CHECKING: Readonly<Record<Language, readonly [title: string, detail: string, reload: string]>> =
  {
    en: ['Checking your payment', 'Please do not pay again.', 'Reload'],
    ar: ['جارٍ التحقق من الدفع', 'يرجى عدم الدفع مرة أخرى.', 'إعادة التحميل'],
    fr: ['Vérification du paiement', 'Ne payez pas à nouveau.', 'Actualiser'],
    pt: ['A verificar o seu pagamento', 'Não pague de novo.', 'Atualizar'],
    sw: ['Tunaangalia malipo yako', 'Tafadhali usilipe tena.', 'Pakia upya'],
  }

/** @param isLost Whether the second file cannot be had: the page may be loaded again, which pays nothing. */
export function drawChecking(host: ElementHost, frame: Frame, isLost: boolean): Look {
  const { element, lit } = host
  const language = languageOf(host)
  const [, , reload] = CHECKING[language]
  const [title, detail] = element.words?.[language]?.sentence?.checking ?? CHECKING[language]
  const amount = offeredAmount(element.amount, language).replaceAll('\u00a0', ' ')
  lit.render(lit.skeleton({ icon: 'M3 5h18v14H3zM3 9h18', title, detail, amount }), frame.status)
  frame.card.className = 'card'
  // The page's own label says "Buy".
  frame.label.name = 'no-label'
  return { ...idleLook(host, 'waiting', false), text: isLost ? reload : '', terms: '' }
}

/** Makes room for the button again: the checkout is not the order's. */
export function clearChecking({ lit }: ElementHost, { card, status, label }: Frame): void {
  lit.render('', status)
  card.className = ''
  label.name = 'label'
}
