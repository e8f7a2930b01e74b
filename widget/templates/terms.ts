/**
 * Renders what the page says before a checkout: how much is paid, and to whom. The payment server never gets these
 * texts, and they disappear once it has reported the terms.
 */

import { html } from 'lit'
import { formatMoney } from '../money.ts'

import type { RenderContext } from './render-context.ts'

/** Renders the payee, and the amount unless the button says it. */
export function terms(context: RenderContext) {
  const { payee, label, session } = context
  const isOnButton = session.at !== 'details' && !label
  const texts = [isOnButton ? '' : offeredAmount(context), payee].filter(Boolean)
  return texts.length > 0 ? html`<p part="terms" class="soft">${texts.join(' · ')}</p>` : ''
}

/** Returns the attribute `amount` in the shopper's language if it is like "KES 1500.50", and unchanged otherwise. */
export function offeredAmount({ amount, words }: RenderContext): string {
  return amount.replace(/^([A-Z]{3}) (\d{1,18}(?:\.\d{1,12})?)$/, (_, currency: string, number: string) =>
    formatMoney(number, currency, words.language),
  )
}
