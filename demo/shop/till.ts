/**
 * The order and its checkout. A new order replaces the old one in place. Once the payment has begun, the order comes
 * before the goods, and the page's title and heading say the outcome: a shopper who returns from the payment page, on a
 * phone or with a screen reader, starts at the top.
 */

import { element } from './element.ts'
import { recall } from './event-log.ts'
import { address } from './settings.ts'
import type { CheckoutView } from '../../server/api/view.ts'
import type { Settings } from './settings.ts'

interface Till {
  order(): string
  /** Opens an order for the settings; resolves with `false` if another one was asked for meanwhile. */
  open(settings: Settings): Promise<boolean>
}

const HEADINGS = {
  waiting: null,
  pending: 'Your payment is on its way',
  paid: 'Thank you',
  partial: 'Paid in part',
  unpaid: 'Not paid yet',
  expired: 'Not paid',
  reversed: 'Payment reversed',
  refunded: 'Refunded',
  jammed: 'Your payment is delayed',
  review: 'Your payment is under review',
} as const satisfies Record<CheckoutView['outcome'], string | null>

export function createTill(tag: HTMLElement): Till {
  const heading = element('#till-title', HTMLElement)
  const [title, first] = [document.title, heading.textContent]
  let asked = new AbortController()
  let order = tag.getAttribute('order') ?? ''

  if (location.hash.startsWith('#gateway-checkout=') || recall(order).length > 0) {
    const till = element('.till', HTMLElement)
    element('main', HTMLElement).prepend(till)
    tag.after(element('.lines', HTMLElement))
    // The browser would restore the place where the order was before.
    history.scrollRestoration = 'manual'
    till.scrollIntoView()
  }

  document.body.addEventListener('checkout-change', ({ detail }) => {
    const words = HEADINGS[detail.outcome]
    heading.textContent = words ?? first
    document.title = words === null ? title : `${words} · ${title}`
  })

  return {
    order: () => order,
    async open(settings) {
      asked.abort()
      asked = new AbortController()
      const { signal } = asked
      const answer = await fetch(address(settings), { signal }).catch(() => null)
      const text = answer?.ok ? await answer.text().catch(() => null) : null
      if (signal.aborted) return false
      const page = new DOMParser().parseFromString(text ?? '', 'text/html')
      const [next, lines] = [page.querySelector('gateway-checkout'), page.querySelector('.lines')]
      if (!next || !lines) {
        location.assign(address(settings))
        return false
      }
      order = next.getAttribute('order') ?? ''
      tag.setAttribute('amount', next.getAttribute('amount') ?? '')
      tag.setAttribute('order', order)
      element('.lines', HTMLElement).replaceWith(lines)
      element('#order', HTMLElement).textContent = order
      element('#told', HTMLElement).textContent = lines.lastElementChild?.textContent ?? ''
      heading.textContent = first
      document.title = title
      return true
    },
  }
}
