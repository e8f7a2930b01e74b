/** Loads a kind of transaction by its name, whatever features a server has: erasure and retention need each that is stored. */

import type { KindName } from './api/kind-table.ts'
import type { AnyKind } from './transactions/kind.ts'

const LOADERS: Readonly<Record<KindName, () => Promise<AnyKind>>> = {
  checkout: async () => (await import('./checkouts/kind.ts')).checkoutKind,
  payout: async () => (await import('./payouts/kind.ts')).payoutKind,
  charge: async () => (await import('./charges/kind.ts')).chargeKind,
  airtime: async () => (await import('./airtime/kind.ts')).airtimeKind,
}

export function loadKind(name: KindName): Promise<AnyKind> {
  return LOADERS[name]()
}
