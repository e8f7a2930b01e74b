/** Renders the element's next action: the button's text, or a link. */

import { html } from 'lit'
import { mayStart, payUrl, stateOf, viewOf } from '../session/state.ts'

import type { RenderContext } from './render-context.ts'

/**
 * Renders a link to the hosted page, for use after the browser blocked the pop-up. `noopener` prevents the hosted page
 * from navigating the merchant's page.
 */
export function pageLink({ session, words }: RenderContext) {
  const url = payUrl(viewOf(session))
  return html`<a part="button" href=${url} target="_blank" rel="noopener">${words.openPage}</a>`
}

/**
 * Returns the button's text; empty if the form or a link replaces the button, or if the shopper can neither pay nor try
 * again.
 */
export function buttonText({ session, words }: RenderContext): string {
  if (session.at === 'idle' || session.at === 'starting') return words.pay
  if (session.at === 'details' || stateOf(session) === 'blocked') return ''
  if (mayStart(session)) return words.retry
  return payUrl(viewOf(session)) ? words.openPage : ''
}
