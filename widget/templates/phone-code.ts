/** Renders what the shopper opens to pay with a phone: a code with the hosted page's address. */

import { html } from '../lit.ts'
import { prefersPopup } from '../popup.ts'
import { isPrompted, payUrl, stateOf, viewOf } from '../session/state.ts'

import type { RenderContext } from './render-context.ts'

/** Renders a closed disclosure on a desktop, while the shopper has not tried to pay yet. */
export function phoneCode({ session, words, window, redraw }: RenderContext) {
  const view = viewOf(session)
  if (!prefersPopup('auto', window) || payUrl(view) === null || isPrompted(view)) return ''
  if (!/^(waiting|blocked)$/.test(stateOf(session))) return ''
  return html`<details part="phone" @toggle=${redraw}>
    <summary>${words.phone.open}</summary>
    <p class="soft">${words.phone.scan}</p>
    <div class="code"></div>
  </details>`
}
