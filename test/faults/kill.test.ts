import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { CheckoutView } from '../../server/api/view.ts'
import type { TrackedCharge } from '../../server/api/charge.ts'
import type { TrackedPayout } from '../../server/api/payout.ts'
import type { PayoutType } from '../support/payable.ts'
import type { MortalWorld } from './mortal-world.ts'
import { CHARGE } from '../support/chargeable.ts'
import { PAYOUT_PATHS, PAYOUTS } from '../support/payable.ts'
import { API_KEY, PAYER } from '../support/world.ts'
import { EVENTUALLY, openMortalWorld } from './mortal-world.ts'

/** Worlds beside each other: they mostly wait. */
const AT_ONCE = 4
const folder = mkdtempSync(join(tmpdir(), 'kill-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('killed at every step, the outcome still arrives once', () => {
  test('of a checkout', { timeout: 300_000 }, () => killEverywhere(payCheckout))
  test('of a local payout', { timeout: 300_000 }, () => killEverywhere((world) => payOut(world, 'local')))
  test('of an international transfer', { timeout: 300_000 }, () =>
    killEverywhere((world) => payOut(world, 'transfer')),
  )
  test('of airtime', { timeout: 300_000 }, () => killEverywhere(sendAirtime))
  test('of a B2B payout', { timeout: 300_000 }, () => killEverywhere((world) => payOut(world, 'b2b')))
  test('of a charge, whose shares move once', { timeout: 300_000 }, () => killEverywhere(charge))
})

/** Takes the journey once to see its steps, then once more for each step, with a process that dies there. */
async function killEverywhere(journey: (world: MortalWorld) => Promise<void>) {
  const { steps } = await travel(journey, null)
  expect(steps.length).toBeGreaterThanOrEqual(16)
  const waiting = [...new Set(steps)]
  const killed: string[] = []
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let dieAt = waiting.shift(); dieAt !== undefined; dieAt = waiting.shift()) {
        const { died } = await travel(journey, dieAt)
        if (died) killed.push(dieAt)
      }
    }),
  )
  // Which worker is first may differ from run to run, so a rare step is not reached again.
  expect(killed.length).toBeGreaterThanOrEqual(new Set(steps).size * 0.8)
}

async function travel(journey: (world: MortalWorld) => Promise<void>, dieAt: string | null) {
  const world = await openMortalWorld(folder, dieAt)
  try {
    await journey(world)
    return { died: world.died(), steps: [...world.steps] }
  } finally {
    await world.close()
  }
}

async function payCheckout(world: MortalWorld) {
  const body = new URLSearchParams({ order: 'A-1', ...PAYER })
  const headers = { accept: 'application/json' }
  const begun = await world.ask<CheckoutView>('/checkout/initiate', { method: 'POST', body, headers })
  await world.sandbox(`/checkouts/${begun.merchant_transaction_id}/pay`, { scenario: 'approve' })
  await hears(world, 'checkout.paid')
  await expect
    .poll(() => world.ask<CheckoutView>(`/checkout/status/${begun.checkout_id}`), EVENTUALLY)
    .toMatchObject({ status: 801, outcome: 'paid' })
  expect(await initiated(world)).toEqual([begun.merchant_transaction_id])
}

async function payOut(world: MortalWorld, type: PayoutType) {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }
  const body = JSON.stringify(PAYOUTS[type])
  await world.ask(`/api${PAYOUT_PATHS[type]}`, { method: 'POST', headers, body })
  await hears(world, type === 'b2b' ? 'b2b.succeeded' : 'payout.succeeded')
  expect(await world.ask<TrackedPayout>('/api/payouts/P-1', { headers })).toMatchObject({
    payment_status: 700,
    outcome: 'succeeded',
  })
  const { entries } = await world.sandbox('/ledger?reference=P-1')
  expect(entries.map(({ what }: { what: string }) => what)).toEqual(['payout reserved', 'payout paid'])
}

/** Sent once at most: where the process died before it left, nobody can know that, and a person is told. */
async function charge(world: MortalWorld) {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }
  await world.ask('/api/charges', { method: 'POST', headers, body: JSON.stringify(CHARGE) })
  await expect.poll(() => world.heard.length, EVENTUALLY).toBeGreaterThan(0)
  const { requests } = await world.sandbox('/requests')
  const posts = requests.filter(({ path }: { path: string }) => path === '/v1/charges')
  const read = () => world.ask<TrackedCharge>('/api/charges/C-1', { headers })
  if (posts.length === 0) {
    await hears(world, 'charge.needs_attention')
    expect(await read()).toMatchObject({ outcome: 'needs_attention', status: null })
    return
  }
  await hears(world, 'charge.succeeded')
  await expect
    .poll(read, EVENTUALLY)
    .toMatchObject({ outcome: 'succeeded', fulfilment: { stage: 'confirmed' } })
  expect(posts).toHaveLength(1)
  const { entries } = await world.sandbox('/ledger?reference=C-1')
  const what = entries.map((entry: { what: string }) => entry.what)
  expect(what).toEqual(['charge paid', 'charge distributed'])
}

/** What may have left before the process died is never sent again: then a person is told. */
async function sendAirtime(world: MortalWorld) {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }
  const recipients = [{ phone_number: '254700000001', amount: '10' }]
  const body = JSON.stringify({ reference: 'A-1', recipients })
  await world.ask('/api/airtime', { method: 'POST', headers, body })
  const types = () => world.heard.map(({ type }) => type)
  await expect
    .poll(types, EVENTUALLY)
    .toContainEqual(expect.stringMatching(/^airtime\.(succeeded|needs_attention)$/))
  const { entries } = await world.sandbox('/ledger')
  const moved = entries.slice(1).map(({ what }: { what: string }) => what)
  const hasLeft = moved.length > 0
  expect(moved).toEqual(hasLeft ? ['airtime reserved', 'airtime delivered'] : [])
  await hears(world, hasLeft ? 'airtime.succeeded' : 'airtime.needs_attention')
}

async function hears({ heard }: MortalWorld, type: string) {
  await expect.poll(() => heard.map((event) => event.type), EVENTUALLY).toContain(type)
  expect(new Set(heard.map(({ id }) => id)).size).toBe(1)
}

/** Every id under which the gateway was ever asked to open a session. */
async function initiated(world: MortalWorld): Promise<string[]> {
  const { requests } = await world.sandbox('/requests')
  const initiates = requests.filter(({ path }: { path: string }) => path === '/v2/checkout/initiate')
  const ids = initiates.map(
    ({ body }: { body: { merchant_transaction_id: string } }) => body.merchant_transaction_id,
  )
  return [...new Set<string>(ids)]
}
