import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

import { newStoreFolder } from '../support/folder.ts'
import { sharedPostgres } from '../support/postgres.ts'
import { AIRTIME } from '../support/spec/airtime.ts'
import { CHARGE } from '../support/worlds/chargeable.ts'
import { API_KEY } from '../support/worlds/environment.ts'
import { PAYOUTS } from '../support/worlds/payable.ts'
import { posted } from '../support/worlds/sandbox-line.ts'
import { formOf } from '../support/worlds/world.ts'
import { openKillableWorld } from './killable-world.ts'

import type { TrackedCharge } from '../../server/api/charge.ts'
import type { TrackedPayout } from '../../server/api/payout.ts'
import type { CheckoutView } from '../../server/api/view.ts'
import type { KillableWorld } from './killable-world.ts'

interface Journey {
  start(world: KillableWorld): Promise<unknown>
  /**
   * Checks the results of the journey.
   *
   * @param diedAt The step at which the server was killed, such as `after store.commit #1`; `null` if the server was
   * not killed.
   */
  check(world: KillableWorld, diedAt: string | null): Promise<void>
}

const JOURNEYS: Record<string, Journey> = {
  'a checkout': { start: (world) => startCheckout(world), check: (world) => checkCheckout(world) },
  // The three types of payouts are one kind.
  'a payout': { start: (world) => post(world, '/payouts', PAYOUTS.local), check: checkPayout },
  'an airtime request': { start: startAirtime, check: checkAirtime },
  'a prompt': { start: startPrompt, check: checkPrompt },
  'a charge': { start: (world) => post(world, '/charges', CHARGE), check: checkCharge },
  'an order of a link': { start: startLink, check: checkLink },
}

// A run may miss the step, because the order of the workers varies, on a slow machine more than on a quick one.
const MAX_TRIES = 4
/** The maximum fraction of the steps that all runs may miss. */
const MAX_MISSED = 1 / 10

const folder = newStoreFolder(afterAll)

let files = 0
const NEW_STORE = {
  SQLite: async () => `sqlite:${join(folder, `${(files += 1)}.sqlite`)}`,
  Postgres: async () => (await sharedPostgres()).newDatabase(),
}
type Engine = keyof typeof NEW_STORE

const runsOn = (engine: Engine) => Object.keys(JOURNEYS).map((name): [Engine, string] => [engine, name])

// Which death does what is decided by `test/interleavings`, where a server dies after each of its changes. Here real
// processes are killed, whose files stay.
test.concurrent.each([
  ['a checkout', 'after store.claimNotices #1'],
  ['a payout', 'after store.commit #1'],
  ['a charge', 'after POST /v1/charges #1'],
  ['an order of a link', 'after store.press #1'],
])(
  'a BFF that is killed settles once, delivers one event and tells people once: %s, %s',
  { timeout: 600_000 },
  async (name, step) => {
    expect(await killAt('SQLite', step, JOURNEYS[name]!)).toBe(true)
  },
)

describe.runIf(process.env.FULL).concurrent('a BFF is killed at each of its steps', () => {
  test.each([...runsOn('SQLite'), ...runsOn('Postgres')])(
    'on %s, a BFF that is killed at any step settles once, delivers one event and tells people once: %s',
    { timeout: 1_200_000 },
    async (engine, name) => {
      const journey = JOURNEYS[name]!
      const steps = await stepsOfEveryRun(engine, journey)
      expect(steps.length).toBeGreaterThanOrEqual(16)
      const missed: string[] = []
      for (const step of steps) {
        if (!(await killAt(engine, step, journey))) {
          missed.push(step)
        }
      }

      if (missed.length > 0) {
        console.info(`${engine}, ${name}: no run reached ${missed.join(', ')}`)
      }

      expect(missed.length).toBeLessThanOrEqual(steps.length * MAX_MISSED)
    },
  )
})

