/** The pop-up window with the gateway's hosted page. */

export class Popup {
  #popup: Window | null = null

  /** Also `false` for an open hosted page with `Cross-Origin-Opener-Policy`, which looks closed to its opener. */
  get isOpen(): boolean {
    return this.#popup !== null && !this.#popup.closed
  }

  /**
   * Opens a pop-up and closes the previous one. Browsers allow a pop-up only inside a click and before any `await`, so
   * the pop-up may open before its URL is known, with only a text; `navigate` sets the URL later.
   *
   * @param url Empty if the URL is not known yet.
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
 * Whether the hosted page opens in a pop-up: by default on a wide screen with a mouse. Phones, and apps that suppress
 * pop-ups, open it in the same window.
 *
 * @param launch The value of the `launch` attribute.
 */
export function prefersPopup(launch: string, window: Window): boolean {
  const isDesktop = window.matchMedia('(pointer: fine) and (min-width: 768px)').matches
  return launch === 'popup' || (launch !== 'redirect' && isDesktop)
}
