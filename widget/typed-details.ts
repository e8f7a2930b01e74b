/**
 * Stores what the shopper typed in the tab's session storage until the order is paid, so that nothing has to be typed
 * again after a session has ended: the hosted page may have replaced this page meanwhile. [WCAG 2.2: 3.3.7]
 */

import { PAYER_FIELDS } from './payer.ts'

import type { Payer } from './payer.ts'

/** What the stored details belong to. */
export interface OrderKey {
  order: string
  /** The BFF's URL. */
  base: string | null
}

/** Stores the details that the shopper typed for an order; `null` removes them. */
export function storeTyped(window: Window, order: OrderKey, typed: Partial<Payer> | null): void {
  try {
    if (typed === null) window.sessionStorage.removeItem(key(order))
    else window.sessionStorage.setItem(key(order), JSON.stringify(typed))
  } catch {
    // Storage is blocked or full.
  }
}

/** Returns the stored details of an order; an empty object if none are stored. */
export function readTyped(window: Window, order: OrderKey): Partial<Payer> {
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(key(order)) ?? '{}')
    const entries = PAYER_FIELDS.map((field) => [field, Reflect.get(Object(stored), field)])
    return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
  } catch {
    return {}
  }
}

function key({ base, order }: OrderKey): string {
  return `gateway-checkout typed ${base} ${order}`
}
