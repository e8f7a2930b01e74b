/** Draws every state but the idle one. */

import { write } from '../button.ts'
import { html, render } from '../lit.ts'
import { describeSession } from '../sentence.ts'
import { isPrompted, stateOf, viewOf } from '../session/state.ts'
import { buttonText, isQuiet, pageLink, promptChoice } from './action.ts'
import { announced, facts } from './card.ts'
import { detailsForm } from './details-form.ts'
import { phoneCode } from './phone-code.ts'

import type { Frame, Look } from '../button.ts'
import type { RenderContext } from './render-context.ts'

/**
 * Renders what stands in the status, before the button and after the button. Returns what the frame shows.
 *
 * @param idle What the frame shows without a checkout.
 */
export function drawCheckout(
  { card, status, button, label }: Frame,
  idle: Look,
  context: RenderContext,
): Look {
  const { session, words, payOnPage, window, now } = context
  const state = stateOf(session)
  const said = describeSession(session, words, now)
  const isSaid = said[0] !== ''
  // While the checkout starts, the button shows this, and only screen readers get the sentence.
  const isCard = isSaid && state !== 'starting'
  render(isSaid ? announced(said, context) : '', status)
  const shown = html`${isCard ? facts(context) : ''} ${promptChoice(context)}
  ${session.at === 'details' ? detailsForm(session, context) : state === 'blocked' ? pageLink(context) : ''}`
  render(shown, card, { renderBefore: button })
  const otherWay = payOnPage ? html`<button @click=${payOnPage}>${words.otherWay}</button>` : ''
  render(html`${otherWay} ${phoneCode(context)}`, card)
  const isStarting = state === 'idle' || state === 'starting'
  const text = isStarting ? idle.text : buttonText(session, words)
  write(card, 'class', (isCard || state === 'details') && 'card')
  // The page's own label stays while the checkout starts.
  write(label, 'name', isStarting ? 'label' : 'no-label')
  const isPhone = isPrompted(viewOf(session))
  write(status, 'class', isPhone && 'phone')
  write(button, 'class', isPhone ? 'plain' : isQuiet(session, window.navigator.onLine) && 'quiet')
  // In states with a button or link, a focusable status would take the focus instead of the button, because the shadow
  // root delegates the focus to its first focusable node.
  write(status, 'tabindex', isSaid && !text && state !== 'blocked' && '-1')
  if (isStarting) return { ...idle, state, isBusy: state === 'starting' }
  const { language, dir } = words
  return { ...idle, state, language, dir, text, terms: '' }
}
