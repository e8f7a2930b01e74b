/** Opens the hosted page in this window or in a pop-up, as `button/launch.ts` decides, and keeps hold of the pop-up. */

import { prefersPopup } from '../button/launch.ts'
import { openPopup, Popup } from '../button/popup.ts'

import type { ElementHost } from '../button/element-host.ts'
import type { Waiting } from '../button/popup.ts'
import type { HostedPage } from '../state/state.ts'
import type { LanguageController } from './language-controller.ts'

export class PaymentWindow {
  readonly #host: ElementHost
  readonly #language: LanguageController
  readonly #popup = new Popup()

  constructor(host: ElementHost, language: LanguageController) {
    this.#host = host
    this.#language = language
  }

  get isOpen(): boolean {
    return this.#popup.isOpen
  }

  focus(): void {
    this.#popup.focus()
  }

  close(): void {
    this.#popup.close()
  }

  /**
   * Takes over the pop-up of a press.
   *
   * @param popup `null` if the browser blocked the pop-up, `undefined` if none is wanted.
   */
  take(popup: Window | null | undefined): HostedPage {
    return popup === undefined ? 'none' : this.#popup.take(popup, this.#waiting)
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
      this.#popup.close()
    } else if (page === 'none') {
      this.#host.environment.window.location.assign(url)
    } else {
      this.#popup.navigate(url)
    }
  }

  /** What a pop-up shows until the URL of the hosted page is known. */
  get #waiting(): Waiting {
    const idle = this.#host.idleLook()
    const { language, sentence } = this.#language.words
    return language === idle.language ? { ...idle, text: sentence.starting[0] } : idle
  }
}
