/** Where the orders of checkouts come from. */

import { endingOf } from './ending-secrets.ts'

import type { EndingSecrets } from './ending-secrets.ts'
import type { PublicKey } from './public-keys.ts'
import type { Secret } from './secret.ts'
import type { Values } from './variables.ts'

/**
 * The source of orders. `url`: the server requests each order from the merchant's backend at ORDERS_URL. `signed`: the
 * page contains the order, which the merchant's backend has signed, and the server verifies the signature with
 * ORDER_SIGNING_KEY or ORDER_PUBLIC_KEYS. `null`: the merchant passes the function `orders` to `createApp`.
 */
export type OrderSource =
  | { kind: 'url'; url: string; token: Secret }
  | {
      kind: 'signed'
      keys: EndingSecrets | null
      publicKeys: readonly PublicKey[]
      /** The maximum lifetime of a signed order, in seconds. */
      maxLifetime: number
    }
  | null

export function ordersOf(values: Values): OrderSource {
  const { ORDERS_URL: url, ORDER_SIGNING_KEY: keys, ORDER_PUBLIC_KEYS: keySets } = values
  if (url !== undefined && values.ORDERS_TOKEN) {
    return { kind: 'url', url, token: values.ORDERS_TOKEN[0] }
  }
  if (!keys && !keySets) {
    return null
  }

  // Of keys with the same `kid` the last is used: that of the current set, which comes first in `keySets`.
  const publicKeys = keySets?.toReversed().flat() ?? []
  const maxLifetime = values.ORDER_MAX_LIFETIME
  // What the previous key has signed before it was replaced has expired by then.
  const endingKeys = endingOf(keys, values.ORDER_SIGNING_KEY_PREVIOUS_SINCE, maxLifetime * 1000)
  return { kind: 'signed', keys: endingKeys, publicKeys, maxLifetime }
}
