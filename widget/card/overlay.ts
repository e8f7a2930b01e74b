/**
 * The overlay: while the pop-up is open, a modal dialog dims the page and leads back to the pop-up. The element
 * downloads this module with the first pop-up of a tag with the attribute `overlay`.
 *
 * This module imports no other module of the element, so that its built file stays unchanged between versions.
 */

import styles from './overlay.css?inline'

import type { styleSheet } from '../button/style-sheets.ts'
import type { Words } from '../words/en.ts'
import type { html, render } from './lit.ts'

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
  /** Called when the shopper has closed the dialog, by its button or by Escape. */
  leave: () => void
}

/** The element's functions that this module needs: it imports nothing. */
export interface OverlayTools {
  html: typeof html
  render: typeof render
  styleSheet: typeof styleSheet
}

let adoptStyles: ReturnType<typeof styleSheet> | undefined

/** Opens the dialog, or updates an open one. */
export function openDialog(root: ShadowRoot, tools: OverlayTools, content: OverlayContent): void {
  adoptStyles ??= tools.styleSheet(styles)
  adoptStyles(root)
  const base = root.querySelector<HTMLElement>('.base')
  if (!base) {
    return
  }

  const { html, render } = tools
  const { words, amount, face, payee, detail, stale, ending, show, leave } = content
  const close = () => base.querySelector('dialog')?.close()
  const remove = ({ currentTarget }: Event & { currentTarget: HTMLElement }) => {
    // A dialog that the element closes is gone before the event.
    if (currentTarget.isConnected) {
      render('', base)
      leave()
    }
  }

  // While a modal dialog is open, only what is inside it is announced. `aria-atomic`: only the line that has changed.
  const shown = html`<dialog part="overlay" aria-labelledby="overlay-title" @close=${remove}>
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
  render(shown, base)
  const dialog = base.querySelector('dialog')
  if (!dialog?.open) {
    dialog?.showModal()
  }
}

/** Closes the dialog, if there is one; the browser returns the focus to where it was. */
export function closeDialog(root: ShadowRoot, { render }: OverlayTools): void {
  const base = root.querySelector<HTMLElement>('.base')
  const dialog = base?.querySelector('dialog')
  if (base && dialog) {
    dialog.close()
    render('', base)
  }
}
