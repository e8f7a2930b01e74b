/** Finds the transactions that keep a server from starting, because it was given no feature for them. */

import { KindName, KINDS } from '../api/kind-table.ts'

import type { MerchantAccount } from '../store/merchant-account.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transactions.ts'
import type { AnyKind } from './kind.ts'
import type { LoadKind } from './kinds.ts'

/** The number of transactions that are read at once. */
const PAGE_SIZE = 100

/**
 * Returns for each kind that is not in `own`, and has a transaction that is not settled, a sentence that names one.
 * Their callbacks would be refused, and nobody could acknowledge or resolve them. What is settled is no obstacle: its
 * status is queried as long as a reversal may come, and its personal data are erased, without the feature.
 */
export async function describeUnsettled(
  store: Store,
  account: MerchantAccount,
  own: readonly KindName[],
  loadKind: LoadKind,
): Promise<string[]> {
  const sentences: string[] = []
  for (const name of KindName.options.filter((each) => !own.includes(each))) {
    const row = await findUnsettled(store, account, name, loadKind)
    if (row) {
      sentences.push(
        `The store has a ${name} that is not settled (${row.reference}: ${row.outcome}): add the feature "${KINDS[name].plural}" until it is.`,
      )
    }
  }

  return sentences
}

async function findUnsettled(
  store: Store,
  account: MerchantAccount,
  name: KindName,
  loadKind: LoadKind,
): Promise<Transaction | null> {
  let afterId = ''
  for (;;) {
    const rows = await store.listScheduled(account, name, afterId, PAGE_SIZE)
    const last = rows.at(-1)
    if (!last) {
      return null
    }

    const kind = await loadKind(name)
    const unsettled = rows.find((row) => isUnsettled(kind, row))
    if (unsettled) {
      return unsettled
    }

    afterId = last.id
  }
}

/** Returns whether the gateway has reported no end, or the merchant's decision about a paid service is awaited. */
function isUnsettled(kind: AnyKind, stored: Transaction): boolean {
  const row = kind.read(stored)
  const { stage } = kind.progressOf(row)
  const isOpen = stage !== 'settled' && stage !== 'ended'
  return isOpen || (kind.isAwaited?.(row) ?? false)
}
