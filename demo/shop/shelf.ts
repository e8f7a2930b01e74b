/**
 * The goods to choose from. They are locked while the order can be paid: with another order in its place, the page
 * would not follow the payment any more, and the shopper might pay twice.
 */

import { element } from './element.ts'

interface Shelf {
  /** Takes a choice. Returns `false`, and says why, if the amount cannot be paid. Nothing can be paid then. */
  choose(target: HTMLInputElement | HTMLSelectElement): boolean
}

const FREE = ['idle', 'details', 'error', 'paid', 'expired', 'reversed', 'refunded']

/** Why the goods are locked. Where money may have been taken, no link leads to another order. */
const NOTES: Partial<Record<string, string>> = {
  blocked: 'This order is being paid. ',
  waiting: 'This order is being paid. ',
  unpaid: 'This order is not paid yet. ',
  partial: 'A part of this order is paid.',
  pending: 'Your payment is being processed.',
  jammed: 'Your payment is delayed.',
  review: 'Your payment is under review.',
}

export function createShelf(tag: HTMLElement): Shelf {
  const goods = element('.goods', HTMLFieldSetElement)
  const note = element('#being-paid', HTMLElement)
  const newOrder = element('#new-order', HTMLAnchorElement)
  const voucher = element('[name=amount][value=other]', HTMLInputElement)
  const amount = element('[name=other]', HTMLInputElement)
  const hint = element('#amount-hint', HTMLElement)

  let settled = ''
  const follow = () => {
    const isFree = FREE.includes(tag.getAttribute('state') ?? 'idle')
    goods.disabled = !isFree && tag.getAttribute('order') !== settled
    // Before the first view, the checkout may be refused, or be paid already.
    const isKnown = goods.disabled && 'checkout' in tag && tag.checkout !== null
    const said = isKnown ? (NOTES[tag.getAttribute('state') ?? ''] ?? '') : ''
    const link = Object.assign(newOrder.cloneNode(true), { id: '' })
    note.replaceChildren(...(said.endsWith(' ') ? [said, link] : [said]))
  }
  new MutationObserver(follow).observe(tag, { attributeFilter: ['state'] })
  tag.addEventListener('checkout-change', follow)
  // The button stays in the order of the focus, so that the Tab key after a wrong amount leads to it.
  tag.addEventListener('checkout-open', (event) => {
    if (isPayable()) return
    event.preventDefault()
    amount.focus()
  })
  tag.addEventListener('checkout-settled', ({ detail }) => {
    settled = detail.order
    follow()
  })

  function isPayable(): boolean {
    const isWrong = voucher.checked && !amount.checkValidity()
    amount.setAttribute('aria-invalid', String(isWrong))
    hint.textContent = isWrong ? 'Enter a whole amount, 1 or more' : ''
    return !isWrong
  }

  return {
    choose(target) {
      if (target === amount) voucher.checked = true
      return isPayable()
    },
  }
}
