/** Renders the element. The idle state has few nodes, so that a page with many elements stays fast. */

import { html, nothing } from 'lit'
import { describeSession } from '../sentence.ts'
import { stateOf } from '../session/state.ts'
import { buttonText, pageLink } from './action.ts'
import { announced, facts } from './card.ts'
import { detailsForm } from './details-form.ts'

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
  const { session, words, label, disabled, start } = context
  const state = stateOf(session)
  const said = describeSession(session, words)
  const isSaid = said[0] !== ''
  const text = buttonText(context)
  // The merchant's label stays while the checkout starts.
  const isLabelled = state === 'idle' || state === 'starting'
  const isAllThere = isSaid && !text && state !== 'blocked'
  return html`<div part="base" class="base" lang=${words.language} dir=${words.dir}>
    <div class=${isSaid ? 'card' : nothing}>
      <div part="status ${state}" role="status" aria-atomic="false" tabindex=${isAllThere ? -1 : nothing}>
        ${isSaid ? announced(said, context) : ''}
      </div>
      ${isSaid ? facts(context) : ''}
    </div>
    ${session.at === 'details' ? detailsForm(session, context) : state === 'blocked' ? pageLink(context) : ''}
    <button
      part="button"
      ?hidden=${!text}
      ?disabled=${disabled}
      aria-busy=${state === 'starting' || nothing}
      @click=${start}
    >
      <slot part="label" name=${isLabelled ? 'label' : 'no-label'}>${(isLabelled && label) || text}</slot>
    </button>
    <slot name="footer"></slot>
  </div>`
}
