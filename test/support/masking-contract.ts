import { describe, expect, test } from 'vitest'
import type { MaskedTexts, NewTransaction, Store } from '../../server/store.ts'
import { ELSEWHERE, event, HOME, LATER, newRow, NOW, taken } from './stored-rows.ts'

const BEFORE = NOW + 1
const MASKED: MaskedTexts = { record: { name: 'A***' }, isComplete: true, history: [], events: [] }

const settled = (id: string, fields: Partial<NewTransaction> = {}) =>
  newRow(id, { kind: 'payout', due_at: null, record: { name: 'Asha' }, ...fields })

export function maskingContract(engine: string, opened: (...rows: NewTransaction[]) => Promise<Store>): void {
  const listed = async (store: Store, before = BEFORE) =>
    (await store.listUnmasked(HOME, before, null, 10)).map(({ id }) => id)

  describe(`${engine}: masking`, () => {
    test('lists what ended and was not masked, in pages, the first changed first', async () => {
      const store = await opened(
        settled('b'),
        settled('a'),
        settled('old', { created_at: NOW - 1, kind: 'airtime' }),
        settled('due', { due_at: NOW }),
        settled('new', { created_at: BEFORE }),
        settled('elsewhere', { account: ELSEWHERE[0]! }),
        newRow('checkout', { due_at: null }),
      )
      const page = await store.listUnmasked(HOME, BEFORE, null, 2)
      expect(page.map(({ id }) => id)).toEqual(['old', 'a'])
      expect((await store.listUnmasked(HOME, BEFORE, page[1]!, 2)).map(({ id }) => id)).toEqual(['b'])
    })

    test('replaces the record, entries of the history and events, and keeps the time of the change', async () => {
      const store = await opened(settled('a'), settled('b'))
      for (const [index, id] of ['a', 'b'].entries()) {
        const events = [{ ...event(`e${index}`), about: 'Asha' }]
        await store.commit(id, 1, { at: NOW, historyEntry: 'Paid to Asha.', events })
        await store.commit(id, 1, { at: NOW, historyEntry: 'Settled.' })
        expect(await taken(store, NOW)).toEqual([`e${index}`])
        await store.finishEvent(`e${index}`, { kind: 'delivered' }, NOW)
      }
      expect(await store.listEventsOf('a')).toEqual([
        { id: 'e0', about: 'Asha', body: '{"id":"e0"}', isFinished: true },
      ])
      const masked = {
        ...MASKED,
        history: [{ was: 'Paid to Asha.', what: 'Paid to ***.' }],
        events: [{ id: 'e0', about: '***', body: '{}' }],
      }
      expect(await store.mask('a', 1, masked)).toBe(true)
      expect(await store.find('a')).toMatchObject({ record: { name: 'A***' }, version: 2, updated_at: NOW })
      expect((await store.history('a')).map(({ what }) => what)).toEqual(['Paid to ***.', 'Settled.'])
      expect(await store.listEventsOf('a')).toEqual([
        { id: 'e0', about: '***', body: '{}', isFinished: true },
      ])
      expect(await listed(store)).toEqual(['b'])
      expect((await store.history('b'))[0]?.what).toBe('Paid to Asha.')
      expect((await store.listEventsOf('b'))[0]?.about).toBe('Asha')
      await store.replayEvent(HOME, 'e0', LATER)
      expect(await taken(store, LATER)).toEqual(['e0'])
    })

    test('changes nothing if the transaction has changed, or an event is not finished', async () => {
      const store = await opened(settled('a'))
      await store.commit('a', 1, { at: NOW, events: [event('e')] })
      const masked = { ...MASKED, events: [{ id: 'e', about: '', body: '{}' }] }
      expect(await store.mask('a', 1, masked)).toBe(false)
      await store.finishEvent('e', { kind: 'given_up' }, NOW)
      expect(await store.mask('a', 2, masked)).toBe(false)
      expect(await store.find('a')).toMatchObject({ record: { name: 'Asha' }, version: 1 })
      expect(await store.mask('a', 1, masked)).toBe(true)
    })

    test('waits for events: what has an unfinished event is not listed', async () => {
      const store = await opened(settled('a'))
      await store.commit('a', 1, { at: NOW, events: [event('e')] })
      expect(await listed(store)).toEqual([])
      await store.finishEvent('e', { kind: 'delivered' }, NOW)
      expect(await listed(store)).toEqual(['a'])
    })

    test('is repeated after the next change of the record, or while somebody remains', async () => {
      const store = await opened(settled('a'), settled('b'), settled('c'))
      await store.mask('a', 1, MASKED)
      await store.mask('b', 1, { ...MASKED, isComplete: false })
      await store.mask('c', 1, null)
      expect(await store.find('c')).toMatchObject({ record: { name: 'Asha' }, version: 1 })
      expect(await listed(store)).toEqual(['b'])
      await store.commit('a', 2, { at: LATER, asked_at: LATER, due_at: null, failures: 0 })
      expect(await listed(store, LATER + 1)).toEqual(['b'])
      await store.commit('a', 2, { at: LATER, record: { name: 'Asha' } })
      expect(await listed(store, LATER + 1)).toEqual(['b', 'a'])
    })

    test('is not undone by a change that was computed before', async () => {
      const store = await opened(settled('a'))
      const read = await store.find('a')
      await store.mask('a', 1, MASKED)
      expect(await store.commit('a', read!.version, { at: LATER, record: read!.record })).toBeNull()
    })

    test('finds the transactions that mention a text, in parts of all transactions', async () => {
      const ids = Array.from({ length: 9 }, (_, index) => `t${index}`)
      const rows = ids.map((id) => settled(id, { record: { name: id === 't7' ? 'ASHA' : id } }))
      const store = await opened(...rows, settled('t9', { account: ELSEWHERE[0]!, record: { name: 'asha' } }))
      const found: string[] = []
      let parts = 0
      for (let after: string | null = ''; after !== null; parts++) {
        const part = await store.findMentioning(HOME, ['"asha"', '"t2"'], after, 4)
        found.push(...part.rows.map(({ id }) => id))
        after = part.next
      }
      expect([found, parts]).toEqual([['t2', 't7'], 3])
      expect(await store.findMentioning(HOME, ['x'], 't9', 4)).toEqual({ rows: [], next: null })
    })

    test('truncates the log', async () => {
      const store = await opened(settled('a'))
      expect(await store.truncateLog()).toBe(true)
      expect(await store.find('a')).not.toBeNull()
    })
  })
}
