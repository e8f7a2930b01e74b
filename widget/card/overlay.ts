/**
 * The overlay: while the pop-up is open, a modal dialog dims the page and leads back to the pop-up. The element
 * downloads this module with the first pop-up of a tag with the attribute `overlay`.
 *
 * This module imports no other module of the element, so that its built file stays unchanged between versions.
 */

export { default as styles } from './overlay.css?inline'

import type { Words } from '../words/en.ts'
import type { html as Html } from './lit.ts'

export interface OverlayContent {
  words: Words['overlay']
  amount: string
  /** Logo or first letter of the payee; empty text if there is no payee. */
  face: unknown
  payee: string
  /** What happens after the payment. */
  detail: string
  /** Says that the status may be out of date; empty text if it is not. */
  stale: string
  /** Says that the time to pay ends soon; empty text if it does not. */
  ending: string
  /** Brings the pop-up to the front. */
  show: () => void
  /** Called when the dialog was closed: by its button, by Escape, or by the element. */
  leave: (event: Event & { currentTarget: HTMLElement }) => void
}

/** @param html Lit's function, given as an argument because this module imports nothing. */
export function overlayDialog(
  html: typeof Html,
  { words, amount, face, payee, detail, stale, ending, show, leave }: OverlayContent,
) {
  const close = ({ currentTarget }: Event & { currentTarget: HTMLElement }) =>
    currentTarget.closest('dialog')?.close()
  // While a modal dialog is open, only what is inside it is announced. `aria-atomic`: only the line that has changed.
  return html`<dialog part="overlay" aria-labelledby="overlay-title" @close=${leave}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 5h18v14H3zM3 9h18" /></svg>
    <h2 id="overlay-title" .textContent=${words.title}></h2>
    <p class="amount" .textContent=${amount}></p>
    <p class="about">
      ${face}<span .textContent=${payee && words.to.replace('{payee}', () => payee)}></span>
    </p>
    <p .textContent=${detail}></p>
    <div role="status" aria-atomic="false">
      <p class="soft" .textContent=${stale}></p>
      <p part="warning" .textContent=${ending}></p>
    </div>
    <button part="button" @click=${show} .textContent=${words.show}></button>
    <button class="plain" @click=${close} .textContent=${words.leave}></button>
  </dialog>`
}
