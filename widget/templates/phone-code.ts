/** Renders what the shopper opens to pay with a phone: a code with the hosted page's address. */

import { html } from '../lit.ts'
import { isPrompted, payUrl, stateOf, viewOf } from '../session/state.ts'

import type { Words } from '../locales/en.ts'
import type { Session } from '../session/state.ts'
import type { RenderContext } from './render-context.ts'

/** Renders a closed disclosure on a desktop, while the shopper has not tried to pay yet. */
export function phoneCode({ session, words, window, redraw }: RenderContext) {
  const view = viewOf(session)
  // As in `popup.ts`, whose pop-up a frame opens on a phone as well.
  if (!window.matchMedia('(pointer: fine) and (min-width: 768px)').matches) return ''
  if (payUrl(view) === null || isPrompted(view)) return ''
  if (!/^(waiting|blocked)$/.test(stateOf(session))) return ''
  return html`<details part="phone" @toggle=${redraw}>
    <summary .textContent=${words.phone.open}></summary>
    <p class="soft" .textContent=${words.phone.scan}></p>
    <div class="code"></div>
  </details>`
}

/**
 * Downloads and draws the code when the shopper has opened the disclosure. If the download fails, closes the
 * disclosure: the shopper can open it again, or pay on this device.
 *
 * @param words Read when the module has arrived: the words of another language may have arrived meanwhile.
 */
export function loadCode(root: ParentNode, session: Session, words: () => Words): void {
  const disclosure = root.querySelector('details')
  const place = disclosure?.querySelector('.code')
  const url = payUrl(viewOf(session))
  if (!disclosure?.open || !place || url === null) return
  import('../qr-code.ts').then(
    ({ drawCode }) => drawCode(place, url, words().phone),
    () => (disclosure.open = false),
  )
}
