/**
 * Derives the references of an order's checkouts at the gateway: the `merchant_transaction_id`, or the
 * `external_reference` of a charge. After a restore, the gateway can therefore be asked about checkouts that the store has
 * lost. Pure.
 */

import type { Fingerprints } from '../privacy/fingerprints.ts'
import type { MerchantAccount } from '../store/store.ts'

/**
 * What the references of an order are derived from. `store` is the mark of the store: two shops of one merchant may have
 * an order with the same reference.
 */
type Origin = readonly [account: MerchantAccount, store: number, order: string]

/**
 * Returns the reference of a new attempt, followed by the reference that the attempt has if it was created with the
 * previous value of GATEWAY_CONSUMER_SECRET. Without the key, nobody can tell a reference from a random UUID.
 */
export function deriveReferences(fingerprints: Fingerprints, origin: Origin, attempt: number) {
  const text = JSON.stringify([...origin, attempt])
  const previous = fingerprints.all('attempt', text).slice(1)
  return [toUuid(fingerprints.of('attempt', text)), ...previous.map(toUuid)] as const
}

function toUuid(fingerprint: string): string {
  const hex = Buffer.from(fingerprint, 'base64url').toString('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}
