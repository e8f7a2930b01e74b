/**
 * Resumes the checkout of a shopper who returns from the hosted page, after the BFF has confirmed that the checkout
 * belongs to the element's order. Asked only if the tab's storage contains no checkout of the order. Until the BFF has
 * answered, the shopper may have paid, and is offered no button.
 */

import type { askBff } from './bff-client.ts'
import type { Environment } from '../browser/environment.ts'

/** The element that resumes the checkout. */
interface Target {
  /** Whether the element is in the document and has no checkout. */
  isFree: boolean
  resume(checkoutId: string, origin: 'fragment'): void
}

/** The pause after the first failed request to `/checkout/resume`, in milliseconds; after others, up to a minute. [assumed] */
const PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 60_000

let running = 0

/**
 * Resumes the checkout of this window in `arrivals`, if the BFF confirms that the checkout belongs to the order of
 * `target`.
 *
 * @param arrivals For each window, the checkout id that was in the fragment of the window's URL.
 * @param ask The function that sends a request to the BFF.
 */
export async function claim(
  target: Target,
  settings: () => { order: string; base: string | null },
  arrivals: WeakMap<Window, string>,
  ask: typeof askBff,
  environment: Environment,
): Promise<void> {
  const { window } = environment
  const arrival = arrivals.get(window)
  const { order, base } = settings()
  if (arrival === undefined) return
  const isWanted = () =>
    arrivals.get(window) === arrival &&
    target.isFree &&
    settings().order === order &&
    settings().base === base
  const question = () => {
    const body = new URLSearchParams({ order, checkout_id: arrival })
    const { signal } = new AbortController()
    return ask(`${base}/checkout/resume`, { method: 'POST', body }, environment, signal)
  }
  running += 1
  const isOwn = await askUntilAnswered(question, isWanted, environment)
  running -= 1
  if (!isWanted()) return
  if (isOwn) {
    arrivals.delete(window)
    target.resume(arrival, 'fragment')
  } else if (running === 0)
    // On a page with several elements, only the last refused element logs this message.
    window.console.warn(
      `<gateway-checkout> The checkout in the fragment of the address is not known to belong to the order "${order}", ` +
        `so it is ignored. A press on the button resumes the order's own checkout.`,
    )
}

async function askUntilAnswered(
  question: () => ReturnType<typeof askBff>,
  isWanted: () => boolean,
  { clock }: Environment,
): Promise<boolean> {
  for (let tries = 1; isWanted(); tries++) {
    const answer = await question()
    if ('view' in answer) return true
    if (!answer.failure.retryable) break
    const pauseMs = Math.max(Math.min(PAUSE_MS * tries, LONGEST_PAUSE_MS), answer.retryAfterMs)
    await new Promise<void>((resolve) => clock.after(pauseMs, resolve))
  }
  return false
}