async function stepsOfEveryRun(engine: Engine, journey: Journey): Promise<string[]> {
  const { steps } = await travel(engine, journey, null)
  const other = await travel(engine, journey, null)
  return steps.filter((step) => other.steps.includes(step))
}

async function killAt(engine: Engine, step: string, journey: Journey): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if ((await travel(engine, journey, step)).died) {
      return true
    }
  }

  return false
}

async function travel(engine: Engine, journey: Journey, dieAt: string | null) {
  const world = await openKillableWorld(await NEW_STORE[engine](), dieAt)
  try {
    await journey.start(world)
    await world.rest()
    await journey.check(world, world.died() ? dieAt : null)
    return { died: world.died(), steps: [...world.steps] }
  } finally {
    await world.close()
  }
}

const AS_BACKEND = { headers: { authorization: `Bearer ${API_KEY}` } }

function post(world: KillableWorld, path: string, body: object): Promise<unknown> {
  return world.ask(`/api${path}`, posted(body, AS_BACKEND.headers))
}

async function startCheckout(world: KillableWorld, order = 'A-1') {
  const view = await initiate(world, {}, order)
  await world.sandbox(`/checkouts/${view.merchant_transaction_id}/pay`, { scenario: 'approve' })
}

function initiate(
  world: KillableWorld,
  fields: Record<string, string> = {},
  order = 'A-1',
): Promise<CheckoutView> {
  return world.ask('/checkout/initiate', formOf(order, fields))
}

async function startLink(world: KillableWorld) {
  const terms = { narration: 'Entrance', currency: 'KES', amounts: ['500'] }
  const { id } = await world.ask<{ id: string }>('/api/links', posted(terms, AS_BACKEND.headers))
  const page = await world.askForText(`/link/${id}`, { headers: { accept: 'text/html' } })
  const [, name = ''] = /name="order" value="([^"]+)"/.exec(page) ?? []
  const form = () => ({ method: 'POST', body: new URLSearchParams({ order: name }) })
  expect(await world.askForText(`/link/${id}/press`, form())).toContain('Entrance')
  await startCheckout(world, name)
  await world.askForText(`/link/${id}/press`, form())
}

async function checkLink(world: KillableWorld) {
  const { items } = await world.ask<{ items: { order: string }[] }>('/api/checkouts', AS_BACKEND)
  const [order = ''] = new Set(items.map((checkout) => checkout.order))
  await checkCheckout(world, order)
  expect(items).toMatchObject([{ outcome: 'paid', link: { amount: '500', quantity: 1 } }])
}

async function checkCheckout(world: KillableWorld, order = 'A-1') {
  await expectOneEvent(world, 'checkout.paid')
  expectOneNotice(world, order)
  const view = await initiate(world, {}, order)
  expect(view).toMatchObject({ status: 801, outcome: 'paid' })
  // On a slow machine, an attempt is given up before it was sent, and another one takes its place.
  const bodies = await requestsTo(world, '/v2/checkout/initiate')
  const ids = bodies.map(({ merchant_transaction_id }) => merchant_transaction_id)
  expect([...new Set(ids)]).toEqual([view.merchant_transaction_id])
}

function startPrompt(world: KillableWorld) {
  return initiate(world, { method: 'prompt' })
}

async function checkPrompt(world: KillableWorld, diedAt: string | null) {
  const posts = await requestsTo(world, '/v1/charges')
  expect(posts.length).toBeLessThanOrEqual(isLost(diedAt, '/v1/charges') ? 0 : 1)
  // On a slow machine, the request may be lost without a kill.
  const wasSent = posts.length === 1
  await expectOneEvent(world, wasSent ? 'checkout.paid' : 'checkout.needs_attention')
  const view = await initiate(world, { method: 'prompt' })
  expect(await ledger(world, view.merchant_transaction_id)).toEqual(
    wasSent ? ['charge paid', 'charge distributed'] : [],
  )
  expect(view.outcome).toBe(wasSent ? 'paid' : 'review')
}

