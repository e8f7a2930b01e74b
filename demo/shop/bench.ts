/** Runs the shop page: applies settings to the tag, and lists the events of the page and of the backend. */

import './storefront.css'
import type { Order } from './order.ts'
import { offerToCopy } from './copy.ts'
import { element } from './element.ts'
import { logEvents } from './event-log.ts'
import { address, readSettings } from './settings.ts'
import { html as snippet } from './snippets.ts'
import { FOLLOWING, tagAttributes } from './tag.ts'

/** The number of orders in the list, which begins with the most recently changed order. */
const MOST_ORDERS = 5

const form = element('#settings', HTMLFormElement)
const tag = element('gateway-checkout', HTMLElement)
const text = element('#snippet', HTMLElement)
const order = tag.getAttribute('order') ?? ''
const bff = tag.getAttribute('server') ?? ''

logEvents(document.body, element('#events', HTMLElement), order)
document.addEventListener('change', follow)
offerToCopy(element('#copy', HTMLButtonElement), text)
new EventSource('/fulfilled/stream').addEventListener('fulfilled', ({ data }) => {
  const orders: Order[] = JSON.parse(String(data))
  element('#orders', HTMLElement).replaceChildren(...orders.slice(0, MOST_ORDERS).map(line))
})

/**
 * Applies the changed setting: a new amount opens a page with a new order; every other setting changes the tag in
 * place.
 */
function follow({ target }: Event): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
  if (target.form !== form || !target.checkValidity()) return
  if (target.name === 'other') element('[name=amount][value=other]', HTMLInputElement).checked = true
  const settings = readSettings(picked())
  if (target.name === 'amount' || target.name === 'other') return location.assign(address(settings))

  const attributes = tagAttributes(settings, order, bff)
  for (const name of FOLLOWING) {
    const value = attributes[name]
    if (value === undefined) tag.removeAttribute(name)
    else tag.setAttribute(name, value)
  }
  text.textContent = snippet({ attributes }, bff)
  document.documentElement.dataset.theme = settings.theme
  history.replaceState(history.state, '', address(settings, order))
}

function picked(): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') query.set(name, value)
  return query
}

function line({ order: reference, standing, currency, amount_paid, heard }: Order): HTMLLIElement {
  const item = document.createElement('li')
  const word = document.createElement('strong')
  word.textContent = standing.replaceAll('_', ' ')
  word.dataset.standing = standing
  item.append(word, ` ${reference}: ${currency} ${amount_paid} (${heard.join(', ')})`)
  return item
}
