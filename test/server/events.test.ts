/** The table of events: what the compiler refuses, and where the table is published. */

import { readFileSync } from 'node:fs'
import type { MerchantEvent, ProblemCode } from 'gateway-checkout-server'
import { expect, test } from 'vitest'
import { EVENTS } from '../../server/api/events.ts'

/** Compiled by `npm run check`, where each expected error must be there. */
export function handle(event: MerchantEvent): string | null {
  // @ts-expect-error There is no such event.
  if (event.type === 'checkout.payed') return null
  // @ts-expect-error A payout is never paid late.
  if (event.type === 'payout.paid_late') return null
  if (event.type === 'checkout.paid') return event.data.checkout_id
  if (event.type === 'b2b.failed') return event.data.error_code
  if (event.type === 'airtime.refunded') return event.data.phone_number
  // @ts-expect-error A charge has no payout_reference.
  return event.type === 'charge.succeeded' ? event.data.payout_reference : null
}

/** Compiled likewise. */
export function isForTheShopper(code: ProblemCode): boolean {
  // @ts-expect-error There is no such code.
  return code === 'order_changed' || code === 'order_change'
}

test('the README has a row for each event, in the words of the table', () => {
  const readme = readFileSync('server/README.md', 'utf8')
  const rows = readme
    .split('\n')
    .filter((line) => /^\| `(checkout|payout|b2b|airtime|charge)\.\w+` \|/.test(line))
  expect(rows).toEqual(Object.entries(EVENTS).map(([type, when]) => `| \`${type}\` | ${when} |`))
})
