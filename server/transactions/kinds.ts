/**
 * The kinds of transactions that a server knows. It knows those of its features from the start. Any other kind is
 * loaded with its first transaction: a settled one is queried, pruned and erased also where its feature was left out.
 */

import type { KindName } from '../api/kind-table.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transactions.ts'
import type { AnyKind } from './kind.ts'

/** Loads a kind by its name. */
export type LoadKind = (name: KindName) => Promise<AnyKind>

/** What a feature does with transactions of its own. */
export interface OwnKind {
  name: KindName
  rules: AnyKind
}

export class Kinds {
  readonly #known: Map<KindName, AnyKind>
  readonly #load: LoadKind

  constructor(own: readonly OwnKind[], load: LoadKind) {
    this.#known = new Map(own.map(({ name, rules }) => [name, rules]))
    this.#load = load
  }

  /** Returns a kind. That of every transaction from {@link withKinds} is known. */
  of(name: KindName): AnyKind {
    const kind = this.#known.get(name)
    if (!kind) {
      throw new Error(`The kind ${name} was not loaded.`)
    }
    return kind
  }

  /** Makes a kind known. */
  async know(name: KindName): Promise<void> {
    if (!this.#known.has(name)) {
      this.#known.set(name, await this.#load(name))
    }
  }
}

/** Returns a store that makes the kind of each transaction known before it returns the transaction. */
export function withKinds(store: Store, kinds: Kinds): Store {
  return {
    ...store,
    find: async (id) => knownIfFound(await store.find(id)),
    findByReference: async (...args) => knownIfFound(await store.findByReference(...args)),
    list: async (...args) => allKnown(await store.list(...args)),
    search: async (...args) => allKnown(await store.search(...args)),
    claimTransactions: async (...args) => allKnown(await store.claimTransactions(...args)),
    listEnded: async (...args) => allKnown(await store.listEnded(...args)),
    listPersonal: async (...args) => allKnown(await store.listPersonal(...args)),
  }

  async function knownIfFound(row: Transaction | null): Promise<Transaction | null> {
    if (row) {
      await kinds.know(row.kind)
    }
    return row
  }

  async function allKnown(rows: Transaction[]): Promise<Transaction[]> {
    for (const kind of new Set(rows.map((row) => row.kind))) {
      await kinds.know(kind)
    }

    return rows
  }
}
