import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { CheckoutView } from '../../server/api/view.ts'
import type { TrackedCharge } from '../../server/api/charge.ts'
import type { TrackedPayout } from '../../server/api/payout.ts'
import type { PayoutType } from '../support/payable.ts'
import type { KillableWorld } from './killable-world.ts'
import { CHARGE } from '../support/chargeable.ts'
import { PAYOUT_PATHS, PAYOUTS } from '../support/payable.ts'
import { API_KEY, PAYER } from '../support/world.ts'
import { openKillableWorld } from './killable-world.ts'

interface Journey {
  /** Starts the transaction; the workers do the rest. */
  start(world: KillableWorld): Promise<void>
  /** Checks a world at rest. */
  check(world: KillableWorld): Promise<void>
}

const JOURNEYS: Record<string, Journey> = {
  'a checkout': { start: startCheckout, check: checkCheckout },
  'a local payout': payout('local'),
  'an international transfer': payout('transfer'),
  'a B2B payout': payout('b2b'),
  'an airtime request': { start: startAirtime, check: checkAirtime },
  'a charge': { start: startCharge, check: checkCharge },
}

/** Worlds in parallel: each mostly waits. */
const AT_ONCE = 4
/** A step may be missed when the workers run in another order. Every step is reached in one of so many tries. */
const MOST_TRIES = 4

const folder = mkdtempSync(join(tmpdir(), 'kill-'))
afterAll(() => rmSync(folder, { recursive: true }))

const sample = process.env.FULL ? 'every step' : 'a sample of its steps'
describe(`a BFF killed at ${sample} settles once and delivers one event`, () => {
  test.each(Object.entries(JOURNEYS))('%s', { timeout: 600_000 }, async (name, journey) => {
    const steps = await stepsOf(journey)
    expect(steps.length).toBeGreaterThanOrEqual(16)
    const chosen = process.env.FULL ? steps : steps.filter((_, index) => isSampled(index, name))
    const missed: string[] = []
    const waiting = [...chosen]
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let step = waiting.shift(); step !== undefined; step = waiting.shift())
          if (!(await killAt(step, journey))) missed.push(step)
      }),
    )
    expect(missed).toEqual([])
  })
})

/** The journeys take much the same steps: each is killed at other ones, and together at one in every place. */
function isSampled(index: number, name: string): boolean {
  const names = Object.keys(JOURNEYS)
  return index % names.length === names.indexOf(name)
}

/** The steps that each of two undisturbed runs took: a request repeated on a slow machine is none of them. */
async function stepsOf(journey: Journey): Promise<string[]> {
  const [one, other] = await Promise.all([travel(journey, null), travel(journey, null)])
  return one.steps.filter((step) => other.steps.includes(step))
}

/** Whether the process was killed there; the outcome has been checked either way. */
async function killAt(step: string, journey: Journey): Promise<boolean> {
  for (let tries = 0; tries < MOST_TRIES; tries++) if ((await travel(journey, step)).died) return true
  return false
}

async function travel(journey: Journey, dieAt: string | null) {
  const world = await openKillableWorld(folder, dieAt)
  try {
    await journey.start(world)
    await world.rest()
    await journey.check(world)
    return { died: world.died(), steps: [...world.steps] }
  } finally {
    await world.close()
  }
}

const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }

function post(world: KillableWorld, path: string, body: object): Promise<unknown> {
  return world.ask(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function startCheckout(world: KillableWorld) {
  const view = await initiate(world)
  await world.sandbox(`/checkouts/${view.merchant_transaction_id}/pay`, { scenario: 'approve' })
}

function initiate(world: KillableWorld): Promise<CheckoutView> {
  const body = new URLSearchParams({ order: 'A-1', ...PAYER })
  return world.ask('/checkout/initiate', { method: 'POST', body, headers: { accept: 'application/json' } })
}

async function checkCheckout(world: KillableWorld) {
  await expectOneEvent(world, 'checkout.paid')
  const view = await initiate(world)
  expect(view).toMatchObject({ attempt: 1, status: 801, outcome: 'paid' })
  const bodies = await requestsTo(world, '/v2/checkout/initiate')
  const ids = bodies.map(({ merchant_transaction_id }) => merchant_transaction_id)
  expect([...new Set(ids)]).toEqual([view.merchant_transaction_id])
}

function payout(type: PayoutType): Journey {
  return {
    start: async (world) => void (await post(world, PAYOUT_PATHS[type], PAYOUTS[type])),
    async check(world) {
      await expectOneEvent(world, type === 'b2b' ? 'b2b.succeeded' : 'payout.succeeded')
      const tracked = await world.ask<TrackedPayout>('/api/payouts/P-1', { headers })
      expect(tracked).toMatchObject({ payment_status: 700, outcome: 'succeeded' })
      expect(await ledger(world, 'P-1')).toEqual(['payout reserved', 'payout paid'])
    },
  }
}

async function startCharge(world: KillableWorld) {
  await post(world, '/charges', CHARGE)
}

/** A charge is sent once at most. If the process was killed before it sent the charge, no money may have moved. */
async function checkCharge(world: KillableWorld) {
  const posts = await requestsTo(world, '/v1/charges')
  const tracked = await world.ask<TrackedCharge>('/api/charges/C-1', { headers })
  if (posts.length === 0) {
    expect(tracked).toMatchObject({
      outcome: expect.stringMatching(/^(failed|needs_attention)$/),
      status: null,
    })
    expect(await ledger(world, 'C-1')).toEqual([])
    return expectOneEvent(world, `charge.${tracked.outcome}`)
  }
  await expectOneEvent(world, 'charge.succeeded')
  expect(tracked).toMatchObject({ outcome: 'succeeded', fulfilment: { stage: 'confirmed' } })
  expect(posts).toHaveLength(1)
  expect(await ledger(world, 'C-1')).toEqual(['charge paid', 'charge distributed'])
}

async function startAirtime(world: KillableWorld) {
  const recipients = [{ phone_number: '254700000001', amount: '10' }]
  await post(world, '/airtime', { reference: 'A-1', recipients })
}

/** A request that may have left before the process was killed is not sent again: a person has to decide. */
async function checkAirtime(world: KillableWorld) {
  const [, ...movements] = await ledger(world)
  const isSent = movements.length > 0
  expect(movements).toEqual(isSent ? ['airtime reserved', 'airtime delivered'] : [])
  await expectOneEvent(world, isSent ? 'airtime.succeeded' : 'airtime.needs_attention')
}

/** Deliveries may repeat, under the id of the one event that is stored. */
async function expectOneEvent(world: KillableWorld, type: string) {
  const stored = await world.storedEvents()
  expect(stored).toMatchObject([{ type, finish: 'delivered' }])
  const delivered = new Set(world.received.map((event) => `${event.type} ${event.id}`))
  expect([...delivered]).toEqual(stored.map(({ id }) => `${type} ${id}`))
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
