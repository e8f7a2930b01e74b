/**
 * Opens the pop-up window for the gateway's hosted page. Whether there is one is decided in `button/launch.ts`, and what
 * a blocked or closed one means for the element in `state/state.ts`. `checkout/payment-window.ts` keeps hold of it.
 */

import type { Look } from './frame.ts'

/** What a pop-up shows until its URL is known. The text is also its title. */
export type Waiting = Pick<Look, 'language' | 'dir' | 'text'>

/**
 * The name of the pop-up, by which a form finds it. It is given after the opening: `open` with a name would take over
 * the pop-up in which the shopper pays for another element.
 */
export const POPUP = 'gateway-checkout'

/**
 * Opens a pop-up. Browsers allow a pop-up only inside a click and before any `await`. Only another window counts that is
 * in no frame.
 *
 * @returns `null` if the browser did not open the pop-up.
 */
export function openPopup(window: Window, waiting: Waiting): Window | null {
  let popup: Window | null = null
  try {
    const opened = window.open('', '_blank', 'popup,width=480,height=740')
    // A content blocker answers with a decoy: an object, a hidden frame, or this page, which must stay as it is.
    if (opened && opened.top === opened && opened !== window.top) {
      popup = opened
      writeInto(popup, waiting)
    }
  } catch {
    // A decoy may throw, and in a sandboxed frame without an origin the pop-up cannot be written into: it stays empty.
  }
  return popup
}

/** Writes what a pop-up shows until its URL is known. Throws in a sandboxed frame without an origin. */
export function writeInto(popup: Window, { language: lang, dir, text }: Waiting): void {
  const { document } = popup
  Object.assign(document.documentElement, { lang, dir })
  document.title = document.body.textContent = text
  popup.name = POPUP
}
