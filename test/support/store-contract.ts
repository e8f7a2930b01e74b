import { describe, expect, test } from 'vitest'
import type { NewTransaction } from '../../server/store.ts'
import type { Database } from './stored-rows.ts'
import { listContract } from './list-contract.ts'
import { maskingContract } from './masking-contract.ts'
import { orderMarkContract } from './order-mark-contract.ts'
import { queueContract } from './queue-contract.ts'
import { retentionContract } from './retention-contract.ts'
import { claimed, createStores, ELSEWHERE, event, HOME, LATER, newRow, NOW, taken } from './stored-rows.ts'

export function storeContract(engine: string, makeDatabase: () => Promise<Database>): void {
  const { made, opened, reopened } = createStores(makeDatabase)

  describe(`${engine}: a row`, () => {
    test('is read as it was inserted', async () => {
      const row = newRow('a')
      const store = await opened(row)
      const found = { ...row, version: 1, updated_at: NOW, sent_at: null, asked_at: null, failures: 0 }
      expect(await store.find('a')).toEqual(found)
      expect(await store.findByReference(HOME, 'checkout', row.reference)).toEqual(found)
      expect(await store.list(HOME, 'checkout', 'a')).toEqual([found])
    })

    test('that was not inserted is not found', async () => {
      const store = await opened()
      expect(await store.find('a')).toBeNull()
      expect(await store.findByReference(HOME, 'checkout', 'a')).toBeNull()
      expect(await store.list(HOME, 'checkout', 'a')).toEqual([])
      expect(await store.commit('a', 1, { at: NOW, record: {} })).toBeNull()
      expect(await store.history('a')).toEqual([])
    })

    test.each<[string, Partial<NewTransaction>]>([
      ['id', { id: 'a' }],
      ['reference', { reference: 'reference of a' }],
      ['attempt of a group', { group: 'a' }],
    ])('is rejected if its %s exists', async (_, same) => {
      const store = await opened(newRow('a'))
      expect(await store.insert({ ...newRow('b'), record: 'another', ...same })).toBe(false)
      expect(await store.find('a')).toMatchObject(newRow('a'))
      expect(await store.find('b')).toBeNull()
    })

    test('is inserted with all others of the call or none', async () => {
      const store = await opened(newRow('a'))
      expect(await store.insert(newRow('b'), newRow('c'))).toBe(true)
      expect(await store.insert(newRow('d'), newRow('e', { reference: 'reference of a' }), newRow('f'))).toBe(
        false,
      )
      for (const id of ['b', 'c']) expect(await store.find(id)).toMatchObject({ id })
      for (const id of ['d', 'e', 'f']) expect(await store.find(id)).toBeNull()
    })

    test('does not conflict with the same row of another account', async () => {
      const store = await opened(newRow('a'))
      for (const [index, account] of ELSEWHERE.entries()) {
        expect(await store.insert({ ...newRow('a'), id: `elsewhere ${index}`, account })).toBe(true)
        expect(await store.list(account, 'checkout', 'a')).toHaveLength(1)
        const found = await store.findByReference(account, 'checkout', 'reference of a')
        expect(found).toMatchObject({ id: `elsewhere ${index}`, account })
      }
    })

    test('is listed with its group, first attempt first', async () => {
      const attempts = [3, 1, 2].map((attempt) => newRow(`a${attempt}`, { group: 'a', attempt }))
      const store = await opened(...attempts, newRow('b'))
      expect((await store.list(HOME, 'checkout', 'a')).map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    })

    test('that is inserted by several calls at once is inserted once', async () => {
      const store = await opened()
      const rows = Array.from({ length: 20 }, (_, index) => newRow(`a${index}`, { group: 'a' }))
      const all = await Promise.all(rows.map((row) => store.insert(row)))
      expect(all.filter(Boolean)).toHaveLength(1)
    })
  })

  describe(`${engine}: a commit`, () => {
    test('changes the given fields and keeps the others', async () => {
      const store = await opened(newRow('a'))
      const saved = await store.commit('a', 1, { at: LATER, record: { phase: 'new' }, asked_at: NOW + 5 })
      expect(saved).toMatchObject({
        version: 2,
        record: { phase: 'new' },
        updated_at: LATER,
        created_at: NOW,
        asked_at: NOW + 5,
        due_at: NOW,
        failures: 0,
      })
      expect(await store.find('a')).toEqual(saved)
    })

    test('without a new record keeps the version', async () => {
      const store = await opened(newRow('a'))
      const saved = await store.commit('a', 1, { at: LATER, due_at: null, failures: 2 })
      expect(saved).toMatchObject({ version: 1, updated_at: NOW, due_at: null, failures: 2 })
    })

    test('on an old version changes nothing', async () => {
      const store = await opened(newRow('a'))
      const saved = await store.commit('a', 1, { at: LATER, record: 'first' })
      const change = {
        at: LATER,
        record: 'second',
        historyEntry: 'x',
        events: [event('e')],
      }
      expect(await store.commit('a', 1, change)).toBeNull()
      expect(await store.find('a')).toEqual(saved)
      expect(await store.history('a')).toEqual([])
      expect(await taken(store, LATER)).toEqual([])
    })

    test('of one version by several calls at once is applied once', async () => {
      const store = await opened(newRow('a'))
      const commits = Array.from({ length: 20 }, (_, index) =>
        store.commit('a', 1, { at: LATER, record: index }),
      )
      expect((await Promise.all(commits)).filter(Boolean)).toHaveLength(1)
      expect(await store.find('a')).toMatchObject({ version: 2 })
    })

    test('is atomic: with an event that cannot be stored, nothing is stored', async () => {
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

    test('appends to the history', async () => {
      const store = await opened(newRow('a'), newRow('b'))
      await store.commit('a', 1, { at: NOW, historyEntry: 'first' })
      await store.commit('a', 1, { at: LATER, historyEntry: 'second' })
      await store.commit('a', 1, { at: LATER, historyEntry: null })
      expect(await store.history('a')).toEqual([
        { at: NOW, what: 'first' },
        { at: LATER, what: 'second' },
      ])
      expect(await store.history('b')).toEqual([])
    })
  })

  queueContract(engine, opened)
  retentionContract(engine, opened)
  orderMarkContract(engine, opened)
  maskingContract(engine, opened)
  listContract(engine, opened)

  describe(`${engine}: a watcher`, () => {
    test('is called once for each change, after the commit', async () => {
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
    test('rows, history and events are unchanged', async () => {
      const database = await made()
      const before = await database.open()
      await before.insert(newRow('a'))
      await before.commit('a', 1, {
        at: NOW,
        record: 1,
        historyEntry: 'x',
        events: [event('e')],
      })
      const row = await before.find('a')
      await before.close()

      const after = await reopened(database)
      expect(await after.find('a')).toEqual(row)
      expect(await after.history('a')).toEqual([{ at: NOW, what: 'x' }])
      expect(await taken(after, LATER)).toEqual(['e'])
      expect(await claimed(after, LATER)).toEqual(['a'])
    })

    test('it is ready', async () => {
      const store = await opened()
      await expect(store.ping()).resolves.toBeUndefined()
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
