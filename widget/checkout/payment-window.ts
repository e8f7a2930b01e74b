/** Opens the hosted page in this window or in a pop-up, as `button/launch.ts` decides, and keeps hold of the pop-up. */

import { prefersPopup } from '../button/launch.ts'
import { openPopup, writeInto } from '../button/popup.ts'

import type { ElementHost } from '../button/element-host.ts'
import type { Waiting } from '../button/popup.ts'
import type { HostedPage } from '../state/state.ts'
import type { LanguageController } from './language-controller.ts'

export class PaymentWindow {
  readonly #host: ElementHost
  readonly #language: LanguageController
  #popup: Window | null = null

  constructor(host: ElementHost, language: LanguageController) {
    this.#host = host
    this.#language = language
  }

  /**
   * Whether the pop-up seems open. If the hosted page sends `Cross-Origin-Opener-Policy`, an open pop-up seems closed.
   */
  get isOpen(): boolean {
    return this.#popup?.closed === false
  }

  focus(): void {
    this.#popup?.focus()
  }

  close(): void {
    this.#popup?.close()
  }

  /**
   * Takes over the pop-up of a press, whose URL is not known yet, and closes the previous pop-up.
   *
   * @param popup `null` if the browser blocked the pop-up, `undefined` if none is wanted.
   */
  take(popup: Window | null | undefined): HostedPage {
    if (popup === undefined) {
      return 'none'
    }

    this.close()
    this.#popup = popup
    if (popup === null) {
      return 'blocked'
    }

    try {
      writeInto(popup, this.#waiting)
    } catch {
      // A sandboxed frame without an origin cannot write into the pop-up: it stays empty.
    }
    return 'open'
  }

  /** Opens a pop-up if one is wanted. Outside a press, a browser may block it. */
  open(): HostedPage {
    const { element, environment } = this.#host
    const { window } = environment
    return prefersPopup(element.launch, window) ? this.take(openPopup(window, this.#waiting)) : 'none'
  }

  /**
   * Opens the hosted page at `url`, in this window if `page` is `none`, otherwise in the pop-up. If `url` is `null`,
   * closes the pop-up.
   */
  show(url: string | null, page: HostedPage): void {
    if (url === null) {
      this.close()
    } else if (page === 'none') {
      this.#host.environment.window.location.assign(url)
    } else {
      this.#navigate(url)
    }
  }

  /**
   * Loads the hosted page in the pop-up. The pop-up's `opener` is removed, so that the hosted page cannot navigate this
   * page.
   */
  #navigate(url: string): void {
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

  /** What a pop-up shows until the URL of the hosted page is known. */
  get #waiting(): Waiting {
    const idle = this.#host.idleLook()
    const { language, sentence } = this.#language.words
    return language === idle.language ? { ...idle, text: sentence.starting[0] } : idle
  }
}
