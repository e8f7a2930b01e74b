import { afterEach, expect, test } from 'vitest'
import type { Store } from '../../server/store.ts'
import type { Kind } from '../../server/transactions/kind.ts'
import type { Progress } from '../../server/transactions/schedule.ts'
import type { BoundTransition } from '../../server/transactions/transition.ts'
import { GatewayError } from '../../server/gateway/errors.ts'
import { silentLog } from '../../server/log.ts'
import { openStore } from '../../server/store/open.ts'
import { createCommits } from '../../server/transactions/commits.ts'
import { DAY } from '../support/observed.ts'
import { newRow, NOW } from '../support/stored-rows.ts'

let store: Store
afterEach(() => store.close())

const change =
  (historyEntry: string, progress: Progress): BoundTransition =>
  () => ({ record: historyEntry, outcome: 'review', historyEntry, progress, events: [] })

/** Opens the commits of a transaction that is open since `NOW`, and overdue 30 days later. */
async function openCommits() {
  store = openStore('sqlite::memory:')
  const progress: Progress = { stage: 'open', since: NOW }
  const kind: Kind = {
    submissionOf: () => null,
    familyOf: () => 'checkout',
    progressOf: () => progress,
    requestOf: () => ({ amount: '500 KES', terms: null }),
    send: async () => change('sent', progress),
    queryStatus: async () => change('queried', progress),
    overdue: change('It is overdue.', { stage: 'ended' }),
  }
  const clock = { now: NOW, sleep: () => new Promise<void>(() => {}) }
  const commits = createCommits({
    store,
    kinds: { checkout: kind, payout: kind, charge: kind, airtime: kind },
    clock: { now: () => clock.now, sleep: clock.sleep },
    log: silentLog,
    newEventId: () => 'evt',
    reportChange: () => {},
    queries: { postpone: () => false },
  })
  await store.insert(newRow('a'))
  return { clock, commits, row: async () => (await store.find('a'))! }
}

test('thirty days of failed queries end in what the kind says, and queries before in no change', async () => {
  const { clock, commits, row } = await openCommits()
  const error = new GatewayError('gateway_answer_invalid', 'It cannot be read.')
  clock.now = NOW + 30 * DAY - 1
  await commits.fail(await row(), error, clock.now)
  expect(await row()).toMatchObject({
    version: 1,
    asked_at: clock.now,
    failures: 1,
    due_at: clock.now + 5_000,
  })
  clock.now += 1
  await commits.fail(await row(), error, clock.now)
  expect(await row()).toMatchObject({ version: 2, outcome: 'review', asked_at: clock.now, failures: 2 })
  expect(await store.history('a')).toEqual([{ at: clock.now, what: 'It is overdue.' }])
})

test('a service confirmation is due at once after failures, and a visit changes no due time', async () => {
  const { clock, commits, row } = await openCommits()
  const error = new GatewayError('gateway_timeout', 'No answer.')
  for (let failure = 0; failure < 3; failure++) await commits.fail(await row(), error, clock.now)
  const failed = await row()
  expect(failed).toMatchObject({ failures: 3, due_at: NOW + 20_000 })
  clock.now += 5_000
  await commits.decide('a', change('The shopper came again.', { stage: 'open', since: NOW }))
  expect(await row()).toMatchObject({ version: 2, failures: 3, due_at: NOW + 20_000 })
  await commits.decide('a', change('The merchant says SUCCESSFUL.', { stage: 'confirming' }))
  expect(await row()).toMatchObject({ version: 3, failures: 0, due_at: clock.now })
})

test('the answer to a send counts only for this send', async () => {
  const { clock, commits, row } = await openCommits()
  const { transaction } = await commits.markSent('a', () => true)
  clock.now += 1
  await commits.markSent('a', () => true)
  await commits.observe(transaction, change('accepted', { stage: 'ended' }), transaction.sent_at!, 'send')
  expect(await row()).toMatchObject({ record: newRow('a').record, sent_at: clock.now, asked_at: null })
  expect(await store.history('a')).toMatchObject([{ what: expect.stringContaining('does not count') }])
  await commits.observe(await row(), change('accepted', { stage: 'ended' }), clock.now, 'send')
  expect(await row()).toMatchObject({ record: 'accepted', asked_at: clock.now, due_at: null })
})
