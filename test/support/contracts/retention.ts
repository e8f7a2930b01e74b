import { describe, expect, test } from 'vitest'

import { FOR_A_PERSON } from '../../../server/store/transactions.ts'
import { claimed, ELSEWHERE, event, HOME, LATER, newRow, NOW, taken } from './stored-rows.ts'

import type { Tombstone } from '../../../server/store/retention.ts'
import type { Store } from '../../../server/store/store.ts'
import type { NewTransaction } from '../../../server/store/transactions.ts'

const BEFORE = NOW + 1

function tombstone({ account, kind, reference, group, attempt, outcome }: NewTransaction): Tombstone {
  return { account, kind, reference, group, attempt, outcome, amount: '500 KES', digest: 'of the request' }
}

const ended = (id: string, fields: Partial<NewTransaction> = {}) => newRow(id, { due_at: null, ...fields })

export function retentionContract(
  engine: string,
  opened: (...rows: NewTransaction[]) => Promise<Store>,
): void {
  describe(`${engine}: retention`, () => {
    test('retention lists ended transactions of the merchant account in pages, the first changed first', async () => {
      const store = await opened(
        ended('b'),
        ended('a'),
        newRow('due'),
        ended('new', { created_at: BEFORE }),
        ended('elsewhere', { account: ELSEWHERE[0]! }),
        ended('old', { created_at: NOW - 1 }),
      )
      const page = await store.listEnded(HOME, BEFORE, null, 2)
      expect(page.map(({ id }) => id)).toEqual(['old', 'a'])
      expect((await store.listEnded(HOME, BEFORE, page[1]!, 2)).map(({ id }) => id)).toEqual(['b'])
    })

    test.each(['delivered', 'no_receiver'] as const)(
      'retention replaces a transaction, its history and its events (%s) by a tombstone',
      async (kind) => {
        const row = ended('a')
        const store = await opened(row)
        await store.commit('a', 1, { at: NOW, historyEntry: 'x', events: [event('e')] })
        expect(await taken(store, NOW)).toEqual(['e'])
        await store.finishEvent('e', { kind }, NOW)
        expect(await store.prune(BEFORE, [tombstone(row)])).toBe(1)
        expect(await store.find('a')).toBeNull()
        expect(await store.history('a')).toEqual([])
        expect(await store.listEvents(HOME, 0, 10)).toEqual([])
        expect(await store.listTombstones(HOME, 'checkout', 'a')).toEqual([tombstone(row)])
        expect(await store.listTombstones(ELSEWHERE[0]!, 'checkout', 'a')).toEqual([])
        expect(await store.prune(BEFORE, [tombstone(row)])).toBe(0)
      },
    )

    test('retention lets nobody change a transaction that was read before, nor claim its tombstone', async () => {
      const row = ended('a')
      const store = await opened(row)
      expect(await store.prune(BEFORE, [tombstone(row)])).toBe(1)
      for (const change of [{ record: 1 }, { failures: 1 }, { events: [event('e')], historyEntry: 'x' }]) {
        expect(await store.commit('a', 1, { at: NOW, due_at: NOW, ...change })).toBeNull()
      }

      expect(await store.history('a')).toEqual([])
      expect(await taken(store, LATER)).toEqual([])
      expect(await store.nextDue(HOME, 'transactions')).toBeNull()
      expect(await claimed(store, LATER)).toEqual([])
    })

    test('retention leaves the reference and the attempt taken, in the merchant account alone', async () => {
      const row = ended('a')
      const store = await opened(row)
      await store.prune(BEFORE, [tombstone(row)])
      expect(await store.insert(newRow('b', { reference: row.reference }))).toBe(false)
      for (const group of ['a', 'A']) {
        expect(await store.insert(newRow('b', { group }))).toBe(false)
        expect(await store.listTombstones(HOME, 'checkout', group)).toHaveLength(1)
      }

      expect(await store.insert(newRow('c'), newRow('b', { group: 'a' }))).toBe(false)
      expect(await store.find('c')).toBeNull()
      expect(await store.insert(newRow('b', { group: 'a', attempt: 2 }))).toBe(true)
      expect(await store.insert({ ...row, id: 'd', account: ELSEWHERE[0]! })).toBe(true)
      expect(await store.insert({ ...row, id: 'f', kind: 'payout' })).toBe(true)
    })

    test('retention keeps what is due, was changed, or waits for a person', async () => {
      const rows = [
        newRow('due'),
        ended('changed', { created_at: BEFORE }),
        ...FOR_A_PERSON.map((outcome) => ended(outcome, { outcome })),
      ]
      const store = await opened(...rows)
      expect(await store.prune(BEFORE, rows.map(tombstone))).toBe(0)
      for (const { id } of rows) {
        expect(await store.find(id)).not.toBeNull()
      }
    })

    test('retention keeps what has an event that was not delivered, or was given up', async () => {
      const row = ended('a')
      const store = await opened(row)
      await store.commit('a', 1, { at: NOW, events: [event('e')] })
      expect(await store.prune(BEFORE, [tombstone(row)])).toBe(0)
      expect(await taken(store, NOW)).toEqual(['e'])
      await store.finishEvent('e', { kind: 'given_up' }, NOW)
      expect(await store.prune(BEFORE, [tombstone(row)])).toBe(0)
    })

    test('retention keeps a group until all of it can go', async () => {
      const rows = [1, 2].map((attempt) => ended(`a${attempt}`, { group: 'a', attempt }))
      const store = await opened(...rows, newRow('a3', { group: 'a', attempt: 3 }))
      expect(await store.prune(BEFORE, rows.map(tombstone))).toBe(0)
      await store.commit('a3', 1, { at: LATER, due_at: null })
      expect(await store.prune(BEFORE, rows.map(tombstone))).toBe(2)
    })
  })
}
