/** The one thing to do next, if there is one. */

import { html } from 'lit'
import { mayStart, payUrl, stateOf, viewOf } from '../session/state.ts'

import type { RenderContext } from './render-context.ts'

/**
 * A link of the shopper's own is never blocked; it keeps its opener, so that the page it comes back to can say that
 * it is done.
 */
export function pageLink({ session, words }: RenderContext) {
  const url = payUrl(viewOf(session))
  return html`<a part="button" href=${url} target="_blank" rel="opener">${words.openPage}</a>`
}

/** What the button says; nothing when there is nothing to start but what stands above it, or nothing but to wait. */
export function buttonText({ session, words }: RenderContext): string {
  if (session.at === 'idle' || session.at === 'starting') return words.pay
  if (session.at === 'details' || stateOf(session) === 'blocked') return ''
  if (mayStart(session)) return words.retry
  return payUrl(viewOf(session)) ? words.openPage : ''
}
