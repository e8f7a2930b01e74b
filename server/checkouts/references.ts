/** Derives the references of an order's attempts at the gateway. Pure. */

import { referenceKey } from '../contract/comparison-keys.ts'

import type { Fingerprints } from '../privacy/personal.ts'
import type { MerchantAccount } from '../store/merchant-account.ts'

/**
 * What the references of an order are derived from. `store` is the mark of the store: two shops of one merchant may
 * have an order with the same reference. The spelling of the order does not count, only its key.
 */
type Origin = { account: MerchantAccount; store: number; order: string }

/**
 * Derives the reference of an attempt at the gateway: the `merchant_transaction_id`, or the `external_reference` of a
 * charge. After a restore, the gateway can therefore be asked about checkouts that the store has lost.
 *
 * Returns the reference of a new attempt, followed by the reference that the attempt has if it was created with the
 * previous value of GATEWAY_CONSUMER_SECRET. Without the key, nobody can tell a reference from a random UUID.
 */
export function deriveReferences(fingerprints: Fingerprints, origin: Origin, attempt: number) {
  const { account, store, order } = origin
  const text = JSON.stringify([account, store, referenceKey(order), attempt])
  const previous = fingerprints.all('attempt', text).slice(1)
  return [toUuid(fingerprints.of('attempt', text)), ...previous.map(toUuid)] as const
}

/** Writes the 128 bits of a fingerprint as a random UUID: two digits give way to the version and the variant. */
function toUuid(fingerprint: string): string {
  const hex = Buffer.from(fingerprint, 'base64url').toString('hex')
  return hex.replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12})/, '$1-$2-4$3-8$4-$5')
}
