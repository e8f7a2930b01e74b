/** What every engine of the store has to keep. Run once for each, with a way to make a database of its own. */

import { afterEach, describe, expect, test } from 'vitest'
import type { MerchantAccount, NewTransaction, Store } from '../../server/store.ts'

export interface Database {
  /** The same rows each time, as after a restart. */
  open(): Promise<Store>
  remove(): Promise<void>
}

export const HOME: MerchantAccount = {
  environment: 'sandbox',
  base_url: 'https://gateway.example',
  account_number: 'ACC-001',
}
const ELSEWHERE: MerchantAccount[] = [
  { ...HOME, environment: 'production' },
  { ...HOME, base_url: 'https://other.example' },
  { ...HOME, account_number: 'ACC-002' },
]
const NOW = 1_000_000
const LATER = NOW + 60_000
const LIMIT = 10

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
    ...fields,
  }
}

export function storeContract(engine: string, makeDatabase: () => Promise<Database>): void {
  const databases: Database[] = []
  const stores: Store[] = []

  async function reopened(database: Database): Promise<Store> {
    const store = await database.open()
    stores.push(store)
    return store
  }
  async function opened(...rows: NewTransaction[]): Promise<Store> {
    const database = await makeDatabase()
    databases.push(database)
    const store = await reopened(database)
    for (const row of rows) expect(await store.insert(row)).toBe(true)
    return store
  }
  const claimed = async (store: Store, now: number, lease = now + 1_000, account = HOME) =>
    (await store.claimTransactions(account, now, lease, LIMIT)).map(({ id }) => id).toSorted()
  const taken = async (store: Store, now: number, lease = now + 1_000, account = HOME) =>
    (await store.claimEvents(account, now, lease, LIMIT)).map(({ id }) => id).toSorted()
  const event = (id: string) => ({ id, type: 'checkout.paid', body: `{"id":"${id}"}` })

  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
    for (const database of databases.splice(0)) await database.remove()
  })

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
      const events = await store.claimEvents(HOME, NOW, LATER, LIMIT)
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
      const events = await store.claimEvents(HOME, NOW, LATER, LIMIT)
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
      expect(await store.nextDue(HOME, 'events')).toBe(LATER)
      for (const id of ['a1', 'a2', 'a3']) await store.finishEvent(id, { kind: 'delivered' }, LATER)
      expect(await store.nextDue(HOME, 'events')).toBeNull()
    })
  })

  describe(`${engine}: whoever watches`, () => {
    test('hears of each change after it was made, and of nothing else', async () => {
      const store = await opened()
      const heard: string[] = []
      const stop = store.watch((id) => heard.push(id))
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
      const database = await makeDatabase()
      databases.push(database)
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
    const database = await makeDatabase()
    databases.push(database)
    const store = await database.open()
    await store.close()
    await expect(store.ping()).rejects.toThrow()
    await expect(store.insert(newRow('a'))).rejects.toThrow()
  })
}
