/**
 * Resumes the checkout of a shopper who returns from the hosted page, after the BFF has confirmed that the checkout
 * belongs to the element's order. Until the BFF has answered, the shopper may have paid, and is offered no button.
 */

import { askBff, post } from '../bff/bff-client.ts'
import { arrivals } from './return-fragment.ts'

import type { Environment } from '../button/environment.ts'

/** The element that resumes the checkout. */
interface Target {
  /** Whether the element is in the document and has no checkout. */
  isFree: boolean
  resume(checkoutId: string, origin: 'fragment'): void
}

/**
 * The pause after the first failed request to `/checkout/resume`, in milliseconds; after others, up to a minute.
 * [assumed]
 */
const PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 60_000

/** The number of elements on the page that wait for an answer of the BFF. */
let running = 0

/**
 * Resumes the checkout of this window in `arrivals`, if the BFF confirms that the checkout belongs to the order of
 * `target`. Another element may resume the checkout meanwhile, or the attributes may change; nothing is then done.
 */
export async function claim(
  checkoutId: string,
  target: Target,
  settings: () => { order: string; base: string | null },
  environment: Environment,
): Promise<void> {
  const { window } = environment
  const { order, base } = settings()
  const isWanted = () =>
    arrivals.get(window) === checkoutId &&
    target.isFree &&
    settings().order === order &&
    settings().base === base
  const body = new URLSearchParams({ order, checkout_id: checkoutId })
  running += 1
  const belongs = await belongsToOrder(`${base}/checkout/resume`, body, isWanted, environment)
  running -= 1
  if (!isWanted()) {
    return
  }
  if (belongs) {
    arrivals.delete(window)
    target.resume(checkoutId, 'fragment')
  } else if (running === 0) {
    // On a page with several elements, only the last refused element logs this message.
    void import('../developer/diagnosis.ts').then(
      ({ explainArrival }) => explainArrival(order, window),
      () => {},
    )
  }
}

/** Asks until the BFF has answered, or the answer is no longer wanted. */
async function belongsToOrder(
  url: string,
  body: URLSearchParams,
  isWanted: () => boolean,
  environment: Environment,
): Promise<boolean> {
  for (let tries = 1; isWanted(); tries++) {
    const answer = await askBff(url, post(body), environment, new AbortController().signal)
    if ('view' in answer) {
      return true
    }
    if (!answer.failure.retryable) {
      break
    }

    const pauseMs = Math.max(Math.min(PAUSE_MS * tries, LONGEST_PAUSE_MS), answer.retryAfterMs)
    await new Promise<void>((resolve) => environment.clock.after(pauseMs, resolve))
  }

  return false
}
