import { describe, expect, test } from 'vitest'
import type { createStores } from './stored-rows.ts'
import { ELSEWHERE, event, HOME, LATER, newRow, NOW } from './stored-rows.ts'

type Opened = ReturnType<typeof createStores>['opened']

export function listContract(engine: string, opened: Opened): void {
  describe(`${engine}: a list`, () => {
    test('has the transactions of one kind and account, ordered by their last change', async () => {
      const rows = [newRow('a'), newRow('b'), newRow('c'), newRow('payout', { kind: 'payout' })]
      const store = await opened(...rows, newRow('elsewhere', { account: ELSEWHERE[0]! }))
      await store.commit('a', 1, { at: LATER, record: 1, outcome: 'paid' })
      const listed = await store.search(HOME, 'checkout', { limit: 10 })
      expect(listed.map(({ id }) => id)).toEqual(['b', 'c', 'a'])
    })

    test('starts after a row, and is filtered by outcome and time', async () => {
      const store = await opened(newRow('a'), newRow('b'), newRow('c'))
      await store.commit('a', 1, { at: LATER, record: 1, outcome: 'paid' })
      const ids = async (query: object) =>
        (await store.search(HOME, 'checkout', { limit: 2, ...query })).map(({ id }) => id)
      expect(await ids({})).toEqual(['b', 'c'])
      expect(await ids({ after: { updated_at: NOW, id: 'c' } })).toEqual(['a'])
      expect(await ids({ outcome: 'waiting', after: { updated_at: NOW, id: 'b' } })).toEqual(['c'])
      expect(await ids({ outcome: 'paid' })).toEqual(['a'])
      expect(await ids({ updatedSince: NOW + 1 })).toEqual(['a'])
    })

    test('of events has each once, oldest first, with its delivery', async () => {
      const store = await opened(newRow('a'), newRow('elsewhere', { account: ELSEWHERE[0]! }))
      await store.commit('elsewhere', 1, { at: NOW, record: 1, events: [event('not here')] })
      await store.commit('a', 1, { at: NOW, record: 1, events: [event('e'), event('f'), event('g')] })
      await store.finishEvent('e', { kind: 'given_up' }, NOW)
      const [first, second] = await store.listEvents(HOME, 0, 2)
      expect(first).toMatchObject({ ...event('e'), transaction_id: 'a', finish: 'given_up' })
      expect(second).toMatchObject({ ...event('f'), created_at: NOW, finish: null })
      expect(await store.listEvents(HOME, second!.sequence, 2)).toMatchObject([event('g')])
    })

    test('of events skips none while others are added', async () => {
      const store = await opened(...Array.from({ length: 30 }, (_, index) => newRow(`${index}`)))
      let isAdding = true
      const seen: string[] = []
      const read = async () => {
        let after = 0
        for (let isLast = false; !isLast;) {
          isLast = !isAdding
          const events = await store.listEvents(HOME, after, 100)
          seen.push(...events.map(({ id }) => id))
          after = events.at(-1)?.sequence ?? after
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      const add = async () => {
        const events = (index: number) => [event(`e${index}`), event(`f${index}`)]
        const change = (index: number) => ({ at: NOW, record: 1, events: events(index) })
        await Promise.all(
          Array.from({ length: 30 }, (_, index) => store.commit(`${index}`, 1, change(index))),
        )
        isAdding = false
      }
      await Promise.all([read(), add()])
      expect(seen).toHaveLength(60)
      expect(new Set(seen).size).toBe(60)
    })

    test('is counted by queue and outcome, up to a limit', async () => {
      const store = await opened(newRow('a'), newRow('b'), newRow('later', { due_at: LATER }))
      await store.commit('a', 1, { at: NOW, record: 1, outcome: 'paid', events: [event('e')] })
      const due = (queue: 'transactions' | 'events' | 'retries') => ({ of: 'due', queue, now: NOW }) as const
      expect(await store.count(HOME, due('transactions'), 10)).toBe(2)
      expect(await store.count(HOME, due('transactions'), 1)).toBe(1)
      expect([
        await store.count(HOME, due('events'), 10),
        await store.count(HOME, due('retries'), 10),
      ]).toEqual([1, 0])
      expect(await store.count(HOME, { of: 'undelivered' }, 10)).toBe(1)
      expect(await store.count(HOME, { of: 'outcome', kind: 'checkout', outcome: 'paid' }, 10)).toBe(1)
    })

    test('counts due transactions of other accounts', async () => {
      const store = await opened(newRow('a'))
      expect(await store.countWaitingElsewhere(HOME)).toBe(0)
      expect(await store.countWaitingElsewhere(ELSEWHERE[0]!)).toBe(1)
    })
  })
}
