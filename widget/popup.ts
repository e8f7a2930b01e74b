/** Opens and closes the pop-up window with the gateway's hosted page. */

export class Popup {
  #popup: Window | null = null

  /**
   * Whether the pop-up is open. A hosted page with `Cross-Origin-Opener-Policy` looks closed to its opener, so the
   * value is also `false` while the pop-up shows such a page.
   */
  get isOpen(): boolean {
    return this.#popup !== null && !this.#popup.closed
  }

  /**
   * Opens a pop-up and closes the previous one. Browsers allow a pop-up only inside a click and before any `await`. The
   * pop-up may therefore open before its URL is known; it then shows only a text until `navigate` sets the URL.
   *
   * @param url The URL to open; empty if it is not known yet.
   * @returns `blocked` if the browser did not open the pop-up.
   */
  open(window: Window, url: string, waitingText: string): 'open' | 'blocked' {
    this.close()
    const popup = (this.#popup = window.open(url, '_blank', 'popup,width=480,height=740'))
    try {
      if (popup && !url) Object.assign(popup.document.body, { dir: 'auto', textContent: waitingText })
    } catch {
      // In a sandboxed frame without an origin, writing into the pop-up fails, and the pop-up stays empty.
    }
    return popup ? 'open' : 'blocked'
  }

  navigate(url: string): void {
    if (this.isOpen) this.#popup?.location.replace(url)
  }

  focus(): void {
    this.#popup?.focus()
  }

  close(): void {
    this.#popup?.close()
  }
}

/**
 * Returns whether the hosted page opens in a pop-up: by default on a wide screen with a mouse. Phones, and apps that
 * suppress pop-ups, open it in the same window.
 *
 * @param launch The value of the `launch` attribute.
 */
export function prefersPopup(launch: string, window: Window): boolean {
  const isDesktop = window.matchMedia('(pointer: fine) and (min-width: 768px)').matches
  return launch === 'popup' || (launch !== 'redirect' && isDesktop)
}
