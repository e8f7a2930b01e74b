/** Renders the element. The idle state has few nodes, so that a page with many elements stays fast. */

import { html, nothing } from 'lit'
import { describeSession } from '../sentence.ts'
import { stateOf } from '../session/state.ts'
import { buttonText, isQuiet, operatorChoice, pageLink } from './action.ts'
import { announced, facts } from './card.ts'
import { detailsForm } from './details-form.ts'
import { terms } from './terms.ts'

import type { RenderContext } from './render-context.ts'

/**
 * Renders the element in every state.
 *
 * The status node always exists, because a live region announces only changes inside the region. All states share one
 * button, which keeps the focus while its text changes. The status can take the focus only in states without a button
 * or link. In other states, a focusable status would take the focus instead of the button, because the shadow root
 * delegates the focus to its first focusable node.
 */
export function checkoutTemplate(context: RenderContext) {
  const { session, words, label, disabled, start, payOnPage } = context
  const state = stateOf(session)
  const said = describeSession(session, words)
  const isSaid = said[0] !== ''
  // While the checkout starts, the button shows this, and only screen readers get the sentence.
  const isCard = isSaid && state !== 'starting'
  const text = buttonText(context)
  // The merchant's label stays while the checkout starts.
  const isLabelled = state === 'idle' || state === 'starting'
  const isAllThere = isSaid && !text && state !== 'blocked'
  return html`<div part="base" class="base" lang=${words.language} dir=${words.dir}>
    <div class=${isCard || state === 'details' ? 'card' : nothing}>
      <div part="status ${state}" role="status" aria-atomic="false" tabindex=${isAllThere ? -1 : nothing}>
        ${isSaid ? announced(said, context) : ''}
      </div>
      ${isCard ? facts(context) : ''} ${operatorChoice(context)}
      ${session.at === 'details' ? detailsForm(session, context) : state === 'blocked' ? pageLink(context) : ''}
      <button
        part="button"
        class=${isQuiet(session) ? 'quiet' : nothing}
        ?hidden=${!text}
        ?disabled=${disabled}
        aria-busy=${state === 'starting' || nothing}
        @click=${start}
      >
        <slot part="label" name=${isLabelled ? 'label' : 'no-label'}>${(isLabelled && label) || text}</slot>
      </button>
      ${payOnPage ? html`<button @click=${payOnPage}>${words.otherWay}</button>` : ''}
    </div>
    ${isLabelled || state === 'details' ? terms(context) : ''}
    <slot name="footer"></slot>
  </div>`
}
