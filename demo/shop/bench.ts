// The script of the shop's page: its settings change the tag in place, and its lists show what the tag and the shop's
// backend receive.

import { logEvents } from './event-log.ts'
import { priceOf } from './goods.ts'
import { element } from './query.ts'
import { addressOf, readSettings } from './settings.ts'
import { ATTRIBUTES_OF_SETTINGS, renderSnippet, tagAttributes } from './tag.ts'
import { createTill, lockShelf } from './till.ts'

import type { Order } from './goods.ts'
import type { Settings } from './settings.ts'

/** The number of orders in the list, the latest first. */
const MAX_ORDERS = 5

const form = element('#settings', HTMLFormElement)
const tag = element('gateway-checkout', HTMLElement)
const code = element('#snippet', HTMLElement)
const eventList = element('#events', HTMLElement)
const bff = tag.getAttribute('server') ?? ''
const till = createTill(tag)
lockShelf(tag)

rememberOpen(element('.bench', HTMLDetailsElement))
logEvents(document.body, eventList, () => till.order())
document.addEventListener('change', applySetting)
document.addEventListener('click', orderAgain)
new EventSource('/fulfilled/stream').addEventListener('fulfilled', ({ data }) => {
  const orders: Order[] = JSON.parse(String(data))
  element('#orders', HTMLElement).replaceChildren(...orders.slice(0, MAX_ORDERS).map(lineOf))
})

// A new amount is a new order; any other setting changes the element's attributes. Neither leaves the page, so that the
// arrow keys move between the goods.
function applySetting({ target }: Event): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) {
    return
  }
  if (target.form !== form) {
    return
  }
  if (target.name !== 'amount') {
    return show({ ...readSettings(formQuery()), amount: Number(priceOf(till.order())) })
  }

  openOrder()
}

/** Makes a new order of the goods that are chosen already, once their order is over: choosing them again is no change. */
function orderAgain({ target }: Event): void {
  const isAmount = target instanceof HTMLInputElement && target.form === form && target.name === 'amount'
  // Of a choice that is a change, the order is that of other goods.
  if (isAmount && Number(target.value) === Number(priceOf(till.order())) && till.isPaid()) {
    openOrder()
  }
}

function openOrder(): void {
  const settings = readSettings(formQuery())
  void till.open(settings).then((isOpen) => {
    if (!isOpen) {
      return
    }

    eventList.replaceChildren()
    show(settings)
  })
}

function show(settings: Settings): void {
  const attributes = tagAttributes(settings, till.order(), bff)
  for (const name of ATTRIBUTES_OF_SETTINGS) {
    const value = attributes[name]
    if (value === undefined) {
      tag.removeAttribute(name)
    } else {
      tag.setAttribute(name, value)
    }
  }

  code.textContent = renderSnippet(settings, till.order(), bff)
  document.documentElement.dataset.theme = settings.theme
  history.replaceState(history.state, '', addressOf(settings, till.order()))
}

function formQuery(): URLSearchParams {
  const fields = [...new FormData(form)]
  return new URLSearchParams(
    fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

function lineOf({ order: reference, standing, currency, amount_paid, heard }: Order): HTMLLIElement {
  const item = document.createElement('li')
  const label = document.createElement('strong')
  label.textContent = standing.replaceAll('_', ' ')
  label.dataset.standing = standing
  item.append(label, ` ${reference}: ${currency} ${amount_paid} (${heard.join(', ')})`)
  return item
}

/**
 * Keeps the drawer open on the next page of this tab, because a new order or a return from the payment page loads one.
 */
function rememberOpen(drawer: HTMLDetailsElement): void {
  try {
    drawer.open = sessionStorage.getItem('drawer') === 'open'
  } catch {
    return // Storage may be blocked: the drawer is then closed on each page.
  }

  drawer.addEventListener('toggle', () => sessionStorage.setItem('drawer', drawer.open ? 'open' : 'closed'))
}
