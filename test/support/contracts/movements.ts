import { describe, expect, test } from 'vitest'

import { CountedElsewhereError } from '../../../server/store/errors.ts'
import { ELSEWHERE, event, HOME, LATER, newRow, NOW } from './stored-rows.ts'

import type { Movement, MovementQuery } from '../../../server/store/movements.ts'
import type { Tombstone } from '../../../server/store/retention.ts'
import type { Store } from '../../../server/store/store.ts'
import type { NewTransaction } from '../../../server/store/transactions.ts'

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

const tombstoneOf = ({ account, kind, reference, group, attempt, outcome }: NewTransaction): Tombstone => ({
  account,
  kind,
  reference,
  group,
  attempt,
  outcome,
  amount: '1500 KES',
  digest: 'of the request',
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
        {
          ...stored,
          booked: '1500',
          booked_at: NOW,
          corrects: null,
          transaction_id: 'a',
          kind: 'checkout',
          is_shared: false,
        },
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

    const whole = (fields: Partial<Movement> = {}) =>
      moved({ part: '', receipt: null, operator: null, ...fields })
    const back = (fields: Partial<Movement> = {}) => moved({ moved: 'reversed', at: NOW + 1, ...fields })
    const follow = async (before: Movement[], after: Movement[], open_since: number, at = LATER) => {
      const store = await opened(newRow('a'), newRow('b'))
      await commit(store, 'b', moved({ part: 'p-9', amount: '1' }))
      await commit(store, 'a', ...before)
      await store.commit('a', 2, { at, open_since, record: {}, movements: after })
      return store
    }
    const bookings = async (store: Store) =>
      (await store.listMovements(HOME, { from: 0, until: LATER + 100 }, null, 20)).filter(
        ({ transaction_id }) => transaction_id === 'a',
      )

    test.each<[string, Movement[], Movement[], object[]]>([
      [
        'corrected with another amount and receipt',
        [moved({ amount: '50', receipt: null })],
        [moved({ at: LATER })],
        [{ at: NOW, booked: '1500', receipt: 'QK71P0ZX' }],
      ],
      [
        'corrected with another currency',
        [moved({ currency: 'UGX' })],
        [moved({ at: LATER })],
        [{ at: LATER, booked: '1500', currency: 'KES' }],
      ],
      [
        'added with another payment, on the day of that payment',
        [moved()],
        [moved({ at: LATER }), moved({ part: 'p-2', at: NOW - 1 })],
        [
          { at: NOW - 1, part: 'p-2' },
          { at: NOW, part: 'p-1' },
        ],
      ],
      [
        'replaced by the payment of the whole',
        [whole()],
        [moved({ at: LATER })],
        [{ at: NOW, part: 'p-1', receipt: 'QK71P0ZX', operator: 'MOMO_KEN' }],
      ],
      [
        'replaced by the payments of the whole',
        [whole()],
        [moved({ at: LATER, amount: '1000' }), moved({ at: LATER, part: 'p-2', amount: '500' })],
        [
          { at: NOW, part: 'p-1', booked: '1000' },
          { at: LATER, part: 'p-2', booked: '500' },
        ],
      ],
      [
        'replaced under another id, with what went back',
        [moved(), back()],
        [moved({ part: 'p-2', at: LATER }), back({ part: 'p-2', moved: 'refunded', at: LATER })],
        [
          { at: NOW, part: 'p-2', moved: 'paid' },
          { at: NOW + 1, part: 'p-2', moved: 'refunded' },
        ],
      ],
      [
        'returned once, by a reversal and then a refund',
        [moved(), back()],
        [moved({ at: LATER }), back({ moved: 'refunded', at: LATER })],
        [
          { at: NOW, moved: 'paid' },
          { at: NOW + 1, moved: 'refunded' },
        ],
      ],
      [
        'returned once, by a refund and then a reversal',
        [moved(), back({ moved: 'refunded' })],
        [moved(), back({ at: LATER })],
        [
          { at: NOW, moved: 'paid' },
          { at: NOW + 1, moved: 'reversed' },
        ],
      ],
      [
        'taken back with a return that was withdrawn',
        [moved(), back()],
        [moved({ at: LATER })],
        [{ at: NOW, moved: 'paid' }],
      ],
      [
        'paid after all, on the day of the payment',
        [moved({ moved: 'failed' })],
        [moved({ at: LATER })],
        [{ at: LATER, moved: 'paid' }],
      ],
      ['taken back with all that was paid', [moved()], [], []],
    ])('are replaced as the record has them, while their day is open: %s', async (_, ...steps) => {
      const [before, after, expected] = steps
      const store = await follow(before, after, 0)
      const stored = await bookings(store)
      expect(stored).toMatchObject(
        expected.map((each) => ({ booked_at: Object(each).at, corrects: null, ...each })),
      )
      expect(stored).toHaveLength(expected.length)
      const all = await store.searchMovements(HOME, { limit: 10 })
      expect(all).toHaveLength(1 + stored.filter((movement) => movement.moved === 'paid').length)
    })

    const PAID = { booked_at: NOW, moved: 'paid', booked: '1500', corrects: null }
    const BACK = { booked_at: NOW + 1, moved: 'reversed', booked: '1500', corrects: null }
    test.each<[string, Movement[], Movement[], object[]]>([
      [
        'another amount and receipt',
        [moved({ amount: '50', receipt: null })],
        [moved({ at: LATER + 1 })],
        [
          { ...PAID, booked: '50', amount: '1500', receipt: 'QK71P0ZX' },
          { at: NOW, booked_at: LATER, moved: 'paid', booked: '1450', corrects: NOW },
        ],
      ],
      [
        'another currency',
        [moved({ currency: 'UGX' })],
        [moved()],
        [
          { ...PAID, currency: 'UGX' },
          { booked_at: LATER, booked: '1500', currency: 'KES', corrects: null },
          { booked_at: LATER, booked: '-1500', currency: 'UGX', corrects: NOW },
        ],
      ],
      [
        'another payment, whose day is closed as well',
        [moved()],
        [moved(), moved({ part: 'p-2', at: NOW - 1 })],
        [PAID, { ...PAID, at: NOW - 1, booked_at: LATER, part: 'p-2' }],
      ],
      [
        'the payment of the whole',
        [whole()],
        [moved()],
        [{ ...PAID, part: 'p-1', receipt: 'QK71P0ZX', operator: null }],
      ],
      [
        'the payments of the whole',
        [whole()],
        [moved({ amount: '1000' }), moved({ part: 'p-2', amount: '500' })],
        [
          { ...PAID, part: 'p-1', amount: '1000' },
          { booked_at: LATER, part: 'p-1', moved: 'paid', booked: '-500', corrects: NOW },
          { booked_at: LATER, part: 'p-2', moved: 'paid', booked: '500', corrects: null },
        ],
      ],
      [
        'a refund in place of a reversal',
        [moved(), back()],
        [moved(), back({ moved: 'refunded', at: LATER })],
        [PAID, BACK],
      ],
      [
        'a reversal that was withdrawn',
        [moved(), back()],
        [moved()],
        [PAID, BACK, { booked_at: LATER, moved: 'reversed', booked: '-1500', corrects: NOW + 1 }],
      ],
      [
        'all that was paid was taken back',
        [moved()],
        [],
        [PAID, { booked_at: LATER, moved: 'paid', booked: '-1500', corrects: NOW }],
      ],
      [
        'paid after all',
        [moved({ moved: 'failed' })],
        [moved()],
        [
          { ...PAID, moved: 'failed' },
          { ...PAID, at: NOW, booked_at: LATER },
        ],
      ],
      [
        'what went back today',
        [moved()],
        [moved(), back({ at: LATER + 1 })],
        [PAID, { ...BACK, at: LATER + 1, booked_at: LATER + 1 }],
      ],
      ['what becomes known late', [], [moved()], [{ ...PAID, at: NOW, booked_at: LATER }]],
    ])('stay in a day that is closed, and are corrected when it becomes known: %s', async (_, ...steps) => {
      const [before, after, expected] = steps
      const store = await follow(before, after, LATER - 1)
      const stored = await bookings(store)
      expect(stored).toMatchObject(expected)
      expect(stored).toHaveLength(expected.length)
      const found = await store.searchMovements(HOME, { limit: 10 })
      const owed = after.filter((movement) => movement.moved === 'paid')
      expect(found.filter((movement) => movement.transaction_id === 'a')).toHaveLength(owed.length)
      for (const { amount, part, currency } of owed) {
        expect(found).toContainEqual(expect.objectContaining({ amount, part, currency }))
      }
    })

    test('are corrected again and again, each day by what it lacks', async () => {
      const store = await follow([moved(), back()], [moved()], LATER - 1)
      const change = { record: {}, open_since: LATER - 1 }
      await store.commit('a', 3, { ...change, at: LATER + 1, movements: [moved(), back({ at: LATER + 1 })] })
      expect(await bookings(store)).toMatchObject([PAID, BACK])
      await store.commit('a', 4, { ...change, at: LATER + 2, movements: [moved()] })
      expect(await bookings(store)).toMatchObject([PAID, BACK, { booked_at: LATER + 2, booked: '-1500' }])
      await store.commit('a', 5, {
        record: {},
        open_since: LATER + 10,
        at: LATER + 11,
        movements: [moved({ amount: '1600' }), back({ moved: 'refunded', at: LATER + 11 })],
      })
      expect(await bookings(store)).toMatchObject([
        PAID,
        BACK,
        { booked_at: LATER + 2, moved: 'reversed', booked: '-1500', corrects: NOW + 1 },
        { booked_at: LATER + 11, moved: 'paid', booked: '100', corrects: NOW },
        { booked_at: LATER + 11, moved: 'refunded', booked: '1500', corrects: NOW + 1 },
      ])
      const found = await store.searchMovements(HOME, { amount: '1600', limit: 10 })
      expect(found).toMatchObject([{ transaction_id: 'a', at: NOW }])
    })

    test('stay as they are with a change that leaves them out', async () => {
      const store = await opened(newRow('a'))
      await commit(store, 'a', moved())
      await store.commit('a', 2, { at: LATER, record: {}, historyEntry: 'x' })
      expect(await listed(store)).toEqual(['a p-1 paid'])
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
      const unknown = { currency: '', service: null, operator: null }
      const nobody = { ...unknown, isFound: false, receipt: null, phone: null, ends: null, key: null }
      const erased = { record: {}, movements: [moved(nobody)] }
      expect(await store.erase('a', 1, erased, null, [])).toBe('changed')
      expect(await found(store, { phone: ['of a phone'] })).toEqual(['a'])
      expect(await store.erase('a', 2, erased, null, [])).toBe('erased')
      for (const query of [{ receipt: 'QK71P0ZX' }, { order: 'a' }, { phone: ['of a phone'] }, {}]) {
        expect(await found(store, query)).toEqual([])
      }

      const { currency, service, operator } = moved()
      const day = { amount: '1500', receipt: null, currency, service, operator }
      expect(await store.listMovements(HOME, { from: 0, until: LATER }, null, 10)).toMatchObject([day])
      expect(await store.listMovementKeys(HOME)).toEqual([])

      const reversed = moved({ ...nobody, moved: 'reversed', at: LATER })
      await store.commit('a', 3, { at: LATER, record: {}, movements: [moved(nobody), reversed] })
      expect(await store.listMovements(HOME, { from: LATER, until: LATER + 1 }, null, 10)).toMatchObject([
        { ...day, moved: 'reversed' },
      ])
      expect(await found(store, {})).toEqual([])
    })

    test('are deleted with a pruned transaction', async () => {
      const row = newRow('a', { due_at: null })
      const store = await opened(row)
      await commit(store, 'a', moved())
      expect(await store.prune(NOW + 1, [tombstoneOf(row)])).toBe(1)
      expect(await listed(store)).toEqual([])
    })
  })

  const paid = (payment: string, fields: Partial<Movement> = {}) =>
    moved({ part: payment, payment, ...fields })
  const elsewhereIn = (committing: Promise<unknown>) =>
    committing.then(
      () => null,
      (error: unknown) => {
        if (error instanceof CountedElsewhereError) {
          return Object.fromEntries(error.elsewhere)
        }
        throw error
      },
    )

  describe(`${engine}: counted payments`, () => {
    test('a payment counts for one transaction of an account: another commit with it changes nothing', async () => {
      const [elsewhere] = ELSEWHERE
      const store = await opened(
        newRow('a'),
        newRow('b', { kind: 'charge' }),
        newRow('c', { account: elsewhere! }),
      )
      await commit(store, 'a', paid('tx-1'))
      const second = store.commit('b', 1, {
        at: LATER,
        record: { name: 'new' },
        events: [event('e')],
        movements: [paid('tx-2'), paid('tx-1')],
      })
      expect(await elsewhereIn(second)).toEqual({ 'tx-1': 'reference of a' })
      expect(await store.find('b')).toMatchObject({ version: 1, record: newRow('b').record })
      expect(await store.listEventsOf('b')).toEqual([])
      expect(await listed(store)).toEqual(['a tx-1 paid'])
      expect(await elsewhereIn(commit(store, 'c', paid('tx-1'), paid('tx-2')))).toBeNull()
      expect(await elsewhereIn(commit(store, 'b', paid('tx-2')))).toBeNull()
    })

    test('a payment counts for its transaction, whatever is heard of it later', async () => {
      const store = await opened(newRow('a'), newRow('b'))
      await commit(store, 'a', paid('tx-1'))
      const later: Movement[][] = [
        [paid('tx-1'), paid('tx-1', { moved: 'reversed' })],
        [],
        [paid('tx-1'), paid('tx-2')],
      ]
      for (const [index, movements] of later.entries()) {
        await store.commit('a', index + 2, { at: LATER, record: {}, movements })
        expect(await elsewhereIn(commit(store, 'b', paid('tx-1')))).toEqual({ 'tx-1': 'reference of a' })
      }
    })

    test('a payment counts for a transaction that was erased and then pruned', async () => {
      const row = newRow('a', { due_at: null })
      const store = await opened(row, newRow('b'))
      await commit(store, 'a', paid('tx-1'))
      expect(await store.erase('a', 2, { record: {}, personal: null, movements: [] }, null, [])).toBe(
        'erased',
      )
      expect(await store.prune(LATER, [tombstoneOf(row)])).toBe(1)
      expect(await elsewhereIn(commit(store, 'b', paid('tx-1')))).toEqual({ 'tx-1': 'reference of a' })
    })

    test('a payment counts for one of the transactions that are committed at the same time', async () => {
      const ids = ['a', 'b', 'c', 'd', 'e']
      const store = await opened(...ids.map((id) => newRow(id)))
      const payments = [paid('tx-1'), paid('tx-2')]
      const refused = await Promise.all(
        ids.map((id, index) => {
          // Two commits whose payments are in another order do not wait for each other.
          const ordered = index % 2 === 0 ? payments : payments.toReversed()
          return elsewhereIn(commit(store, id, ...ordered))
        }),
      )
      expect(refused.filter((each) => each === null)).toHaveLength(1)
      expect(await listed(store)).toHaveLength(2)
    })
  })
}
