import { createApp, embed, start } from 'gateway-checkout-server'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import type { MerchantEvent, OrderInput, ProblemCode } from 'gateway-checkout-server'

// `npm run check` fails if an expected type error is missing.
export function handle(event: MerchantEvent): string | null {
  // @ts-expect-error There is no such event.
  if (event.type === 'checkout.payed') {
    return null
  }
  // @ts-expect-error A payout is never paid late.
  if (event.type === 'payout.paid_late') {
    return null
  }
  if (event.type === 'checkout.paid') {
    return event.data.checkout_id
  }
  if (event.type === 'b2b.failed') {
    return event.data.error_code
  }
  if (event.type === 'airtime.refunded') {
    return event.data.phone_number
  }
  // @ts-expect-error A charge has no payout_reference.
  return event.type === 'charge.succeeded' ? event.data.payout_reference : null
}

export function isForTheShopper(code: ProblemCode): boolean {
  // @ts-expect-error There is no such code.
  return code === 'order_changed' || code === 'order_change'
}

export async function startWithOrders(
  rows: ReadonlyMap<string, OrderInput>,
  app: Parameters<typeof createApp>[0],
) {
  const order = { order: 'A-1', amount: 1500, currency: 'KES', narration: 'Two kangas' }
  const splits = [{ account: 'PARTNER-001', amount: '1000', reason: 'Cloth' }]
  await start({ orders: (reference) => rows.get(reference) })
  await embed({ orders: async (reference) => (reference === 'A-1' ? { ...order, payer: null } : null) })
  await embed({
    orders: (reference) => {
      if (reference === 'A-1') {
        return { ...order, splits }
      }
      return reference === 'A-2' ? { ...order, payer: { email: 'asha@example.com' } } : undefined
    },
  })
  // @ts-expect-error An order has a narration, and no narratoin.
  await start({ orders: () => ({ order: 'A-1', amount: 1500, currency: 'KES', narratoin: 'Two kangas' }) })
  // @ts-expect-error Nor has it a return_Url,
  await start({ orders: async () => ({ ...order, return_Url: 'https://shop.example' }) })
  // @ts-expect-error nor has its payer a mail,
  await embed({ orders: (reference) => (reference ? { ...order, payer: { name: 'Asha', mail: '' } } : null) })
  const noted = splits.map((split) => ({ ...split, note: '' }))
  // @ts-expect-error nor have its splits a note.
  createApp({ ...app, orders: async () => ({ ...order, splits: noted }) })
}

const readme = readFileSync('server/README.md', 'utf8')

test('the README names every file with an assumption, and only those', () => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' })
  const assuming = files
    .filter((path) => /\.tsx?$/.test(path) && !/^(dist|node_modules)\//.test(path))
    .filter((path) => readFileSync(`server/${path}`, 'utf8').includes('[assumed]'))
  const [, list = ''] = readme.split('\n## [assumed]\n')
  const named = [...list.matchAll(/`([\w/.-]+\.tsx?)`/g)].map(([, path]) => path)
  expect(new Set(named)).toEqual(new Set(assuming))
})
