import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'

import { GatewayError } from '../../../server/gateway/errors.ts'
import { loadKind } from '../../../server/load-kind.ts'
import { silentLog } from '../../../server/log/log.ts'
import { openStore } from '../../../server/store/open.ts'
import { Commits } from '../../../server/transactions/commits.ts'
import { Kinds } from '../../../server/transactions/kinds.ts'
import { createReader } from '../../../server/transactions/record.ts'
import { SECOND } from '../../../server/transactions/schedule.ts'
import { changed } from '../../../server/transactions/transition-result.ts'
import { newRow, NOW } from '../../support/contracts/stored-rows.ts'
import { DAY } from '../../support/worlds/observed.ts'

import type { Store } from '../../../server/store/store.ts'
import type { Transaction } from '../../../server/store/transactions.ts'
import type { Kind } from '../../../server/transactions/kind.ts'
import type { Stored } from '../../../server/transactions/record.ts'

let store: Store
afterEach(() => store.close())

const Said = z.object({
  kind: z.enum(['said', 'status']),
  phase: z.literal('open'),
  says: z.string(),
  stage: z.enum(['open', 'ended']),
})
type Said = z.output<typeof Said>
const say = (says: string, stage: Said['stage']): Said => ({ kind: 'said', phase: 'open', says, stage })

/** A kind whose observations are its records. It is open since `NOW`, and overdue 30 days later. */
const saying: Kind<Stored<Said>, Said, never> = {
  read: createReader(Said),
  transition: (_, observed) => {
    const record = 'says' in observed ? observed : say('It is overdue.', 'ended')
    return changed(record, record.says)
  },
  announce: (_, { record }) => ({ record, events: [] }),
  outcomeOf: () => 'review',
  progressOf: ({ record: { stage } }) => (stage === 'ended' ? { stage } : { stage, since: NOW }),
  requestOf: () => ({ amount: '500 KES', fingerprint: '' }),
  movementsOf: () => [],
  describeEvent: (event) => event,
  familyOf: () => 'checkout',
  sendRule: () => 'once',
  erase: () => null,
  send: async () => say('sent', 'open'),
  queryStatus: async () => say('queried', 'open'),
}

/**
 * Opens the commits of a transaction that is open, as two processes on one store make them. Before its next commit is
 * stored, the first process runs what is in `meanwhile`.
 */
