/** Every kind of transaction, whatever features a server has. Each is loaded where somebody asks for it. */

import type { KindName } from './api/kinds.ts'
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
