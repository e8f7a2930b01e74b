/**
 * The card of a shopper who may have paid, before the first view of the checkout and without the second file. It never
 * has a button that pays.
 */

import { FIRST_WORDS } from '../words/first-words.ts'
import { drawContent } from './card-content.ts'
import { idleLook, languageOf, offeredAmount } from './idle-look.ts'

import type { ElementHost } from './element-host.ts'
import type { Frame, Look } from './frame.ts'

/**
 * Draws the card.
 *
 * @param isLost Whether the second file cannot be had: the page may be loaded again, which pays nothing, and the shop
 *   may be asked.
 */
export function drawChecking(host: ElementHost, frame: Frame, isLost: boolean): Look {
  const { element } = host
  const language = languageOf(host)
  const { reload, checking } = FIRST_WORDS[language]
  const [title, detail] = element.words?.[language]?.sentence?.checking ?? checking
  const amount = offeredAmount(element.amount, language).replaceAll('\u00a0', ' ')
  // As text: links need the second file. Without the mark, Arabic text reverses the groups of a phone number.
  const note = isLost ? element.help.replaceAll(/\w+:\/*/g, '\u200e') : ''
  // The icon is that of `waiting` in `../words/glyphs.ts`, which the second file has.
  drawContent(frame.status, { icon: 'M3 5h18v14H3zM3 9h18', title, detail, note, amount })
  frame.card.className = isLost ? 'middle card' : 'middle card tall'
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