async function openCommits() {
  store = openStore('sqlite::memory:')
  const clock = { now: NOW, sleep: () => new Promise<void>(() => {}) }
  const meanwhile: (() => Promise<unknown>)[] = []
  const interrupted: Store = {
    ...store,
    async commit(...args) {
      await meanwhile.shift()?.()
      return store.commit(...args)
    },
    async requestQuery(...args) {
      await meanwhile.shift()?.()
      return store.requestQuery(...args)
    },
  }
  const commitsOf = (own: Store) =>
    new Commits({
      store: own,
      kinds: new Kinds([{ name: 'checkout', rules: saying }], loadKind),
      clock: { now: () => clock.now, sleep: clock.sleep },
      log: silentLog,
      metrics: undefined,
      randomness: { token: () => '' },
      queries: { postpone: () => false },
      zone: null,
    })
  await store.insert(newRow('a', { record: say('', 'open') }))
  return {
    clock,
    commits: commitsOf(interrupted),
    other: commitsOf(store),
    meanwhile,
    row: async () => (await store.find('a'))!,
  }
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

test.each([
  [30 * DAY, 30 * DAY, 'It is overdue.'],
  [30 * DAY, null, 'It is overdue.'],
  [30 * DAY, 30 * DAY - 1, 'waiting'],
  [30 * DAY - 1, 31 * DAY, 'waiting'],
])('an answer after %i ms by this clock, and %s by that of the gateway: %s', async (own, gateways, says) => {
  const { clock, commits, row } = await openCommits()
  clock.now = NOW + own
  const answer = { ...say('waiting', 'open'), at: gateways && NOW + gateways }
  await commits.observe(await row(), answer, clock.now, 'status')
  expect(await row()).toMatchObject({ record: { says } })
})

test('what is no answer of the gateway, such as a visit, changes no due time', async () => {
  const { clock, commits, row } = await openCommits()
  const error = new GatewayError('gateway_timeout', 'No answer.')
  for (let failure = 0; failure < 3; failure++) {
    await commits.fail(await row(), error, clock.now)
  }

  const failed = await row()
  expect(failed).toMatchObject({ failures: 3, due_at: NOW + 20_000 })
  clock.now += 5_000
  await commits.saveWithoutQuery(saying, 'a', say('The shopper came again.', 'open'))
  expect(await row()).toMatchObject({ version: 2, failures: 3, due_at: NOW + 20_000 })
})

test('the answer to a query does not count if the row has changed since, and is asked for again', async () => {
  const { clock, commits, row } = await openCommits()
  const asked = await row()
  clock.now += 5_000
  await commits.observe(asked, say('paid', 'open'), clock.now, 'status')
  clock.now += 5_000
  await commits.observe(asked, say('waiting', 'open'), NOW + 1, 'status')
  expect(await row()).toMatchObject({ version: 2, record: { says: 'paid' }, requested_at: clock.now })
})

test('the answer to a send counts only for this send', async () => {
  const { clock, commits, row } = await openCommits()
  const { transaction } = await commits.markSent('a', () => true)
  clock.now += 1
  await commits.markSent('a', () => true)
  await commits.observe(transaction, say('accepted', 'ended'), transaction.sent_at!, 'send')
  expect(await row()).toMatchObject({ record: { says: '' }, sent_at: clock.now, asked_at: null })
  expect(await store.history('a')).toMatchObject([{ what: expect.stringContaining('does not count') }])
  await commits.observe(await row(), say('accepted', 'ended'), clock.now, 'send')
  expect(await row()).toMatchObject({ record: { says: 'accepted' }, asked_at: clock.now, due_at: null })
})

test.each<[string, (commits: Commits, asked: Transaction) => Promise<unknown>]>([
  ['the answer', (commits, asked) => commits.observe(asked, say('paid', 'ended'), NOW + 10, 'status')],
  [
    'the failure',
    (commits, asked) => commits.fail(asked, new GatewayError('gateway_timeout', 'No answer.'), NOW + 10),
  ],
])(
  'a callback that another process receives while %s of an earlier query is stored is not lost',
  async (_, finish) => {
    const { clock, commits, other, meanwhile, row } = await openCommits()
    const asked = (await other.request('a'))!
    clock.now += 300
    meanwhile.push(() => other.request('a'))
    await finish(commits, asked)
    expect(await row()).toMatchObject({ due_at: NOW + SECOND, requested_revision: 3 })
    await commits.observe(await row(), say('paid', 'ended'), NOW + SECOND, 'status')
    expect(await row()).toMatchObject({ due_at: null, requested_revision: null })
  },
)

test('callbacks do not keep the answer to a query from being stored', async () => {
  const { clock, commits, other, meanwhile, row } = await openCommits()
  const asked = await row()
  await other.request('a')
  meanwhile.push(() => other.request('a'))
  await commits.observe(asked, say('paid', 'ended'), clock.now, 'status')
  expect(await row()).toMatchObject({ record: { says: 'paid' }, due_at: NOW + SECOND })
})

test('the answer to a send or to a decision serves no requested query', async () => {
  const { clock, commits, row } = await openCommits()
  for (const answered of ['send', 'decision'] as const) {
    const asked = (await commits.request('a'))!
    await commits.observe(asked, say(answered, 'ended'), clock.now, answered)
    expect(await row()).toMatchObject({ record: { says: answered }, due_at: asked.requested_at })
  }
})

test('of two callbacks that two processes receive at once, each is served', async () => {
  const { clock, commits, other, meanwhile, row } = await openCommits()
  meanwhile.push(() => other.request('a'))
  const asked = (await commits.request('a'))!
  expect(asked).toEqual(await row())
  expect(asked).toMatchObject({ due_at: NOW + SECOND, requested_revision: 3 })
  await commits.observe(asked, say('paid', 'ended'), clock.now, 'status')
  expect(await row()).toMatchObject({ due_at: null, requested_revision: null })
})

test('a send that certainly did not arrive takes back no later send', async () => {
  const { clock, commits, row } = await openCommits()
  const unsent = new GatewayError('gateway_unreachable', 'Refused.', { isUnsent: true })
  const first = await commits.markSent('a', () => true)
  clock.now += 1
  const second = await commits.markSent('a', () => true)
  await commits.fail(first.transaction, unsent, NOW, null)
  expect(await row()).toMatchObject({ sent_at: NOW + 1 })
  await commits.fail(second.transaction, unsent, NOW + 1, NOW)
  expect(await row()).toMatchObject({ sent_at: NOW })
})
