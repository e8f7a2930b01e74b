/** The one thing to do next, if there is one. */

import { html } from 'lit'
import { mayBegin, payableAt, stateOf } from '../session/state.ts'

import type { Scene } from './scene.ts'

/**
 * One button through all states, so that focus stays where it is while its words change. A link of the shopper's
 * own is never blocked; it keeps its opener, so that the page it comes back to can say that it is done.
 */
export function action(scene: Scene) {
  const { session, words, label, isDisabled, press } = scene
  const state = stateOf(session)
  if (state === 'blocked')
    return html`<a part="button" href=${payableAt(session)} target="_blank" rel="opener"
      >${words.openPage}</a
    >`
  const text = buttonText(scene)
  return (
    text &&
    html`<button part="button" ?disabled=${isDisabled} aria-busy=${state === 'starting'} @click=${press}>
      <span part="label">${state === 'idle' ? html`<slot name="label">${label || text}</slot>` : text}</span>
    </button>`
  )
}

/** What the button says; nothing when there is nothing to do but wait. */
function buttonText({ session, words }: Scene): string {
  if (session.at === 'idle' || session.at === 'starting') return words.pay
  if (mayBegin(session)) return words.retry
  return payableAt(session) ? words.openPage : ''
}
