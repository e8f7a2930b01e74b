/** The references of pay-ins, which checkouts and charges share at the gateway. */

import type { Store, MerchantAccount } from '../store/store.ts'

interface ReferenceDeps {
  store: Pick<Store, 'findByReference'>
  account: MerchantAccount
}

/** A checkout that is sent as a charge has its merchant_transaction_id as the external_reference. */
const OTHER = { charge: 'checkout', checkout: 'charge' } as const

/**
 * Returns whether a pay-in of the other kind has this reference. The gateway would refuse the second one, and report the
 * money of the first one for both: a status query names nothing but the reference.
 */
export async function isTakenByOther(
  { store, account }: ReferenceDeps,
  kind: 'checkout' | 'charge',
  reference: string,
): Promise<boolean> {
  return (await store.findByReference(account, OTHER[kind], reference)) !== null
}
