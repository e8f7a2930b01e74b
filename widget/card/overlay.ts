/**
 * Draws the overlay: while the pop-up is open, a modal dialog dims the page and leads back to the pop-up. The element
 * downloads this module with the first pop-up of a tag with the attribute `overlay`.
 *
 * This module imports no other module of the element, so that its built file stays unchanged between versions.
 */

export { default as styles } from './overlay.css?inline'

import type { Words } from '../words/en.ts'

export interface OverlayContent {
  words: Words['overlay']
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

const SVG = 'http://www.w3.org/2000/svg'
/** The icon of a window. */
const WINDOW = 'M3 5h18v14H3zM3 9h18'

/** Opens the overlay in the shadow root, or updates the text of an open overlay. */
export function openOverlay(
  root: ShadowRoot,
  { words, detail, stale, ending, show, leave }: OverlayContent,
): void {
  const dialog = root.querySelector('dialog') ?? createDialog(root)
  const nodes = dialog.querySelectorAll<HTMLElement>('h2, p, button')
  const texts = [words.title, detail, stale, ending, words.show, words.leave]
  for (const [index, node] of nodes.entries()) write(node, texts[index] ?? '')
  const [showButton, leaveButton] = dialog.querySelectorAll('button')
  if (!showButton || !leaveButton) return
  showButton.onclick = show
  leaveButton.onclick = () => dialog.close()
  // Escape closes the dialog, too.
  dialog.onclose = () => {
    dialog.remove()
    leave()
  }
  if (!dialog.open) dialog.showModal()
}

/** Closes the overlay without a call of `leave`. The browser returns the focus to where it was. */
export function closeOverlay(root: ShadowRoot): void {
  const dialog = root.querySelector('dialog')
  if (dialog === null) return
  dialog.onclose = null
  dialog.close()
  dialog.remove()
}

/**
 * Changes a text only if it is another text: screen readers may announce a text that is written again, and a page
 * translator may have written a translation.
 */
function write(element: HTMLElement, text: string): void {
  if (element.dataset['text'] !== text) element.textContent = element.dataset['text'] = text
}

function createDialog(root: ShadowRoot): HTMLDialogElement {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('part', 'overlay')
  dialog.setAttribute('aria-labelledby', 'overlay-title')
  const icon = dialog.appendChild(document.createElementNS(SVG, 'svg'))
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.setAttribute('aria-hidden', 'true')
  icon.appendChild(document.createElementNS(SVG, 'path')).setAttribute('d', WINDOW)
  const title = document.createElement('h2')
  title.id = 'overlay-title'
  const about = document.createElement('p')
  const news = document.createElement('div')
  // Outside the dialog, nothing is announced while it is open.
  news.setAttribute('role', 'status')
  news.setAttribute('aria-atomic', 'false')
  news.appendChild(document.createElement('p')).className = 'soft'
  news.appendChild(document.createElement('p')).setAttribute('part', 'warning')
  const showButton = document.createElement('button')
  showButton.setAttribute('part', 'button')
  const leaveButton = document.createElement('button')
  leaveButton.className = 'plain'
  dialog.append(title, about, news, showButton, leaveButton)
  ;(root.querySelector('.base') ?? root).append(dialog)
  return dialog
}
