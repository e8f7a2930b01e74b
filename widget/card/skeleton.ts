/**
 * The skeleton of every card: icon, title, sentence and amount stand in the same places, and only what they say changes.
 * Both files of the element draw with this one template, so that the second file keeps the nodes that the first has drawn:
 * nothing jumps, and screen readers do not announce it again.
 */

import { html } from 'lit'

/** What a card says. A missing text leaves its line out. */
export interface Said {
  /** One path, drawn with a round pen in a square of 24 units. */
  icon: string
  title: string
  detail: string
  /** A note that what is shown may be out of date. */
  stale?: string
  warning?: string
  amount?: string
}

/** Renders the part of the card whose changes screen readers announce. */
export function skeleton({ icon, title, detail, stale, warning, amount }: Said) {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${icon} /></svg>
    <div class="said">
      <strong .textContent=${title}></strong>
      <p .textContent=${detail}></p>
      <p .textContent=${stale}></p>
      <p part="warning" .textContent=${warning}></p>
    </div>
    <p part="amount" .textContent=${amount}></p>`
}
