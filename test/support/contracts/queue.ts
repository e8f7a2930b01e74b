import { describe, expect, test } from 'vitest'

import { claimed, ELSEWHERE, event, HOME, LATER, LIMIT, newRow, NOW, taken } from './stored-rows.ts'

import type { EventQueue } from '../../../server/store/events.ts'
import type { NewNotice, NoticeWay } from '../../../server/store/notices.ts'
import type { Store } from '../../../server/store/store.ts'
import type { Change } from '../../../server/store/transactions.ts'
import type { createStores } from './stored-rows.ts'

type Opened = ReturnType<typeof createStores>['opened']

const SPANS = { beyondMs: 1_000, spreadMs: 1_000, leaseMs: 60_000 }

export function queueContract(engine: string, opened: Opened): void {
  describe(`${engine}: a due transaction`, () => {
    test('a due transaction is claimed from its due time on', async () => {
      const store = await opened(
        newRow('a'),
        newRow('later', { due_at: LATER }),
        newRow('never', { due_at: null }),
      )
      expect(await claimed(store, NOW - 1)).toEqual([])
      expect(await claimed(store, NOW)).toEqual(['a'])
      expect(await claimed(store, LATER)).toEqual(['a', 'later'])
    })

    test('a due transaction has a requested query at its time, unless the row has changed', async () => {
      const store = await opened(newRow('a', { due_at: null }))
      const before = await store.find('a')
      expect(await store.requestQuery('a', 2, LATER)).toBe(false)
      expect(await store.find('a')).toEqual(before)
      expect(await store.requestQuery('a', 1, LATER)).toBe(true)
      const times = { due_at: LATER, requested_at: LATER, requested_revision: 2, revision: 2 }
      expect(await store.find('a')).toEqual({ ...before, ...times })
      // It ends the lease, as a commit does.
      expect(await claimed(store, LATER)).toEqual(['a'])
      expect(await store.requestQuery('a', 3, LATER)).toBe(true)
      expect(await claimed(store, LATER)).toEqual(['a'])
    })

    test('a due transaction is brought forward where the last query failed, the first due first', async () => {
      const first = newRow('first', { due_at: LATER })
      const second = newRow('second', { due_at: LATER + 1 })
      const store = await opened(first, second, newRow('fine', { due_at: LATER }))
      for (const id of ['first', 'second']) {
        await store.commit(id, 1, { at: NOW, failures: 1 })
      }

      expect(await store.bringQueriesForward(ELSEWHERE[0]!, NOW, 9)).toBe(0)
      expect(await store.find('first')).toMatchObject({ revision: 2 })
      expect(await store.bringQueriesForward(HOME, NOW, 1)).toBe(1)
      expect(await store.find('first')).toMatchObject({ revision: 3, requested_revision: 3 })
      expect(await claimed(store, NOW, NOW + 1)).toEqual(['first'])
      // The claim has the revision 4.
      expect(await store.find('first')).toMatchObject({
        requested_at: NOW,
        requested_revision: 3,
        due_at: NOW,
      })
      expect(await store.bringQueriesForward(HOME, NOW, 9)).toBe(1)
      expect(await claimed(store, NOW, NOW + 1)).toEqual(['second'])
    })

    test.each<[string, Change, ahead: number, facts: object]>([
      ['was changed', { at: LATER, record: 1 }, 60_000, { updated_at: LATER }],
      ['was queried', { at: NOW, asked_at: LATER }, 60_000, { asked_at: NOW }],
      ['is to be queried', { at: NOW, requested_at: NOW + 5 }, 5, { requested_at: NOW }],
      ['was changed and queried', { at: NOW + 9, record: 1, asked_at: LATER }, 60_000, { asked_at: NOW }],
      ['was changed before', { at: NOW, record: 1, asked_at: NOW - 5 }, 0, { asked_at: NOW - 5 }],
    ])(
      'a due transaction that %s later than now is brought forward by the difference',
      async (_, change, ahead, facts) => {
        const store = await opened(newRow('a'), newRow('never', { due_at: null, created_at: LATER }))
        const { version = 0 } = (await store.commit('a', 1, { ...change, due_at: LATER + 7 })) ?? {}
        for (const account of ELSEWHERE) {
          await store.correctFutureTimes(account, NOW, LATER)
        }

        expect(await store.find('a')).toMatchObject({ due_at: LATER + 7 })
        const { revision = 0 } = (await store.find('a')) ?? {}
        await store.correctFutureTimes(HOME, NOW, LATER)
        expect(await store.find('a')).toMatchObject({ revision: ahead > 0 ? revision + 1 : revision })
        expect(await store.find('a')).toMatchObject({ version, due_at: LATER + 7 - ahead, ...facts })
        expect(await store.find('never')).toMatchObject({ due_at: null })
      },
    )

    test('a due transaction whose lease is too long is claimed after a lease', async () => {
      const store = await opened(newRow('a'), newRow('b'))
      expect(await claimed(store, NOW, LATER)).toEqual(['a', 'b'])
      await store.commit('b', 2, { at: NOW, due_at: LATER })
      await store.correctFutureTimes(HOME, NOW, NOW + 1_000)
      expect(await claimed(store, NOW + 999)).toEqual([])
      expect(await claimed(store, NOW + 1_000)).toEqual(['a'])
      expect(await store.nextDue(HOME, 'transactions')).toBe(NOW + 2_000)
    })

    test('a due transaction is not claimed again until its lease ends', async () => {
      const store = await opened(newRow('a'))
      expect(await claimed(store, NOW, NOW + 1_000)).toEqual(['a'])
      expect(await claimed(store, NOW + 999)).toEqual([])
      expect(await claimed(store, NOW + 1_000)).toEqual(['a'])
    })

    test('a due transaction loses its lease when it is committed', async () => {
      const store = await opened(newRow('a'))
      await claimed(store, NOW, NOW + 1_000)
      await store.commit('a', 2, { at: NOW, due_at: NOW + 10 })
      expect(await claimed(store, NOW + 10)).toEqual(['a'])
    })

    test('a due transaction is claimed up to the limit, earliest due first', async () => {
      const rows = Array.from({ length: 12 }, (_, index) => newRow(`row ${index}`, { due_at: NOW - index }))
      const store = await opened(...rows)
      const first = await claimed(store, NOW)
      expect(first).toHaveLength(LIMIT)
      expect(await claimed(store, NOW)).toEqual(['row 0', 'row 1'])
    })

    test('a due transaction is claimed for its own account only', async () => {
      const store = await opened(newRow('a'))
      for (const account of ELSEWHERE) {
        expect(await claimed(store, LATER, LATER, account)).toEqual([])
        expect(await store.nextDue(account, 'transactions')).toBeNull()
      }
    })

    test('is listed by its kind, leased or not, in the order of the ids', async () => {
      const store = await opened(
        newRow('c'),
        newRow('a'),
        newRow('b', { due_at: LATER }),
        newRow('ended', { due_at: null }),
        newRow('payout', { kind: 'payout' }),
        newRow('elsewhere', { account: ELSEWHERE[0]! }),
      )
      await claimed(store, NOW)
      const idsAfter = async (id: string) =>
        (await store.listScheduled(HOME, 'checkout', id, 2)).map((row) => row.id)
      expect(await idsAfter('')).toEqual(['a', 'b'])
      expect(await idsAfter('b')).toEqual(['c'])
    })

    test('is announced by nextDue, after its lease', async () => {
      const store = await opened(newRow('a'), newRow('b', { due_at: LATER }), newRow('c', { due_at: null }))
      expect(await store.nextDue(HOME, 'transactions')).toBe(NOW)
      await claimed(store, NOW, NOW + 1_000)
      expect(await store.nextDue(HOME, 'transactions')).toBe(NOW + 1_000)
      await store.commit('a', 2, { at: NOW, due_at: null })
      expect(await store.nextDue(HOME, 'transactions')).toBe(LATER)
    })
  })

  describe(`${engine}: events`, () => {
    const nextDue = async (store: Store) => [
      await store.nextDue(HOME, 'events'),
      await store.nextDue(HOME, 'retries'),
    ]

    async function told(): Promise<Store> {
      const store = await opened(newRow('a'), newRow('b'))
      await store.commit('a', 1, { at: NOW, record: 1, events: [event('a1'), event('a2')] })
      await store.commit('b', 1, { at: NOW, record: 1, events: [event('b1')] })
      await store.commit('a', 2, { at: NOW, record: 2, events: [event('a3')] })
      return store
    }

    test('events are claimed complete, the oldest of each transaction', async () => {
      const store = await told()
      const events = await store.claimEvents(HOME, 'events', NOW, LATER, LIMIT)
      expect(events).toHaveLength(2)
      const first = { ...event('a1'), transaction_id: 'a', created_at: NOW, failures: 0 }
      expect(events.find(({ id }) => id === 'a1')).toMatchObject(first)
    })

    test('events are delivered in order: one waits for those before it', async () => {
      const store = await told()
      expect(await taken(store, NOW, NOW)).toEqual(['a1', 'b1'])
      await store.finishEvent('a1', { kind: 'retry', at: LATER }, NOW)
      await store.finishEvent('b1', { kind: 'delivered' }, NOW)
      expect(await taken(store, LATER - 1, LATER - 1)).toEqual([])
      expect(await taken(store, LATER, LATER)).toEqual(['a1'])
      await store.finishEvent('a1', { kind: 'given_up' }, LATER)
      expect(await taken(store, LATER, LATER)).toEqual(['a2'])
      await store.finishEvent('a2', { kind: 'delivered' }, LATER)
      expect(await taken(store, LATER, LATER)).toEqual(['a3'])
    })

    const about = (whom: string, id: string) => ({ ...event(id), about: whom })

    test('events about one recipient are delivered in order, and delay none about others', async () => {
      const store = await opened(newRow('a'))
      const events = [about('x', 'x1'), about('x', 'x2'), about('y', 'y1'), about('z', 'z1')]
      await store.commit('a', 1, { at: NOW, record: 1, events })
      expect(await taken(store, NOW)).toEqual(['x1', 'y1', 'z1'])
      await store.finishEvent('y1', { kind: 'delivered' }, NOW)
      await store.finishEvent('z1', { kind: 'delivered' }, NOW)
      await store.commit('a', 2, { at: NOW + 1, record: 2, events: [about('y', 'y2'), about('x', 'x3')] })
      expect(await taken(store, NOW + 1)).toEqual(['y2'])
      await store.finishEvent('x1', { kind: 'retry', at: LATER }, NOW + 1)
      await store.commit('a', 3, { at: NOW + 2, record: 3, events: [about('z', 'z2')] })
      expect(await taken(store, NOW + 2)).toEqual(['z2'])
      for (const id of ['x1', 'x2', 'x3']) {
        expect(await taken(store, LATER)).toContain(id)
        await store.finishEvent(id, { kind: 'delivered' }, LATER)
      }
    })

    test('events that have failed are apart from the others, also where both are of one transaction', async () => {
      const store = await opened(newRow('a'))
      await store.commit('a', 1, { at: NOW, record: 1, events: [about('x', 'x1')] })
      expect(await taken(store, NOW, NOW)).toEqual(['x1'])
      await store.finishEvent('x1', { kind: 'retry', at: NOW }, NOW)
      await store.commit('a', 2, { at: NOW, record: 2, events: [about('x', 'x2'), about('y', 'y1')] })
      const ids = async (queue: EventQueue) =>
        (await store.claimEvents(HOME, queue, NOW, NOW, LIMIT)).map(({ id }) => id)
      expect([await ids('events'), await ids('retries')]).toEqual([['y1'], ['x1']])
      await store.finishEvent('x1', { kind: 'delivered' }, NOW)
      expect([await ids('events'), await ids('retries')]).toEqual([['x2', 'y1'], []])
    })

    test('events are claimed up to the limit, those first that became due last', async () => {
      const store = await opened(newRow('a'), newRow('b'), newRow('c'))
      for (const [later, id] of ['a', 'b', 'c'].entries()) {
        await store.commit(id, 1, { at: NOW + later, record: 1, events: [event(`${id}1`)] })
      }

      const claim = async () =>
        (await store.claimEvents(HOME, 'events', LATER, LATER + 1, 2)).map(({ id }) => id)
      expect((await claim()).toSorted()).toEqual(['b1', 'c1'])
      expect(await claim()).toEqual(['a1'])
    })

    test('events that have failed are brought forward, if they were created since a time', async () => {
      const store = await opened(newRow('a'), newRow('b'))
      for (const [later, id] of ['a', 'b'].entries()) {
        await store.commit(id, 1, { at: NOW + later, record: 1, events: [event(`${id}1`)] })
        expect(await taken(store, NOW + later, NOW + later)).toContain(`${id}1`)
        await store.finishEvent(`${id}1`, { kind: 'retry', at: LATER }, NOW + later)
      }

      await store.bringEventsForward(HOME, NOW + 1, {
        ...SPANS,
        beyondMs: 1,
        spreadMs: 1,
        createdSince: NOW + 1,
      })
      expect(await taken(store, NOW + 2)).toEqual(['b1'])
    })

    test('events count their failures', async () => {
      const store = await told()
      for (let turn = 0; turn < 2; turn++) {
        expect(await taken(store, NOW, NOW)).toContain('a1')
        await store.finishEvent('a1', { kind: 'retry', at: NOW }, NOW)
      }

      const events = await store.claimEvents(HOME, 'retries', NOW, LATER, LIMIT)
      expect(events.find(({ id }) => id === 'a1')).toMatchObject({ failures: 2 })
    })

    test('events are claimed for their own account only', async () => {
      const store = await told()
      for (const account of ELSEWHERE) {
        expect(await taken(store, LATER, LATER, account)).toEqual([])
        expect(await store.nextDue(account, 'events')).toBeNull()
      }
    })

    test('events are announced by nextDue', async () => {
      const store = await told()
      expect(await store.nextDue(HOME, 'events')).toBe(NOW)
      expect(await taken(store, NOW)).toEqual(['a1', 'b1'])
      await store.finishEvent('b1', { kind: 'delivered' }, NOW)
      await store.finishEvent('a1', { kind: 'retry', at: LATER }, NOW)
      expect(await nextDue(store)).toEqual([null, LATER])
      await store.bringEventsForward(HOME, NOW, SPANS)
      expect((await nextDue(store))[1]).toBeLessThan(NOW + 1_000)
      for (const id of ['a1', 'a2', 'a3']) {
        expect(await taken(store, LATER)).toEqual([id])
        await store.finishEvent(id, { kind: 'delivered' }, LATER)
      }

      expect(await nextDue(store)).toEqual([null, null])
    })

    test('events that are due too far ahead are brought forward, and their leases end', async () => {
      const store = await opened(...['new', 'leased', 'retried', 'soon'].map((id) => newRow(id)))
      const add = (id: string, at: number) => store.commit(id, 1, { at, record: 1, events: [event(id)] })
      await add('leased', NOW)
      expect(await taken(store, NOW, LATER)).toEqual(['leased'])
      await add('retried', NOW)
      expect(await taken(store, NOW)).toEqual(['retried'])
      await store.finishEvent('retried', { kind: 'retry', at: LATER }, NOW)
      await add('new', LATER)
      await add('soon', NOW + 1_000)
      const times = { beyondMs: 1_000, spreadMs: 10, leaseMs: 500 }
      for (const account of ELSEWHERE) {
        await store.bringEventsForward(account, NOW, times)
      }

      expect(await nextDue(store)).toEqual([NOW + 1_000, LATER])
      await store.bringEventsForward(HOME, NOW, times)
      expect(await taken(store, NOW + 10, LATER)).toEqual(['new', 'retried'])
      expect(await taken(store, NOW + 499, LATER)).toEqual([])
      expect(await taken(store, NOW + 500, LATER)).toEqual(['leased'])
      expect(await taken(store, NOW + 1_000, LATER)).toEqual(['soon'])
    })

    test('events that are due too far ahead are brought forward with those about others', async () => {
      const store = await opened(newRow('a'))
      const about = (whom: string) => ({ ...event(whom), about: whom })
      await store.commit('a', 1, { at: LATER, record: 1, events: [about('x'), about('y')] })
      await store.bringEventsForward(HOME, NOW, { beyondMs: 0, spreadMs: 1, leaseMs: 500 })
      expect(await taken(store, NOW)).toEqual(['x', 'y'])
    })

    test('events added during a delivery of the same transaction are due after it', async () => {
      const store = await opened(newRow('a'))
      await store.commit('a', 1, { at: NOW, record: 1, events: [event('a1')] })
      expect(await taken(store, NOW)).toEqual(['a1'])
      await store.commit('a', 2, { at: NOW, record: 2, events: [event('a2')] })
      expect(await taken(store, NOW)).toEqual([])
      await store.finishEvent('a1', { kind: 'delivered' }, NOW)
      expect(await taken(store, NOW)).toEqual(['a2'])
    })

    test('events added while one of the same transaction is retried wait for it, unless they are about others', async () => {
      const store = await opened(newRow('a'))
      await store.commit('a', 1, { at: NOW, record: 1, events: [event('a1')] })
      expect(await taken(store, NOW)).toEqual(['a1'])
      await store.finishEvent('a1', { kind: 'retry', at: LATER }, NOW)
      await store.commit('a', 2, { at: NOW + 1, record: 2, events: [event('a2')] })
      expect(await taken(store, NOW + 5)).toEqual([])
      expect(await nextDue(store)).toEqual([null, LATER])
      await store.commit('a', 3, { at: NOW + 6, record: 3, events: [{ ...event('b1'), about: 'b' }] })
      expect(await taken(store, NOW + 6)).toEqual(['b1'])
    })

    test('events keep the last answer and the time of the next try', async () => {
      const store = await told()
      expect(await store.findEvent(HOME, 'a1')).toMatchObject({ last_status: null, due_at: NOW })
      expect(await taken(store, NOW, NOW)).toEqual(['a1', 'b1'])
      const answer = { status: 503, text: 'Away' }
      await store.finishEvent('a1', { kind: 'retry', at: LATER, answer }, NOW)
      await store.finishEvent('b1', { kind: 'delivered', answer: { status: 204, text: null } }, NOW)
      const refused = { id: 'a1', finish: null, last_status: 503, last_answer: 'Away', due_at: LATER }
      expect(await store.findEvent(HOME, 'a1')).toMatchObject(refused)
      expect((await store.listEvents(HOME, 0, LIMIT)).find(({ id }) => id === 'a1')).toMatchObject(refused)
      const accepted = { finish: 'delivered', last_status: 204, last_answer: null }
      expect(await store.findEvent(HOME, 'b1')).toMatchObject(accepted)
      expect(await store.findEvent(ELSEWHERE[0]!, 'a1')).toBeNull()
      expect(await store.findEvent(HOME, 'nobody')).toBeNull()
    })

    test('events are delivered again when they are replayed', async () => {
      const store = await told()
      expect(await taken(store, NOW)).toEqual(['a1', 'b1'])
      await store.finishEvent('b1', { kind: 'retry', at: NOW }, NOW)
      expect(await taken(store, NOW)).toEqual(['b1'])
      await store.finishEvent('b1', { kind: 'given_up' }, NOW)
      expect(await store.findEvent(HOME, 'b1')).toMatchObject({ failures: 1, finish: 'given_up' })
      expect(await store.replayEvent(HOME, 'b1', LATER)).toBe(true)
      expect(await store.findEvent(HOME, 'b1')).toMatchObject({ failures: 0, finish: null })
      expect(await store.replayEvent(ELSEWHERE[0]!, 'b1', NOW)).toBe(false)
      expect(await store.replayEvent(HOME, 'nobody', NOW)).toBe(false)
      expect(await taken(store, LATER)).toEqual(['a1', 'b1'])
    })

    test('events that are finished twice, because the first delivery outlived its lease, stay finished', async () => {
      const store = await told()
      for (const id of ['b1', 'b1']) {
        await store.finishEvent(id, { kind: 'delivered' }, NOW)
      }

      expect(await taken(store, LATER, LATER)).toEqual(['a1'])
    })
  })

  describe(`${engine}: notices`, () => {
    const notice = (id: string, way: NoticeWay = 'email') => ({
      id,
      way,
      reader: 'a@b.example',
      type: 'checkout.paid',
      came: '500',
      went: '0',
      held: '1500',
    })

    async function stored(...notices: NewNotice[]): Promise<Store> {
      const store = await opened(newRow('a'))
      await store.commit('a', 1, { at: NOW, events: [event('paid')], notices })
      return store
    }

    const due = async (store: Store, now: number, way: NoticeWay = 'email', lease = now + 1_000) =>
      (await store.claimNotices(HOME, way, now, lease, LIMIT)).map(({ id }) => id).toSorted()

    test('notices are stored with the events of a commit, and not without it', async () => {
      const store = await stored(notice('n1'), notice('n2', 'http'))
      expect(await store.commit('a', 1, { at: NOW, events: [event('x')], notices: [notice('n3')] })).toBe(
        null,
      )
      expect(await store.claimNotices(HOME, 'email', NOW, LATER, LIMIT)).toEqual([
        {
          id: 'n1',
          way: 'email',
          reader: 'a@b.example',
          type: 'checkout.paid',
          came: '500',
          went: '0',
          held: '1500',
          transaction_id: 'a',
          trace_id: null,
          created_at: NOW,
          finish: null,
          failures: 0,
          unanswered: 0,
        },
      ])
      expect(await due(store, NOW, 'http')).toEqual(['n2'])
    })

    test('notices are claimed from their due time on, after their lease, and for their own account', async () => {
      const store = await stored(notice('n1'))
      expect(await store.nextNoticeDue(HOME, 'email')).toBe(NOW)
      expect(await store.nextNoticeDue(HOME, 'http')).toBe(null)
      expect(await due(store, NOW - 1)).toEqual([])
      expect(await store.claimNotices(ELSEWHERE[0]!, 'email', NOW, LATER, LIMIT)).toEqual([])
      expect(await due(store, NOW)).toEqual(['n1'])
      expect(await due(store, NOW + 999)).toEqual([])
      expect(await due(store, NOW + 1_000)).toEqual(['n1'])
    })

    test('notices that failed wait, and hold up no others', async () => {
      const store = await stored(notice('n1'), notice('n2'))
      expect(await due(store, NOW, 'email', LATER)).toEqual(['n1', 'n2'])
      await store.retryNotice('n1', LATER, false)
      await store.retryNotice('n2', NOW + 5, true)
      expect(await store.nextNoticeDue(HOME, 'email')).toBe(NOW + 5)
      expect(await store.claimNotices(HOME, 'email', NOW + 5, LATER, LIMIT)).toMatchObject([
        { id: 'n2', failures: 1, unanswered: 1 },
      ])
    })

    test('notices that are finished are not claimed again, keep their end, and leave the events as they are', async () => {
      const store = await stored(notice('n1'), notice('n2'))
      await store.finishNotice('n1', 'told')
      await store.finishNotice('n2', 'given_up')
      await store.finishNotice('n2', 'told')
      await store.retryNotice('n1', NOW, true)
      await store.limitNotices(HOME, 'email', NOW)
      expect(await store.nextNoticeDue(HOME, 'email')).toBe(null)
      expect(await due(store, LATER)).toEqual([])
      expect(await store.listNoticesOf('a')).toMatchObject([
        { id: 'n1', finish: 'told', failures: 0 },
        { id: 'n2', finish: 'given_up' },
      ])
      expect(await store.listNoticesOf('b')).toEqual([])
      expect(await taken(store, NOW)).toEqual(['paid'])
    })

    test('notices that are due too late by a clock that has jumped back are due earlier', async () => {
      const store = await stored(notice('n1'))
      await store.limitNotices(HOME, 'http', NOW - 10)
      await store.limitNotices(ELSEWHERE[0]!, 'email', NOW - 10)
      expect(await store.nextNoticeDue(HOME, 'email')).toBe(NOW)
      await store.limitNotices(HOME, 'email', NOW - 10)
      expect(await store.nextNoticeDue(HOME, 'email')).toBe(NOW - 10)
    })

    test('notices are deleted with a transaction that is pruned', async () => {
      const store = await opened(newRow('a', { due_at: null }))
      await store.commit('a', 1, { at: NOW, events: [], notices: [notice('n1')], historyEntry: 'Paid.' })
      const { account, kind, reference, group, attempt, outcome } = newRow('a')
      const tombstone = { account, kind, reference, group, attempt, outcome, amount: '1 KES', digest: 'd' }
      await store.finishNotice('n1', 'told')
      expect(await store.prune(LATER, [tombstone])).toBe(1)
      expect(await store.listNoticesOf('a')).toEqual([])
    })
  })
}
