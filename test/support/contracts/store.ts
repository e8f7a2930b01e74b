import { describe, expect, test } from 'vitest'

import { erasureContract } from './erasure.ts'
import { linkContract } from './links.ts'
import { movementContract } from './movements.ts'
import { promptContract } from './prompts.ts'
import { queueContract } from './queue.ts'
import { retentionContract } from './retention.ts'
import { claimed, createStores, ELSEWHERE, event, HOME, LATER, newRow, NOW, taken } from './stored-rows.ts'

import type { Store } from '../../../server/store/store.ts'
import type { NewTransaction } from '../../../server/store/transactions.ts'
import type { Database } from './stored-rows.ts'

export function storeContract(engine: string, makeDatabase: () => Promise<Database>): void {
  const { made, opened, reopened } = createStores(makeDatabase)

  describe(`${engine}: a row`, () => {
    test('a row is read as it was inserted', async () => {
      const row = newRow('a')
      const store = await opened(row)
      const asked = { asked_at: null, requested_at: null, requested_revision: null, failures: 0 }
      const found = {
        ...row,
        ...asked,
        recovered_at: null,
        version: 1,
        revision: 1,
        updated_at: NOW,
        personal: null,
      }
      expect(await store.find('a')).toEqual(found)
      expect(await store.findByReference(HOME, 'checkout', row.reference)).toEqual(found)
      expect(await store.list(HOME, 'checkout', 'a')).toEqual([found])
    })

    test('a row that was not inserted is not found', async () => {
      const store = await opened()
      expect(await store.find('a')).toBeNull()
      expect(await store.findByReference(HOME, 'checkout', 'a')).toBeNull()
      expect(await store.list(HOME, 'checkout', 'a')).toEqual([])
      expect(await store.commit('a', 1, { at: NOW, record: {} })).toBeNull()
      expect(await store.history('a')).toEqual([])
    })

    test('a row is not found by a text that goes on, or begins, with NUL', async () => {
      const store = await opened(newRow('a'))
      for (const text of ['a\0', 'a\0b', '\0a', '\0']) {
        expect(await store.find(text)).toBeNull()
        expect(await store.findByReference(HOME, 'checkout', `reference of ${text}`)).toBeNull()
        expect(await store.list(HOME, 'checkout', text)).toEqual([])
        expect(await store.commit(text, 1, { at: NOW, record: {} })).toBeNull()
      }
    })

    test.each<[string, Partial<NewTransaction>]>([
      ['id', { id: 'a' }],
      ['reference', { reference: 'reference of a' }],
      ['reference in another case', { reference: 'REFERENCE of A' }],
      ['attempt of a group', { group: 'a' }],
      ['attempt of a group in another case', { group: 'A' }],
    ])('a row is rejected if its %s exists', async (_, same) => {
      const store = await opened(newRow('a'))
      expect(await store.insert({ ...newRow('b'), record: 'another', ...same })).toBe(false)
      expect(await store.find('a')).toMatchObject(newRow('a'))
      expect(await store.find('b')).toBeNull()
    })

    test('a row is inserted with all others of the call or none', async () => {
      const store = await opened(newRow('a'))
      expect(await store.insert(newRow('b'), newRow('c'))).toBe(true)
      expect(await store.insert(newRow('d'), newRow('e', { reference: 'reference of a' }), newRow('f'))).toBe(
        false,
      )
      for (const id of ['b', 'c']) {
        expect(await store.find(id)).toMatchObject({ id })
      }

      for (const id of ['d', 'e', 'f']) {
        expect(await store.find(id)).toBeNull()
      }
    })

    test('a row belongs to a store with a number of its own, which stays', async () => {
      const database = await made()
      const store = await database.open()
      const marks = await store.marks()
      expect(marks).toEqual({ store: expect.any(Number), recovered: null, compared: null })
      expect(marks.store).toBeGreaterThan(0)
      await store.close()
      const again = await reopened(database)
      expect(await again.marks()).toEqual(marks)
      for (const compared of [1, 2]) {
        await again.saveCompared(compared)
        expect(await again.marks()).toEqual({ ...marks, compared })
      }
    })

    test('a row does not conflict with the same row of another account', async () => {
      const store = await opened(newRow('a'))
      for (const [index, account] of ELSEWHERE.entries()) {
        expect(await store.insert({ ...newRow('a'), id: `elsewhere ${index}`, account })).toBe(true)
        expect(await store.list(account, 'checkout', 'a')).toHaveLength(1)
        const found = await store.findByReference(account, 'checkout', 'reference of a')
        expect(found).toMatchObject({ id: `elsewhere ${index}`, account })
      }
    })

    test('a row is found in every case of its references, and keeps its spelling', async () => {
      const row = newRow('a', { reference: 'Ref-1', group: 'Order 1' })
      const store = await opened(row, newRow('b'))
      for (const reference of ['Ref-1', 'REF-1', 'ref-1']) {
        expect(await store.findByReference(HOME, 'checkout', reference)).toMatchObject(row)
      }

      for (const group of ['Order 1', 'ORDER 1', 'order 1']) {
        expect(await store.list(HOME, 'checkout', group)).toMatchObject([row])
      }

      expect(await store.findByReference(HOME, 'checkout', 'Ref_1')).toBeNull()
    })

    test('a row is listed with its group, first attempt first', async () => {
      const attempts = [3, 1, 2].map((attempt) => newRow(`a${attempt}`, { group: 'a', attempt }))
      const store = await opened(...attempts, newRow('b'))
      expect((await store.list(HOME, 'checkout', 'a')).map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    })

    test('a row that is inserted by several calls at once is inserted once', async () => {
      const store = await opened()
      const rows = Array.from({ length: 20 }, (_, index) => newRow(`a${index}`, { group: 'a' }))
      const all = await Promise.all(rows.map((row) => store.insert(row)))
      expect(all.filter(Boolean)).toHaveLength(1)
    })
  })

  describe(`${engine}: a commit`, () => {
    test('a commit changes the given fields and keeps the others', async () => {
      const store = await opened(newRow('a'))
      const facts = { asked_at: NOW + 5, requested_at: NOW + 6, requested_revision: 2 }
      const saved = await store.commit('a', 1, { at: LATER, record: { phase: 'new' }, ...facts })
      expect(saved).toMatchObject({
        version: 2,
        record: { phase: 'new' },
        updated_at: LATER,
        created_at: NOW,
        ...facts,
        due_at: NOW,
        failures: 0,
      })
      expect(await store.find('a')).toEqual(saved)
    })

    test('a commit without a new record keeps the version, and raises the revision', async () => {
      const store = await opened(newRow('a'))
      const change = { due_at: null, failures: 2, requested_at: NOW + 1, requested_revision: 2 }
      const saved = await store.commit('a', 1, { at: LATER, ...change })
      expect(saved).toMatchObject({ version: 1, revision: 2, updated_at: NOW, ...change })
      const served = await store.commit('a', 2, { at: LATER, requested_revision: null })
      expect(served).toEqual({ ...saved, revision: 3, requested_revision: null })
    })

    test.each<[string, due_at: number | null, change: (store: Store) => Promise<unknown>]>([
      ['a commit', NOW, (store) => store.commit('a', 2, { at: NOW })],
      ['a requested query', NOW, (store) => store.requestQuery('a', 2, NOW)],
      ['a claim', NOW, (store) => claimed(store, NOW)],
      ['the end of an outage', LATER, (store) => store.bringQueriesForward(HOME, NOW, 1)],
      ['a clock that was set back', NOW, (store) => store.correctFutureTimes(HOME, NOW - 1, NOW)],
      ['a new secret', NOW, (store) => store.reseal({ id: 'a', personal: 'sealed' }, 'sealed anew')],
      ['an erasure', null, (store) => store.erase('a', 2, { record: {} }, null, [])],
    ])('a commit on a row that %s has changed since changes nothing', async (_, due_at, change) => {
      const store = await opened(newRow('a', { due_at, personal: 'sealed' }))
      const before = await store.commit('a', 1, { at: NOW, failures: 1 })
      await change(store)
      const changed = await store.find('a')
      expect(changed?.revision).toBe(before!.revision + 1)
      expect(await store.commit('a', before!.revision, { at: LATER, failures: 9 })).toBeNull()
      expect(await store.find('a')).toEqual(changed)
      expect(await store.commit('a', changed!.revision, { at: LATER, failures: 9 })).toMatchObject({
        failures: 9,
      })
    })

    test('a commit on an old revision changes nothing', async () => {
      const store = await opened(newRow('a'))
      const saved = await store.commit('a', 1, { at: LATER, record: 'first' })
      const change = { at: LATER, record: 'second', historyEntry: 'x', events: [event('e')] }
      expect(await store.commit('a', 1, change)).toBeNull()
      expect(await store.find('a')).toEqual(saved)
      expect(await store.history('a')).toEqual([])
      expect(await taken(store, LATER)).toEqual([])
    })

    test('a commit on one revision by several calls at once changes the row once', async () => {
      const store = await opened(newRow('a'))
      await store.find('a')
      const commits = await Promise.all([
        store.commit('a', 1, { at: NOW, due_at: LATER }),
        store.commit('a', 1, { at: NOW, failures: 2, historyEntry: 'Failed.' }),
        store.commit('a', 1, { at: NOW, requested_at: LATER }),
        store.commit('a', 1, { at: LATER, record: 1, historyEntry: 'Settled.', events: [event('e')] }),
      ])
      const saved = commits.filter((row) => row !== null)
      expect(saved).toMatchObject([{ revision: 2 }])
      expect(await store.find('a')).toEqual(saved[0])
    })

    test.each(['with an event', 'of a new due time'])(
      'a commit %s beside a claim leaves a row that the next commit can change',
      async (what) => {
        const store = await opened(newRow('a', { due_at: NOW }))
        await store.find('a')
        const change = what === 'with an event' ? { record: 1, events: [event('e')] } : { due_at: NOW }
        await Promise.all([
          store.commit('a', 1, { at: NOW, ...change }),
          store.claimTransactions(HOME, NOW, LATER, 1),
        ])
        const row = await store.find('a')
        expect(await store.commit('a', row?.revision ?? 0, { at: LATER, failures: 1 })).not.toBeNull()
      },
    )

    test('a commit is atomic: with an event that cannot be stored, nothing is stored', async () => {
      const store = await opened(newRow('a'), newRow('b'))
      await store.commit('a', 1, { at: NOW, record: 'told', events: [event('e')] })
      const change = {
        at: LATER,
        record: 'half done',
        historyEntry: 'half done',
        events: [event('f'), event('e')],
      }
      await expect(store.commit('b', 1, change)).rejects.toThrow()
      expect(await store.find('b')).toMatchObject({ version: 1, record: newRow('b').record })
      expect(await store.history('b')).toEqual([])
      expect(await taken(store, LATER)).toEqual(['e'])
    })

    test('a commit appends to the history', async () => {
      const store = await opened(newRow('a'), newRow('b'))
      await store.commit('a', 1, { at: NOW, historyEntry: 'first' })
      await store.commit('a', 2, { at: LATER, historyEntry: 'second' })
      await store.commit('a', 3, { at: LATER, historyEntry: null })
      expect(await store.history('a')).toEqual([
        { at: NOW, what: 'first' },
        { at: LATER, what: 'second' },
      ])
      expect(await store.history('b')).toEqual([])
    })
  })

  linkContract(engine, makeDatabase)

  promptContract(engine, makeDatabase)
  queueContract(engine, opened)
  retentionContract(engine, opened)
  erasureContract(engine, opened)
  movementContract(engine, opened)

  describe(`${engine}: a list`, () => {
    test('a list has the transactions of one kind and account, ordered by their last change', async () => {
      const rows = [newRow('a'), newRow('b'), newRow('c'), newRow('payout', { kind: 'payout' })]
      const store = await opened(...rows, newRow('elsewhere', { account: ELSEWHERE[0]! }))
      await store.commit('a', 1, { at: LATER, record: 1, outcome: 'paid' })
      const listed = await store.search(HOME, 'checkout', { limit: 10 })
      expect(listed.map(({ id }) => id)).toEqual(['b', 'c', 'a'])
    })

    test('a list starts after a row, and is filtered by outcome and time', async () => {
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

    test('a list of events has each once, oldest first, with its delivery', async () => {
      const store = await opened(newRow('a'), newRow('elsewhere', { account: ELSEWHERE[0]! }))
      await store.commit('elsewhere', 1, { at: NOW, record: 1, events: [event('not here')] })
      await store.commit('a', 1, { at: NOW, record: 1, events: [event('e'), event('f'), event('g')] })
      await store.finishEvent('e', { kind: 'given_up' }, NOW)
      const [first, second] = await store.listEvents(HOME, 0, 2)
      expect(first).toMatchObject({ ...event('e'), transaction_id: 'a', finish: 'given_up' })
      expect(second).toMatchObject({ ...event('f'), created_at: NOW, finish: null })
      expect(await store.listEvents(HOME, second!.sequence, 2)).toMatchObject([event('g')])
    })

    test('a list of events skips none while others are added', async () => {
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

    test('a list is counted by queue and outcome, up to a limit', async () => {
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
  })

  describe(`${engine}: a merchant`, () => {
    test.each<[string, given: string[], another: 'refuse' | 'adopt', kept: string[]]>([
      ['keeps the account numbers that are not given', ['B'], 'refuse', ['A', 'B']],
      ['gains an account number beside a known one', ['C', 'A'], 'refuse', ['A', 'B', 'C']],
      ['with none of the account numbers changes nothing', ['C', 'D'], 'refuse', ['A', 'B']],
      ['with none of the account numbers adopts', ['C', 'D'], 'adopt', ['C', 'D']],
    ])('a merchant %s', async (_, given, another, kept) => {
      const database = await made()
      const before = await database.open()
      expect(await before.setMerchant(HOME, ['A', 'B'])).toEqual(['A', 'B'])
      for (const account of ELSEWHERE) {
        expect(await before.setMerchant(account, ['X'])).toEqual(['X'])
      }

      await before.close()
      const store = await reopened(database)
      expect((await store.setMerchant(HOME, given, another)).toSorted()).toEqual(kept)
      expect((await store.setMerchant(HOME, ['Z'])).toSorted()).toEqual(kept)
      for (const account of ELSEWHERE) {
        expect(await store.setMerchant(account, ['Z'])).toEqual(['X'])
      }
    })

    test('a merchant that starts beside another one, on a new store, is the only one or is refused', async () => {
      const store = await opened()
      const recorded = await Promise.all(['A', 'B', 'C'].map((number) => store.setMerchant(HOME, [number])))
      expect(recorded).toEqual([recorded[0], recorded[0], recorded[0]])
      expect(recorded[0]).toHaveLength(1)
    })
  })

  const mark = (issued_at: number, digest: string) => ({ issued_at, digest })

  describe(`${engine}: the mark of an order`, () => {
    test('the mark of an order is the newest one, and the first one of its second', async () => {
      const store = await opened()
      const stored: [given: ReturnType<typeof mark>, kept: ReturnType<typeof mark>][] = [
        [mark(5, 'a'), mark(5, 'a')],
        [mark(4, 'b'), mark(5, 'a')],
        [mark(5, 'b'), mark(5, 'a')],
        [mark(6, 'b'), mark(6, 'b')],
        [mark(5, 'a'), mark(6, 'b')],
      ]
      for (const [given, kept] of stored) {
        expect(await store.markOrder(HOME, 'A-1', given)).toEqual(kept)
      }
    })

    test('the mark of an order belongs to the order and to the merchant account', async () => {
      const store = await opened()
      await store.markOrder(HOME, 'A-1', mark(5, 'a'))
      expect(await store.markOrder(HOME, 'A-2', mark(4, 'b'))).toEqual(mark(4, 'b'))
      for (const account of ELSEWHERE) {
        expect(await store.markOrder(account, 'A-1', mark(4, 'b'))).toEqual(mark(4, 'b'))
      }
    })

    test('the mark of an order is that of the order in every case', async () => {
      const store = await opened()
      await store.markOrder(HOME, 'Case-1', mark(5, 'a'))
      expect(await store.markOrder(HOME, 'CASE-1', mark(4, 'b'))).toEqual(mark(5, 'a'))
    })

    test('the mark of an order is the newest one of several at once', async () => {
      const store = await opened()
      const marks = Array.from({ length: 20 }, (_, index) => mark((index * 7) % 20, `${index}`))
      const kept = await Promise.all(marks.map((each) => store.markOrder(HOME, 'A-1', each)))
      for (const [index, { issued_at }] of kept.entries()) {
        expect(issued_at).toBeGreaterThanOrEqual(marks[index]?.issued_at ?? 0)
      }

      expect(await store.markOrder(HOME, 'A-1', mark(0, 'x'))).toMatchObject({ issued_at: 19 })
    })
  })

  describe(`${engine}: a watcher`, () => {
    test('a watcher is called once for each change, after the commit', async () => {
      const store = await opened()
      const heard: string[] = []
      const stop = store.watch(({ id }) => heard.push(id))
      await store.insert(newRow('a'))
      await store.commit('a', 1, { at: NOW, record: 1 })
      await store.commit('a', 1, { at: NOW, record: 2 })
      await store.insert(newRow('a'))
      await expect.poll(() => heard).toEqual(['a', 'a'])
      stop()
      await store.commit('a', 2, { at: NOW, record: 3 })
      expect(heard).toEqual(['a', 'a'])
    })
  })

  describe(`${engine}: after a restart`, () => {
    test('after a restart, rows, history and events are unchanged', async () => {
      const database = await made()
      const before = await database.open()
      await before.insert(newRow('a'))
      await before.commit('a', 1, { at: NOW, record: 1, historyEntry: 'x', events: [event('e')] })
      const row = await before.find('a')
      await before.close()

      const after = await reopened(database)
      expect(await after.find('a')).toEqual(row)
      expect(await after.history('a')).toEqual([{ at: NOW, what: 'x' }])
      expect(await taken(after, LATER)).toEqual(['e'])
      expect(await claimed(after, LATER)).toEqual(['a'])
    })
  })

  test(`${engine}: a closed store rejects`, async () => {
    const database = await made()
    const store = await database.open()
    await store.close()
    await expect(store.ping()).rejects.toThrow()
    await expect(store.insert(newRow('a'))).rejects.toThrow()
  })
}
