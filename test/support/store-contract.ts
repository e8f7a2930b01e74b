/** What every engine of the store has to keep. Run once for each, with a way to make a database of its own. */

import { describe, expect, test } from 'vitest'
import type { NewTransaction } from '../../server/store.ts'
import type { Database } from './stored-rows.ts'
import { queueContract } from './queue-contract.ts'
import { retentionContract } from './retention-contract.ts'
import { claimed, createStores, ELSEWHERE, event, HOME, LATER, newRow, NOW, taken } from './stored-rows.ts'

export function storeContract(engine: string, makeDatabase: () => Promise<Database>): void {
  const { made, opened, reopened } = createStores(makeDatabase)

  describe(`${engine}: a row`, () => {
    test('comes back as it was put in', async () => {
      const row = newRow('a')
      const store = await opened(row)
      const found = { ...row, version: 1, updated_at: NOW, sent_at: null, asked_at: null, failures: 0 }
      expect(await store.find('a')).toEqual(found)
      expect(await store.findByReference(HOME, 'checkout', row.reference)).toEqual(found)
      expect(await store.list(HOME, 'checkout', 'a')).toEqual([found])
    })

    test('that nobody put in is not there', async () => {
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
    ])('is the only one of its %s', async (_, same) => {
      const store = await opened(newRow('a'))
      expect(await store.insert({ ...newRow('b'), record: 'another', ...same })).toBe(false)
      expect(await store.find('a')).toMatchObject(newRow('a'))
      expect(await store.find('b')).toBeNull()
    })

    test('comes with others or not at all', async () => {
      const store = await opened(newRow('a'))
      expect(await store.insert(newRow('b'), newRow('c'))).toBe(true)
      expect(await store.insert(newRow('d'), newRow('e', { reference: 'reference of a' }), newRow('f'))).toBe(
        false,
      )
      for (const id of ['b', 'c']) expect(await store.find(id)).toMatchObject({ id })
      for (const id of ['d', 'e', 'f']) expect(await store.find(id)).toBeNull()
    })

    test('does not stand in the way of the same in another home', async () => {
      const store = await opened(newRow('a'))
      for (const [index, account] of ELSEWHERE.entries()) {
        expect(await store.insert({ ...newRow('a'), id: `elsewhere ${index}`, account })).toBe(true)
        expect(await store.list(account, 'checkout', 'a')).toHaveLength(1)
        const found = await store.findByReference(account, 'checkout', 'reference of a')
        expect(found).toMatchObject({ id: `elsewhere ${index}`, account })
      }
    })

    test('is one of the attempts of its group, the first one first', async () => {
      const attempts = [3, 1, 2].map((attempt) => newRow(`a${attempt}`, { group: 'a', attempt }))
      const store = await opened(...attempts, newRow('b'))
      expect((await store.list(HOME, 'checkout', 'a')).map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    })

    test('that many put in at once was put in once', async () => {
      const store = await opened()
      const rows = Array.from({ length: 20 }, (_, index) => newRow(`a${index}`, { group: 'a' }))
      const all = await Promise.all(rows.map((row) => store.insert(row)))
      expect(all.filter(Boolean)).toHaveLength(1)
    })
  })

  describe(`${engine}: a commit`, () => {
    test('changes what it names and leaves the rest', async () => {
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

    test('without a new record is no new version', async () => {
      const store = await opened(newRow('a'))
      const saved = await store.commit('a', 1, { at: LATER, due_at: null, failures: 2 })
      expect(saved).toMatchObject({ version: 1, updated_at: NOW, due_at: null, failures: 2 })
    })

    test('on a version that is gone changes nothing', async () => {
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

    test('of many at once on one version is made once', async () => {
      const store = await opened(newRow('a'))
      const commits = Array.from({ length: 20 }, (_, index) =>
        store.commit('a', 1, { at: LATER, record: index }),
      )
      expect((await Promise.all(commits)).filter(Boolean)).toHaveLength(1)
      expect(await store.find('a')).toMatchObject({ version: 2 })
    })

    test('is one atom: an event that cannot be kept keeps everything else out', async () => {
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

    test('adds to the history, in order', async () => {
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

  describe(`${engine}: whoever watches`, () => {
    test('hears of each change after it was made, and of nothing else', async () => {
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
    test('everything is as it was', async () => {
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

    test('it can be used', async () => {
      const store = await opened()
      await expect(store.ping()).resolves.toBeUndefined()
    })
  })

  test(`${engine}: a closed store says that it cannot be used`, async () => {
    const database = await made()
    const store = await database.open()
    await store.close()
    await expect(store.ping()).rejects.toThrow()
    await expect(store.insert(newRow('a'))).rejects.toThrow()
  })
}
