/** Finds a checkout that has begun before: named by the page, kept in the tab, or in the address after a return. */

import { settingsOf } from '../button/checkout-settings.ts'
import { useTabStorage } from '../button/tab-memory.ts'
import { claim } from './arrival.ts'
import { arrivalIn, arrivals } from './return-fragment.ts'

import type { ElementHost } from '../button/element-host.ts'
import type { Origin } from '../state/state.ts'

/** The tab's storage may have any other text, which another script wrote, and which is never part of a URL. */
const CHECKOUT_ID = /^[\w-]{24}$/

/** The element that resumes the checkout. */
interface Target {
  /** Whether the element is in the document and has no checkout. */
  isFree: boolean
  resume(checkoutId: string, origin: Origin): void
}

export class Resumption {
  readonly #host: ElementHost
  readonly #target: Target
  /** How many answers about the checkout in the URL's fragment are awaited. */
  #claims = 0

  constructor(host: ElementHost, target: Target) {
    this.#host = host
    this.#target = target
  }

  /** Whether an answer is awaited that may resume a checkout. */
  get isAwaited(): boolean {
    return this.#target.isFree && this.#claims > 0
  }

  /**
   * Resumes the first checkout found in the `checkout-id` attribute (`checkoutId`), the tab's storage and the URL's
   * fragment: that of the fragment only after the BFF has confirmed that it belongs to the order.
   */
  find(checkoutId: string): void {
    const host = this.#host
    const target = this.#target
    const { base, order } = settingsOf(host)
    if (base === null) {
      return
    }
    if (checkoutId) {
      return target.resume(checkoutId, 'attribute')
    }
    if (!target.isFree) {
      return
    }

    const { window } = host.environment
    const arrival = arrivalIn(window)
    const stored = order && useTabStorage(host, (tab, key) => tab.getItem(key))
    if (stored && CHECKOUT_ID.test(stored)) {
      target.resume(stored, 'memory')
      if (stored === arrival) {
        arrivals.delete(window)
      }
    } else if (order && arrival) {
      void this.#claim(arrival)
    }
  }

  async #claim(arrival: string) {
    this.#claims += 1
    await claim(arrival, this.#target, () => settingsOf(this.#host), this.#host.environment)
    this.#claims -= 1
    this.#host.element.requestUpdate()
  }
}
