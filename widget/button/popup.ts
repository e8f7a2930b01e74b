/**
 * Opens and closes the pop-up window with the gateway's hosted page. Whether there is one is decided in
 * `button/launch.ts`, and what a blocked or closed one means for the element in `state/state.ts`.
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

function writeInto(popup: Window, { language: lang, dir, text }: Waiting): void {
  const { document } = popup
  Object.assign(document.documentElement, { lang, dir })
  document.title = document.body.textContent = text
  popup.name = POPUP
}

export class Popup {
  #popup: Window | null = null

  /**
   * Whether the pop-up seems open. If the hosted page sends `Cross-Origin-Opener-Policy`, an open pop-up seems closed.
   */
  get isOpen(): boolean {
    return this.#popup?.closed === false
  }

  /**
   * Takes over a pop-up whose URL is not known yet, and closes the previous pop-up.
   *
   * @param popup `null` if the browser did not open the pop-up.
   */
  take(popup: Window | null, waiting: Waiting): 'open' | 'blocked' {
    this.close()
    this.#popup = popup
    if (popup === null) {
      return 'blocked'
    }

    try {
      writeInto(popup, waiting)
    } catch {
      // In a sandboxed frame, as above.
    }
    return 'open'
  }

  /**
   * Loads the hosted page in the pop-up. The pop-up's `opener` is removed, so that the hosted page cannot navigate this
   * page.
   */
  navigate(url: string): void {
    if (this.isOpen) {
      this.#popup?.location.replace(url)
    }

    try {
      // A sandboxed frame may navigate a pop-up only while it is the opener, so the opener is removed after the call.
      // The hosted page cannot load before this task ends.
      if (this.#popup) {
        this.#popup.opener = null
      }
    } catch {
      // In a sandboxed frame without an origin, the pop-up is sandboxed, too, and cannot navigate other windows.
    }
  }

  focus(): void {
    this.#popup?.focus()
  }

  close(): void {
    this.#popup?.close()
  }
}
