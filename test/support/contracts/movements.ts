import { describe, expect, test } from 'vitest'

import { ELSEWHERE, event, HOME, LATER, newRow, NOW } from './stored-rows.ts'

import type { Movement, MovementQuery, NewTransaction, Store } from '../../../server/store/store.ts'

export const moved = (fields: Partial<Movement> = {}): Movement => ({
  part: 'p-1',
  moved: 'paid',
  at: NOW,
  amount: '1500',
  currency: 'KES',
  service: 'CHECKOUT-KES',
  operator: 'MOMO_KEN',
  receipt: 'QK71P0ZX',
  isFound: true,
  phone: 'of a phone',
  ends: 'of its end',
  key: 'k-1',
  ...fields,
})

export function movementContract(
  engine: string,
  opened: (...rows: NewTransaction[]) => Promise<Store>,
): void {
  const commit = (store: Store, id: string, ...movements: Movement[]) =>
    store.commit(id, 1, { at: NOW, record: {}, movements })
  const found = async (store: Store, query: Partial<MovementQuery>, account = HOME) =>
    (await store.searchMovements(account, { limit: 10, ...query })).map(
      ({ transaction_id }) => transaction_id,
    )
  const listed = async (store: Store, times = { from: 0, until: LATER }) =>
    (await store.listMovements(HOME, times, null, 10)).map(
      ({ transaction_id, part, moved: how }) => `${transaction_id} ${part} ${how}`,
    )

  describe(`${engine}: movements of money`, () => {
    test('are stored with the change that confirms them, or not at all', async () => {
      const store = await opened(newRow('a'))
      expect(await store.commit('a', 2, { at: NOW, record: {}, movements: [moved()] })).toBeNull()
      expect(await found(store, { receipt: 'QK71P0ZX' })).toEqual([])
      await store.commit('a', 1, {
        at: NOW,
        record: {},
        historyEntry: 'x',
        events: [event('e')],
        movements: [moved()],
      })
      const { isFound: _, phone: _phone, ends: _ends, key: _key, ...stored } = moved()
      expect(await store.searchMovements(HOME, { receipt: 'QK71P0ZX', limit: 10 })).toEqual([
        { ...stored, transaction_id: 'a', kind: 'checkout', is_shared: false },
      ])
    })

    test.each<[string, Partial<MovementQuery>]>([
      ['receipt', { receipt: 'B' }],
      ['order, in any case', { order: 'ORDER-b' }],
      ['phone, by either fingerprint', { phone: ['now', 'phone b'] }],
      ['last digits', { ends: ['end b'] }],
      ['amount', { amount: '2' }],
      ['time', { from: NOW + 2, until: NOW + 3 }],
      ['several of these', { amount: '2', ends: ['end b'], from: NOW, until: LATER, order: 'order-b' }],
    ])('are found by %s', async (_, query) => {
      const store = await opened(
        ...['a', 'b', 'c'].map((id) => newRow(id, { group: `order-${id}` })),
        newRow('elsewhere', { group: 'order-b', account: ELSEWHERE[0]! }),
      )
      for (const [index, id] of ['a', 'b', 'c'].entries()) {
        const own = { receipt: id.toUpperCase(), phone: `phone ${id}`, ends: `end ${id}` }
        await commit(store, id, moved({ ...own, amount: String(index + 1), at: NOW + index + 1 }))
      }

      await commit(store, 'elsewhere', moved({ receipt: 'B', phone: 'phone b', ends: 'end b', amount: '2' }))
      expect(await found(store, query)).toEqual(['b'])
      expect(await found(store, { ...query, amount: '4' })).toEqual([])
    })

    test('are listed in pages, the newest first', async () => {
      const store = await opened(...['a', 'b', 'c'].map((id) => newRow(id)))
      await commit(store, 'a', moved({ at: NOW + 1 }))
      await commit(store, 'b', moved({ part: 'p-1' }), moved({ part: 'p-2' }))
      await commit(store, 'c', moved({ at: NOW - 1 }))
      const page = await store.searchMovements(HOME, { amount: '1500', limit: 2 })
      expect(page.map(({ transaction_id, part }) => `${transaction_id} ${part}`)).toEqual(['a p-1', 'b p-2'])
      expect(await found(store, { amount: '1500', after: page[1] })).toEqual(['b', 'c'])
      expect(await found(store, { after: page[1] })).toEqual(['b', 'c'])
    })

    test('keep the time and the amount of their first confirmation, and are found as the record is', async () => {
      const store = await opened(newRow('a'))
      await commit(store, 'a', moved({ receipt: null }))
      await store.commit('a', 2, {
        at: LATER,
        record: {},
        movements: [moved({ at: LATER, amount: '1' }), moved({ at: LATER, moved: 'refunded' })],
      })
      expect(await store.searchMovements(HOME, { receipt: 'QK71P0ZX', limit: 10 })).toMatchObject([
        { at: NOW, amount: '1500', moved: 'paid' },
      ])
      expect(await listed(store, { from: 0, until: LATER + 1 })).toEqual(['a p-1 paid', 'a p-1 refunded'])
      expect(await listed(store, { from: LATER, until: LATER + 1 })).toEqual(['a p-1 refunded'])
    })

    test('are listed for a time, the oldest first, in pages', async () => {
      const store = await opened(newRow('a'), newRow('b'))
      await commit(store, 'b', moved({ at: NOW - 1 }), moved({ part: 'p-2' }))
      await commit(store, 'a', moved({ part: 'p-3', moved: 'failed' }), moved({ at: LATER }))
      const times = { from: NOW - 1, until: LATER }
      const [first, second] = await store.listMovements(HOME, times, null, 2)
      expect([first, second]).toMatchObject([
        { transaction_id: 'b', part: 'p-1' },
        { transaction_id: 'a', part: 'p-3' },
      ])
      expect(await store.listMovements(HOME, times, second!, 2)).toMatchObject([{ part: 'p-2' }])
      expect(await store.listMovements(ELSEWHERE[0]!, times, null, 2)).toEqual([])
    })

    test('tell that another transaction was paid with the same receipt', async () => {
      const store = await opened(newRow('a'), newRow('b'), newRow('c'))
      await commit(store, 'a', moved(), moved({ part: 'p-2', receipt: 'ANOTHER' }))
      await commit(store, 'b', moved())
      await commit(store, 'c', moved({ receipt: null }))
      const rows = await store.searchMovements(HOME, { amount: '1500', limit: 10 })
      expect(
        rows.filter(({ is_shared }) => is_shared).map(({ transaction_id, part }) => transaction_id + part),
      ).toEqual(['bp-1', 'ap-1'])
    })

    test('name the keys of their fingerprints, each with its newest time', async () => {
      const store = await opened(newRow('a'), newRow('b'))
      expect(await store.listMovementKeys(HOME)).toEqual([])
      await commit(store, 'a', moved(), moved({ part: 'p-2', at: LATER }))
      await commit(store, 'b', moved({ key: 'k-2' }), moved({ part: 'p-2', key: null }))
      expect(await store.listMovementKeys(HOME)).toEqual([
        { key: 'k-1', newest: LATER },
        { key: 'k-2', newest: NOW },
      ])
      expect(await store.listMovementKeys(ELSEWHERE[0]!)).toEqual([])
    })

    test('are not found any more once the data of the person are erased, and stay in their day', async () => {
      const store = await opened(newRow('a'))
      await commit(store, 'a', moved())
      const nobody = { isFound: false, receipt: null, phone: null, ends: null, key: null }
      const erased = { record: {}, movements: [moved(nobody)] }
      expect(await store.erase('a', 1, erased, null, [])).toBe('changed')
      expect(await found(store, { phone: ['of a phone'] })).toEqual(['a'])
      expect(await store.erase('a', 2, erased, null, [])).toBe('erased')
      for (const query of [{ receipt: 'QK71P0ZX' }, { order: 'a' }, { phone: ['of a phone'] }, {}]) {
        expect(await found(store, query)).toEqual([])
      }

      expect(await store.listMovements(HOME, { from: 0, until: LATER }, null, 10)).toMatchObject([
        { amount: '1500', receipt: null },
      ])
      expect(await store.listMovementKeys(HOME)).toEqual([])
    })

    test('are deleted with a pruned transaction', async () => {
      const row = newRow('a', { due_at: null })
      const store = await opened(row)
      await commit(store, 'a', moved())
      const { account, kind, reference, group, attempt, outcome } = row
      const tombstone = { account, kind, reference, group, attempt, outcome, amount: '1500 KES', digest: 'x' }
      expect(await store.prune(NOW + 1, [tombstone])).toBe(1)
      expect(await listed(store)).toEqual([])
    })
  })
}
