import { SHOP } from './environment.ts'
import { createWorld, PAYER } from './world.ts'

export const JSON_TYPE = 'application/json'
export const REQUEST = { order: 'A-1', ...PAYER }

export async function shopWithOrder(options: Parameters<typeof createWorld>[0] = {}) {
  const shop = await createWorld(options)
  shop.order('A-1', '500')
  const post = (
    body: BodyInit,
    type: string | null = JSON_TYPE,
    { origin = SHOP, ...headers }: Record<string, string> = {},
  ) =>
    shop.ask('/checkout/initiate', {
      method: 'POST',
      headers: {
        accept: 'application/json',
        ...(origin && { origin }),
        ...(type && { 'content-type': type }),
        ...headers,
      },
      body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    })
  return { shop, post }
}

export async function shopWithCheckout(
  options: Parameters<typeof createWorld>[0] = {},
  fields: Record<string, string> = {},
) {
  const { shop } = await shopWithOrder(options)
  const begun = await shop.start('A-1', fields)
  return { shop, begun, id: begun.checkout_id }
}
