import { describe, expect, test } from 'vitest'

import { ELSEWHERE, event, HOME, LATER, newRow, NOW, taken } from './stored-rows.ts'

import type { Store } from '../../../server/store/store.ts'
import type { NewTransaction } from '../../../server/store/transactions.ts'

const BEFORE = NOW + 1
const ERASED = { record: { name: null }, personal: null }

const settled = (id: string, fields: Partial<NewTransaction> = {}) =>
  newRow(id, { kind: 'payout', due_at: null, record: { name: null }, personal: `sealed of ${id}`, ...fields })

export function erasureContract(engine: string, opened: (...rows: NewTransaction[]) => Promise<Store>): void {
  const personalOf = async (store: Store, id: string) => (await store.find(id))?.personal

  async function delivered(store: Store, id: string, ...abouts: string[]): Promise<void> {
    const events = abouts.map((about) => ({ ...event(`${id} ${about}`), about }))
    await store.commit(id, 1, { at: NOW, historyEntry: 'Paid to Asha.', events })
    for (const about of abouts) {
      await store.finishEvent(`${id} ${about}`, { kind: 'delivered' }, NOW)
    }
  }

  describe(`${engine}: personal data`, () => {
    test('personal data are kept until a change names new ones, or none', async () => {
      const store = await opened(settled('a'))
      expect(await personalOf(store, 'a')).toBe('sealed of a')
      expect(await store.commit('a', 1, { at: LATER, outcome: 'paid' })).toMatchObject({
        personal: 'sealed of a',
      })
      await store.commit('a', 2, { at: LATER, record: {}, personal: 'new' })
      expect(await personalOf(store, 'a')).toBe('new')
      await store.commit('a', 3, { at: LATER, record: {}, personal: null })
      expect(await personalOf(store, 'a')).toBeNull()
    })

    test('personal data are erased with the history and the events about the same parts', async () => {
      const store = await opened(settled('a'), settled('b'))
      await delivered(store, 'a', 'Asha', 'Juma')
      await delivered(store, 'b', 'Asha')
      expect(await store.erase('a', 2, { record: { name: 'Juma' }, personal: 'of Juma' }, ['Asha'], [])).toBe(
        'erased',
      )
      expect(await store.find('a')).toMatchObject({ record: { name: 'Juma' }, version: 2, updated_at: NOW })
      expect(await personalOf(store, 'a')).toBe('of Juma')
      expect(await store.history('a')).toEqual([])
      expect((await store.listEventsOf('a')).map(({ id }) => id)).toEqual(['a Juma'])
      expect(await store.erase('a', 3, ERASED, null, [])).toBe('erased')
      expect({ personal: await personalOf(store, 'a'), events: await store.listEventsOf('a') }).toEqual({
        personal: null,
        events: [],
      })
      expect({
        personal: await personalOf(store, 'b'),
        events: (await store.listEventsOf('b')).length,
      }).toEqual({ personal: 'sealed of b', events: 1 })
      expect(await store.history('b')).toHaveLength(1)
    })

    test('personal data stay whole if the transaction has changed, or an event about them is not delivered', async () => {
      const store = await opened(settled('a'))
      await store.commit('a', 1, {
        at: NOW,
        historyEntry: 'Paid.',
        events: [{ ...event('e'), about: 'Asha' }],
      })
      expect(await store.erase('a', 1, ERASED, null, [])).toBe('changed')
      for (const parts of [null, ['Asha'], ['Juma', 'Asha']]) {
        expect(await store.erase('a', 2, ERASED, parts, [{ id: 'e', body: '{}' }])).toBe('undelivered')
      }

      expect(await store.find('a')).toMatchObject({ version: 1, personal: 'sealed of a' })
      expect(await store.history('a')).toHaveLength(1)
    })

    test('personal data are erased from the bodies of events that were given up, which stay', async () => {
      const store = await opened(settled('a'))
      const events = ['Asha', 'Juma'].map((about) => ({ ...event(about), about }))
      await store.commit('a', 1, { at: NOW, historyEntry: 'Paid.', events })
      const answer = { status: 500, text: 'Asha is unknown.' }
      for (const { id } of events) {
        await store.finishEvent(id, { kind: 'given_up', answer }, NOW)
      }

      const [before, other] = await store.listEventsOf('a')
      const bodies = [{ id: 'Asha', body: '{"name":null}' }]
      for (const parts of [null, ['Asha', 'Juma']]) {
        expect(await store.erase('a', 2, ERASED, parts, bodies)).toBe('changed')
      }

      expect(await store.listEventsOf('a')).toEqual([before, other])
      expect(await store.history('a')).toHaveLength(1)

      expect(await store.erase('a', 2, ERASED, ['Asha'], bodies)).toBe('erased')
      const after = { ...before, body: '{"name":null}', last_answer: null }
      expect(await store.listEventsOf('a')).toEqual([after, other])
      expect(await store.replayEvent(HOME, 'Asha', LATER)).toBe(true)
      expect(await taken(store, LATER)).toEqual(['Asha'])
    })

    test('personal data of what ended long ago are listed in pages, and nothing else', async () => {
      const store = await opened(
        settled('a'),
        settled('b'),
        settled('due', { due_at: NOW }),
        settled('new', { created_at: BEFORE }),
        settled('told'),
        settled('elsewhere', { account: ELSEWHERE[0]! }),
        settled('nobody', { personal: null }),
        settled('of another kind', { kind: 'checkout' }),
      )
      await delivered(store, 'a', '')
      await store.commit('told', 1, { at: NOW, events: [event('e')] })
      const [first, ...none] = await store.listPersonal(HOME, 'payout', BEFORE, null, 1)
      expect(first).toEqual(await store.find('a'))
      expect(none).toEqual([])
      expect((await store.listPersonal(HOME, 'payout', BEFORE, first!, 10)).map(({ id }) => id)).toEqual([
        'b',
      ])
      expect(await store.erase('a', first!.revision, ERASED, null, [])).toBe('erased')
      expect((await store.listPersonal(HOME, 'payout', BEFORE, null, 10)).map(({ id }) => id)).toEqual(['b'])
    })

    test('personal data are not brought back by a change that was computed before', async () => {
      const store = await opened(settled('a'))
      await store.erase('a', 1, ERASED, null, [])
      expect(await store.commit('a', 1, { at: LATER, record: {}, personal: 'sealed of a' })).toBeNull()
    })

    test('personal data of an earlier key are found, and encrypted anew unless they have changed', async () => {
      const store = await opened(
        settled('a', { personal: 'old-key-1' }),
        settled('b', { personal: 'old-key-2' }),
        settled('c', { personal: 'new-key-3' }),
        settled('elsewhere', { account: ELSEWHERE[0]!, personal: 'old-key-4' }),
      )
      const old = await store.listSealed(HOME, 'payout', 'old-key-', null, 10)
      expect(old.map(({ id }) => id)).toEqual(['a', 'b'])
      expect(await store.listSealed(HOME, 'payout', 'old-key-', old[0]!, 10)).toEqual([old[1]])
      await store.reseal({ id: 'a', personal: 'old-key-1' }, 'new-key-1')
      await store.reseal({ id: 'b', personal: 'other' }, 'new-key-2')
      expect([await personalOf(store, 'a'), await personalOf(store, 'b')]).toEqual(['new-key-1', 'old-key-2'])
      expect(await store.find('a')).toMatchObject({ version: 1 })
    })

    test('personal data leave fingerprints, by which the transactions are found, in parts of all transactions', async () => {
      const ids = Array.from({ length: 9 }, (_, index) => `t${index}`)
      const rows = ids.map((id) => settled(id, { record: { people: id === 't7' ? 'ASHA' : id } }))
      const store = await opened(
        ...rows,
        settled('t9', { account: ELSEWHERE[0]!, record: { people: 'asha' } }),
      )
      const found: string[] = []
      let parts = 0
      for (let after: string | null = ''; after !== null; parts++) {
        const part = await store.findMentioning(HOME, ['"asha"', '"t2"'], after, 4)
        found.push(...part.rows.map(({ id }) => id))
        after = part.next
      }

      expect({ found, parts }).toEqual({ found: ['t2', 't7'], parts: 3 })
      expect(await store.findMentioning(HOME, ['x'], 't9', 4)).toEqual({ rows: [], next: null })
    })

    test('personal data are not in the log after it was truncated', async () => {
      const store = await opened(settled('a'))
      expect(await store.truncateLog()).toBe(true)
      expect(await store.find('a')).not.toBeNull()
    })
  })
}