async function checkPayout(world: KillableWorld) {
  await expectOneEvent(world, 'payout.succeeded')
  const tracked = await world.ask<TrackedPayout>('/api/payouts/P-1', AS_BACKEND)
  expect(tracked).toMatchObject({ payment_status: 700, outcome: 'succeeded' })
  expect(await ledger(world, 'P-1')).toEqual(['payout reserved', 'payout paid'])
}

/** Returns whether the server was killed between the commit of `sent_at` and the request. */
function isLost(diedAt: string | null, path: string): boolean {
  return diedAt === 'after store.commit #1' || diedAt === `before POST ${path} #1`
}

async function checkCharge(world: KillableWorld, diedAt: string | null) {
  const posts = await requestsTo(world, '/v1/charges')
  const tracked = await world.ask<TrackedCharge>('/api/charges/C-1', AS_BACKEND)
  expect(posts.length).toBeLessThanOrEqual(isLost(diedAt, '/v1/charges') ? 0 : 1)
  // On a slow machine, the request may be lost without a kill.
  if (posts.length === 1) {
    await expectOneEvent(world, 'charge.succeeded')
    expect(tracked).toMatchObject({ outcome: 'succeeded', fulfilment: { stage: 'confirmed' } })
    expect(await ledger(world, 'C-1')).toEqual(['charge paid', 'charge distributed'])
  } else {
    // If a slow machine takes two virtual minutes to restart the server, a charge without `sent_at` ends as failed.
    expect(tracked).toMatchObject({
      outcome: expect.stringMatching(/^(needs_attention|failed)$/),
      status: null,
    })
    await expectOneEvent(world, `charge.${tracked.outcome}`)
    expect(await ledger(world, 'C-1')).toEqual([])
  }
}

async function startAirtime(world: KillableWorld) {
  const recipients = [{ phone_number: '254700000001', amount: '10' }]
  await post(world, '/airtime', { reference: 'A-1', recipients })
}

async function checkAirtime(world: KillableWorld, diedAt: string | null) {
  const movements = (await ledger(world)).filter((what) => what !== 'test funds')
  const posts = await requestsTo(world, AIRTIME)
  expect(posts.length).toBeLessThanOrEqual(isLost(diedAt, AIRTIME) ? 0 : 1)
  const sent = posts.length === 1
  expect(movements).toEqual(sent ? ['airtime reserved', 'airtime paid'] : [])
  await expectOneEvent(world, sent ? 'airtime.succeeded' : 'airtime.needs_attention')
}

async function expectOneEvent(world: KillableWorld, type: string) {
  const stored = await world.storedEvents()
  expect(stored).toMatchObject([{ type, finish: 'delivered' }])
  const delivered = new Set(world.received.map((event) => `${event.type} ${event.id}`))
  expect([...delivered]).toEqual(stored.map(({ id }) => `${type} ${id}`))
}

/** Whoever is told twice, because the server was killed before it noted that, is told under the same id. */
function expectOneNotice({ notices }: KillableWorld, order: string) {
  const told = new Set(notices.map(({ id, title }) => `${id} ${title}`))
  expect([...told]).toEqual([
    expect.stringMatching(new RegExp(`^ntc_[\\w-]{22,} TEST Paid: 500 KES, order ${order}$`)),
  ])
}

interface LoggedRequest {
  path: string
  body: { merchant_transaction_id?: string }
}

async function requestsTo(world: KillableWorld, path: string) {
  const { requests }: { requests: LoggedRequest[] } = await world.sandbox('/requests')
  return requests.flatMap((request) => (request.path === path ? [request.body] : []))
}

async function ledger(world: KillableWorld, reference?: string): Promise<string[]> {
  const { entries } = await world.sandbox(reference ? `/ledger?reference=${reference}` : '/ledger')
  return entries.map(({ what }: { what: string }) => what)
}
