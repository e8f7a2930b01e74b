/**
 * Draws the overlay: while the pop-up is open, a modal dialog dims the page and leads back to the pop-up. The element
 * downloads this module with the first pop-up of a tag with the attribute `overlay`.
 *
 * This module imports no other module of the element, so that its built file stays unchanged between versions.
 */

export { default as styles } from './overlay.css?inline'

import type { Words } from '../words/en.ts'
import type { html, render } from './lit.ts'

/** Lit, which this module is given. */
interface Lit {
  html: typeof html
  render: typeof render
}

export interface OverlayContent {
  words: Words['overlay']
  /** Logo or first letter of the payee; empty text if there is no payee. */
  face: unknown
  /** What happens after the payment. */
  detail: string
  /** What the shopper should know meanwhile; empty texts if nothing. */
  stale: string
  ending: string
  /** Brings the pop-up to the front. */
  show: () => void
  /** Called when the shopper closes the overlay. */
  leave: () => void
}

/** Opens the overlay at the end of `base`, or updates the text of an open overlay. */
export function openOverlay(
  { html, render }: Lit,
  base: HTMLElement,
  { words, face, detail, stale, ending, show, leave }: OverlayContent,
): void {
  const dialog = () => base.querySelector('dialog')
  // Escape closes the dialog, too. A dialog that the element closes is gone before the event.
  const left = ({ currentTarget }: Event & { currentTarget: HTMLElement }) => {
    if (!currentTarget.isConnected) return
    render('', base)
    leave()
  }
  // Outside the dialog, nothing is announced while it is open.
  const shown = html`<dialog part="overlay" aria-labelledby="overlay-title" @close=${left}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 5h18v14H3zM3 9h18" /></svg>
    <h2 id="overlay-title" .textContent=${words.title}></h2>
    <p>${face}<span .textContent=${detail}></span></p>
    <div role="status" aria-atomic="false">
      <p class="soft" .textContent=${stale}></p>
      <p part="warning" .textContent=${ending}></p>
    </div>
    <button part="button" @click=${show} .textContent=${words.show}></button>
    <button class="plain" @click=${() => dialog()?.close()} .textContent=${words.leave}></button>
  </dialog>`
  render(shown, base)
  if (!dialog()?.open) dialog()?.showModal()
}

/** Closes the overlay without a call of `leave`. The browser returns the focus to where it was. */
export function closeOverlay({ render }: Lit, base: HTMLElement): void {
  base.querySelector('dialog')?.close()
  render('', base)
}
