/** Downloads the buttons of the receipt. If the download fails, the receipt has no buttons. */

import { hasReceipt, viewOf } from './session/state.ts'

import type { Words } from './locales/en.ts'
import type { Session } from './session/state.ts'

/**
 * @param words Read when the buttons arrive: imports may end in another order than they began, and the words of
 *   another language may have arrived meanwhile.
 */
export function loadReceiptButtons(
  root: HTMLElement | DocumentFragment,
  session: Session,
  words: () => Words,
): void {
  const view = viewOf(session)
  if (!hasReceipt(view)) return
  import('./receipt.ts').then(
    ({ addReceiptButtons }) => addReceiptButtons(root, view, words()),
    () => {},
  )
}
