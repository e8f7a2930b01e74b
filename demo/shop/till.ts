// The till: the order and its checkout. A new order replaces the old one in place. Once the payment has begun, the
// order comes before the goods, and the page's title and heading say the outcome: a shopper who returns from the
// payment page, on a phone or with a screen reader, starts at the top.

import { recall } from './event-log.ts'
import { element } from './query.ts'
import { addressOf } from './settings.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { GatewayCheckout } from '../../widget/index.ts'
import type { CheckoutState } from '../../widget/state/state.ts'
import type { Settings } from './settings.ts'

/**
 * The heading of the order, by outcome; `null` for the one that the page has before the payment. It says what becomes of
 * the order, because the tag below says what becomes of the payment.
 */
const HEADINGS = {
  waiting: null,
  pending: 'Your payment is on its way',
  paid: 'Thank you',
  partial: 'Paid in part',
  unpaid: 'Not paid yet',
  expired: 'Not paid',
  reversed: 'Payment reversed',
  refunded: 'Refunded',
  jammed: 'Your order is on hold',
  review: 'Your order is on hold',
} as const satisfies Record<CheckoutView['outcome'], string | null>

export function createTill(tag: HTMLElement) {
  const heading = element('#till-title', HTMLElement)
  const { title } = document
  const orderHeading = heading.textContent
  let opening = new AbortController()
  let order = tag.getAttribute('order') ?? ''

  if (location.hash.startsWith('#gateway-checkout-') || recall(order).length > 0) {
    const till = element('.till', HTMLElement)
    element('main', HTMLElement).prepend(till)
    tag.after(element('.lines', HTMLElement))
    // The browser would restore the place where the order was before.
    history.scrollRestoration = 'manual'
    till.scrollIntoView()
  }

  document.body.addEventListener('checkout-change', ({ detail }) => {
    const words = HEADINGS[detail.outcome]
    heading.textContent = words ?? orderHeading
    document.title = words === null ? title : `${words} · ${title}`
  })

  return {
    order: () => order,
    /** Whether the order is paid, so that the same goods are another order. */
    isPaid: () => tag.getAttribute('state') === 'paid',
    /** Makes a new order for the settings, in place; resolves with `false` if another one was asked for meanwhile. */
    async open(settings: Settings): Promise<boolean> {
      opening.abort()
      opening = new AbortController()
      const { signal } = opening
      const answer = await fetch(addressOf(settings), { signal }).catch(() => null)
      const text = answer?.ok ? await answer.text().catch(() => null) : null
      if (signal.aborted) {
        return false
      }

      const page = new DOMParser().parseFromString(text ?? '', 'text/html')
      const next = page.querySelector('gateway-checkout')
      const lines = page.querySelector('.lines')
      // Without an answer, the browser loads the page, and says what is wrong.
      if (!next || !lines) {
        location.assign(addressOf(settings))
        return false
      }

      order = next.getAttribute('order') ?? ''
      tag.setAttribute('amount', next.getAttribute('amount') ?? '')
      tag.setAttribute('order', order)
      element('.lines', HTMLElement).replaceWith(lines)
      element('#order', HTMLElement).textContent = order
      element('#told', HTMLElement).textContent = lines.lastElementChild?.textContent ?? ''
      heading.textContent = orderHeading
      document.title = title
      return true
    },
  }
}

/** The states in which money may move. */
const LOCKING: ReadonlySet<string> = new Set([
  'starting',
  'blocked',
  'waiting',
  'unpaid',
  'partial',
  'pending',
  'jammed',
  'review',
] satisfies CheckoutState[])

/** Why the goods are locked. It is true in each of these states: the order's heading and the tag say how the order stands. */
const LOCKED_NOTE = 'This order is not finished yet.'

function isDefined(tag: HTMLElement): tag is GatewayCheckout {
  return 'mayStart' in tag
}

/**
 * Locks the goods while the element says that money may move: with another order in its place, the page would not follow
 * the payment any more, and the shopper might pay twice. No link leads to another order meanwhile. The reason stands in
 * the place of the goods' heading, so that nothing moves.
 */
export function lockShelf(tag: HTMLElement): void {
  const goods = element('.goods', HTMLFieldSetElement)
  const heading = element('.goods legend', HTMLElement)
  const newOrder = element('#new-order', HTMLAnchorElement)
  const { textContent: choose } = heading

  let settledOrder = ''

  const update = () => {
    if (!isDefined(tag)) {
      return
    }

    const isOver = tag.order === settledOrder || tag.mayStart
    goods.disabled = LOCKING.has(tag.state) && !isOver
    newOrder.hidden = goods.disabled
    // Before the first view, the checkout may be refused, or be paid already.
    const isKnown = goods.disabled && tag.checkout !== null
    heading.textContent = isKnown ? LOCKED_NOTE : choose
  }

  new MutationObserver(update).observe(tag, { attributeFilter: ['state'] })
  tag.addEventListener('checkout-change', update)
  tag.addEventListener('checkout-settled', ({ detail }) => {
    settledOrder = detail.order
    update()
  })
}
