/**
 * The whole element in one template, so that a page of many tags is drawn quickly. What has little to say (the tag
 * that nobody pressed yet) makes few nodes.
 */

import { html, nothing } from 'lit'
import { describeSession } from '../sentence.ts'
import { stateOf } from '../session/state.ts'
import { buttonText, pageLink } from './action.ts'
import { facts, spoken } from './card.ts'
import { detailsForm } from './details-form.ts'

import type { RenderContext } from './render-context.ts'

/**
 * The status is always on the page, because a live region speaks only of what changes inside it; it is empty
 * while the button or the form says everything. One button through all states, so that focus stays where it is
 * while its words change. Where nothing is left to start, the status can take the focus, and only there: a tag that
 * is focused gives it to what comes first.
 */
export function checkoutTemplate(context: RenderContext) {
  const { session, words, label, disabled, start } = context
  const state = stateOf(session)
  const said = describeSession(session, words)
  const isSaid = said[0] !== ''
  const text = buttonText(context)
  // The shop's word for it stays while what was pressed is being done.
  const isLabelled = state === 'idle' || state === 'starting'
  const isAllThere = isSaid && !text && state !== 'blocked'
  return html`<div part="base" class="base" lang=${words.language} dir=${words.dir}>
    <div class=${isSaid ? 'card' : nothing}>
      <div part="status ${state}" role="status" aria-atomic="false" tabindex=${isAllThere ? -1 : nothing}>
        ${isSaid ? spoken(said, context) : ''}
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
