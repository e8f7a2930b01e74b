/**
 * The goods to choose from. They are locked while the order can be paid: with another order in its place, the page
 * would not follow the payment any more, and the shopper might pay twice.
 */

import { element } from './element.ts'

interface Shelf {
  /** Takes a choice. Returns `false`, and says why, if the amount cannot be paid; the order then cannot be, either. */
  choose(target: HTMLInputElement | HTMLSelectElement): boolean
}

const FREE = ['idle', 'details', 'error', 'paid', 'expired', 'reversed', 'refunded']

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
    const isLocked = !isFree && tag.getAttribute('order') !== settled
    if (goods.disabled === isLocked) return
    goods.disabled = isLocked
    const link = Object.assign(newOrder.cloneNode(true), { id: '' })
    note.replaceChildren(...(isLocked ? ['This order is being paid. ', link] : []))
  }
  new MutationObserver(follow).observe(tag, { attributeFilter: ['state'] })
  tag.addEventListener('checkout-settled', ({ detail }) => {
    settled = detail.order
    follow()
  })

  return {
    choose(target) {
      if (target === amount) voucher.checked = true
      const isWrong = voucher.checked && !amount.checkValidity()
      amount.setAttribute('aria-invalid', String(isWrong))
      hint.textContent = isWrong ? 'Enter a whole amount, 1 or more' : ''
      tag.toggleAttribute('disabled', isWrong)
      return !isWrong
    },
  }
}
