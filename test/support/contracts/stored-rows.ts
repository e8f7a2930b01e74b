import { afterEach, expect } from 'vitest'

import type { MerchantAccount } from '../../../server/store/merchant-account.ts'
import type { Store } from '../../../server/store/store.ts'
import type { NewTransaction } from '../../../server/store/transactions.ts'

export interface Database {
  open(): Promise<Store>
  remove(): Promise<void>
}

export const HOME: MerchantAccount = 'sandbox'
export const ELSEWHERE: MerchantAccount[] = ['rehearsal', 'production']
export const NOW = 1_000_000
export const LATER = NOW + 60_000
export const LIMIT = 10

export function newRow(id: string, fields: Partial<NewTransaction> = {}): NewTransaction {
  return {
    id,
    kind: 'checkout',
    account: HOME,
    reference: `reference of ${id}`,
    group: id,
    attempt: 1,
    outcome: 'waiting',
    record: { phase: 'any', text: 'ü \u0000 💳' },
    created_at: NOW,
    due_at: NOW,
    sent_at: null,
    trace_id: null,
    ...fields,
  }
}

export const claimed = async (
  store: Store,
  now: number,
  lease = now + 1_000,
  account: MerchantAccount = HOME,
) => (await store.claimTransactions(account, now, lease, LIMIT)).map(({ id }) => id).toSorted()
export const taken = async (
  store: Store,
  now: number,
  lease = now + 1_000,
  account: MerchantAccount = HOME,
) =>
  [
    ...(await store.claimEvents(account, 'events', now, lease, LIMIT)),
    ...(await store.claimEvents(account, 'retries', now, lease, LIMIT)),
  ]
    .map(({ id }) => id)
    .toSorted()
export const event = (id: string) => ({ id, type: 'checkout.paid', body: `{"id":"${id}"}` })

export function createStores<Made extends Database>(makeDatabase: () => Promise<Made>) {
  const databases: Database[] = []
  const stores: Store[] = []

  async function made(): Promise<Made> {
    const database = await makeDatabase()
    databases.push(database)
    return database
  }

  async function reopened(database: Database): Promise<Store> {
    const store = await database.open()
    stores.push(store)
    return store
  }

  async function opened(...rows: NewTransaction[]): Promise<Store> {
    const store = await reopened(await made())
    for (const row of rows) {
      expect(await store.insert(row)).toBe(true)
    }

    return store
  }

  afterEach(async () => {
    for (const store of stores.splice(0)) {
      await store.close()
    }

    for (const database of databases.splice(0)) {
      await database.remove()
    }
  })

  return { made, opened, reopened }
}
