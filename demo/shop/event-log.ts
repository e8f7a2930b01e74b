// The list of DOM events on a page. It is kept in sessionStorage, so it outlives a redirect to the hosted page.

import type { CheckoutView } from '../../server/api/view.ts'

const NAMES = ['open', 'change', 'paid', 'partial', 'unpaid', 'expired', 'settled', 'close', 'error'] as const
export const EVENTS = NAMES.map((name) => `checkout-${name}` as const)

/** Lists the events of the order that `order` returns, also those before a redirect. */
export function logEvents(root: HTMLElement, list: HTMLElement, order: () => string): void {
  for (const line of recall(order())) {
    addLine(list, line)
  }

  for (const name of EVENTS) {
    root.addEventListener(name, ({ detail }) => {
      const line = `${name} ${describe(detail)}`.trim()
      remember(order(), [...recall(order()), line])
      addLine(list, line)
    })
  }
}

type Detail = CheckoutView | { code: string; message: string } | null

export function describe(detail: Detail): string {
  if (detail === null) {
    return ''
  }
  if ('code' in detail) {
    return `${detail.code}: ${detail.message}`
  }

  const { status, outcome, amount_paid, amount, currency, discrepancy } = detail
  return [status ?? '–', outcome, `${currency} ${amount_paid} of ${amount}`, discrepancy ?? ''].join(' ')
}

export function addLine(list: HTMLElement, line: string): void {
  const item = document.createElement('li')
  item.textContent = line
  list.prepend(item)
}

/** Returns the events of an order in this tab. */
export function recall(order: string): string[] {
  try {
    const lines: unknown = JSON.parse(sessionStorage.getItem(order) ?? '[]')
    return Array.isArray(lines) ? lines.map(String) : []
  } catch {
    return [] // Storage may be blocked: the list is then empty on each page.
  }
}

function remember(order: string, lines: string[]): void {
  try {
    sessionStorage.setItem(order, JSON.stringify(lines))
  } catch {
    // Storage may be blocked or full: the list then lasts as long as the page.
  }
}
