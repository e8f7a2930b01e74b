/** What every engine of the store has to keep of work and events that wait. */

import { describe, expect, test } from 'vitest'
import type { Store } from '../../server/store.ts'
import type { createStores } from './stored-rows.ts'
import { claimed, ELSEWHERE, event, HOME, LATER, LIMIT, newRow, NOW, taken } from './stored-rows.ts'

type Opened = ReturnType<typeof createStores>['opened']

export function queueContract(engine: string, opened: Opened): void {
  describe(`${engine}: what is due`, () => {
    test('is claimed when its time has come, and not before', async () => {
      const store = await opened(
        newRow('a'),
        newRow('later', { due_at: LATER }),
        newRow('never', { due_at: null }),
      )
      expect(await claimed(store, NOW - 1)).toEqual([])
      expect(await claimed(store, NOW)).toEqual(['a'])
      expect(await claimed(store, LATER)).toEqual(['a', 'later'])
    })

    test('is claimed by one, until the lease ends', async () => {
      const store = await opened(newRow('a'))
      expect(await claimed(store, NOW, NOW + 1_000)).toEqual(['a'])
      expect(await claimed(store, NOW + 999)).toEqual([])
      expect(await claimed(store, NOW + 1_000)).toEqual(['a'])
    })

    test('is free again once it was committed', async () => {
      const store = await opened(newRow('a'))
      await claimed(store, NOW, NOW + 1_000)
      await store.commit('a', 1, { at: NOW, due_at: NOW + 10 })
      expect(await claimed(store, NOW + 10)).toEqual(['a'])
    })

    test('is claimed at most so many at a time, the longest due first', async () => {
      const rows = Array.from({ length: 12 }, (_, index) => newRow(`row ${index}`, { due_at: NOW - index }))
      const store = await opened(...rows)
      const first = await claimed(store, NOW)
      expect(first).toHaveLength(LIMIT)
      expect(await claimed(store, NOW)).toEqual(['row 0', 'row 1'])
    })

    test('stays with its own home', async () => {
      const store = await opened(newRow('a'))
      for (const account of ELSEWHERE) {
        expect(await claimed(store, LATER, LATER, account)).toEqual([])
        expect(await store.nextDue(account, 'transactions')).toBeNull()
      }
    })

    test('is told ahead, leases considered', async () => {
      const store = await opened(newRow('a'), newRow('b', { due_at: LATER }), newRow('c', { due_at: null }))
      expect(await store.nextDue(HOME, 'transactions')).toBe(NOW)
      await claimed(store, NOW, NOW + 1_000)
      expect(await store.nextDue(HOME, 'transactions')).toBe(NOW + 1_000)
      await store.commit('a', 1, { at: NOW, due_at: null })
      expect(await store.nextDue(HOME, 'transactions')).toBe(LATER)
    })
  })

  describe(`${engine}: events`, () => {
    async function told(): Promise<Store> {
      const store = await opened(newRow('a'), newRow('b'))
      await store.commit('a', 1, { at: NOW, record: 1, events: [event('a1'), event('a2')] })
      await store.commit('b', 1, { at: NOW, record: 1, events: [event('b1')] })
      await store.commit('a', 2, { at: NOW, record: 2, events: [event('a3')] })
      return store
    }

    test('are taken whole, the oldest of each transaction', async () => {
      const store = await told()
      const events = await store.claimEvents(HOME, 'events', NOW, LATER, LIMIT)
      expect(events).toHaveLength(2)
      const first = { ...event('a1'), transaction_id: 'a', created_at: NOW, failures: 0 }
      expect(events.find(({ id }) => id === 'a1')).toMatchObject(first)
    })

    test('keep their order: one waits until those before it are delivered', async () => {
      const store = await told()
      expect(await taken(store, NOW, NOW)).toEqual(['a1', 'b1'])
      await store.finishEvent('a1', { kind: 'retry', at: LATER, othersAt: LATER }, NOW)
      await store.finishEvent('b1', { kind: 'delivered' }, NOW)
      expect(await taken(store, LATER - 1, LATER - 1)).toEqual([])
      expect(await taken(store, LATER, LATER)).toEqual(['a1'])
      await store.finishEvent('a1', { kind: 'given_up' }, LATER)
      expect(await taken(store, LATER, LATER)).toEqual(['a2'])
      await store.finishEvent('a2', { kind: 'delivered' }, LATER)
      expect(await taken(store, LATER, LATER)).toEqual(['a3'])
    })

    test('about one recipient keep their order, and one that failed lets those about others pass', async () => {
      const store = await opened(newRow('a'))
      const about = (whom: string, id: string) => ({ ...event(id), about: whom })
      const events = [about('x', 'x1'), about('x', 'x2'), about('y', 'y1'), about('z', 'z1')]
      await store.commit('a', 1, { at: NOW, record: 1, events })
      expect(await taken(store, NOW, NOW + 1)).toEqual(['x1'])
      await store.finishEvent('x1', { kind: 'retry', at: LATER, othersAt: NOW + 9 }, NOW)
      expect([await taken(store, NOW + 8), await store.nextDue(HOME, 'events')]).toEqual([[], NOW + 9])
      expect(await taken(store, NOW + 9)).toEqual(['y1'])
      for (const next of ['z1', 'x1', 'x2']) {
        await store.finishEvent(
          next === 'z1' ? 'y1' : next === 'x1' ? 'z1' : 'x1',
          { kind: 'delivered' },
          NOW,
        )
        expect(await taken(store, LATER)).toEqual([next])
      }
    })

    test('are leased like transactions', async () => {
      const store = await told()
      expect(await taken(store, NOW, NOW + 1_000)).toEqual(['a1', 'b1'])
      expect(await taken(store, NOW + 999)).toEqual([])
      expect(await taken(store, NOW + 1_000)).toEqual(['a1', 'b1'])
    })

    test('count their failures', async () => {
      const store = await told()
      await store.finishEvent('a1', { kind: 'retry', at: NOW, othersAt: NOW }, NOW)
      await store.finishEvent('a1', { kind: 'retry', at: NOW, othersAt: NOW }, NOW)
      const events = await store.claimEvents(HOME, 'retries', NOW, LATER, LIMIT)
      expect(events.find(({ id }) => id === 'a1')).toMatchObject({ failures: 2 })
    })

    test('stay with their own home', async () => {
      const store = await told()
      for (const account of ELSEWHERE) {
        expect(await taken(store, LATER, LATER, account)).toEqual([])
        expect(await store.nextDue(account, 'events')).toBeNull()
      }
    })

    test('are told ahead by the one that is next', async () => {
      const store = await told()
      expect(await store.nextDue(HOME, 'events')).toBe(NOW)
      await store.finishEvent('b1', { kind: 'delivered' }, NOW)
      await store.finishEvent('a1', { kind: 'retry', at: LATER, othersAt: LATER }, NOW)
      const nextDue = async () => [await store.nextDue(HOME, 'events'), await store.nextDue(HOME, 'retries')]
      expect(await nextDue()).toEqual([null, LATER])
      await store.hastenRetries(HOME, NOW, 1_000)
      expect((await nextDue())[1]).toBeLessThan(NOW + 1_000)
      for (const id of ['a1', 'a2', 'a3']) await store.finishEvent(id, { kind: 'delivered' }, LATER)
      expect(await nextDue()).toEqual([null, null])
    })
  })
}
