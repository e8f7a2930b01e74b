import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

import { KINDS } from '../../server/api/kind-table.ts'
import { embed } from '../../server/core.ts'
import { FEATURES } from '../../server/features.ts'
import { airtime } from '../../server/features/airtime.ts'
import { charges } from '../../server/features/charges.ts'
import { checkouts } from '../../server/features/checkouts.ts'
import { links } from '../../server/features/links.ts'
import { payouts } from '../../server/features/payouts.ts'
import { silentLog } from '../../server/log/log.ts'
import { openStore } from '../../server/store/open.ts'
import { newStoreFolder } from '../support/folder.ts'
import { ENVIRONMENT, SHOP } from '../support/worlds/environment.ts'
import { DAY, HOUR } from '../support/worlds/observed.ts'
import { posted } from '../support/worlds/sandbox-line.ts'
import { createWorld } from '../support/worlds/world.ts'

import type { Environment } from '../../server/config/variables.ts'
import type { Feature } from '../../server/routes/feature.ts'

/** A world without what only charges read. */
const WITHOUT_CHARGES = { GATEWAY_CHARGE_PATH: '', PARTNER_ACCOUNTS_DYNAMIC: '' }
/** A world without what only checkouts read, either. */
const WITHOUT_CHECKOUTS = { ...WITHOUT_CHARGES, ALLOWED_ORIGINS: '' }

/** Starts the server of `gateway-checkout-server/core`, and stops it. Resolves with the message of its refusal. */
async function refusalOf(
  features: readonly Feature[],
  env: Environment,
  orders?: () => null,
): Promise<string | null> {
  const options = { features, env: { ...ENVIRONMENT, ...env }, log: silentLog, ...(orders && { orders }) }
  try {
    const server = await embed(options)
    await server.stop()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test('every kind has one feature, with its events and the callbacks about it', () => {
  const byKind = FEATURES.flatMap(({ kind, events, callbacks }) =>
    kind ? [[kind.name, { events, callbacks }]] : [],
  )
  const tabled = Object.entries(KINDS).map(([name, { subjects, chapters }]) => [
    name,
    { events: Object.keys(subjects), callbacks: Object.keys(chapters) },
  ])
  expect(Object.fromEntries(byKind)).toEqual(Object.fromEntries(tabled))
})

describe('a server with checkouts alone', () => {
  test('takes a payment, and receives the callback about it', async () => {
    const world = await createWorld({ features: [checkouts], env: WITHOUT_CHARGES })
    world.order('A-1')
    const view = await world.start('A-1')
    await world.pay(view, 'approve')
    const answer = await world.ask(world.callbackPath(view), { method: 'POST' })
    expect(answer.status).toBe(200)
    await world.later(HOUR)
    expect(world.types()).toEqual(['checkout.paid'])
  })

  test.each(['payouts', 'b2b', 'charges', 'airtime'] as const)(
    'answers callbacks about %s with 404',
    async (chapter) => {
      const world = await createWorld({ features: [checkouts], env: WITHOUT_CHARGES })
      const path = `/callbacks/${chapter}/${world.portalToken(chapter)}`
      const answer = await world.ask(path, posted({}))
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ code: 'unknown_callback' })
      expect((await world.ask(path)).status).toBe(404)
    },
  )

  test.each(['/payouts', '/payouts/P-1', '/charges', '/airtime'])('has no /api%s', async (path) => {
    const world = await createWorld({ features: [checkouts], env: WITHOUT_CHARGES })
    const answer = await world.api(path)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ code: 'not_found' })
  })

  test('describes no other routes, events and chapters', async () => {
    const world = await createWorld({ features: [checkouts], env: WITHOUT_CHARGES })
    const { paths, webhooks, tags } = await (await world.ask('/openapi.json')).json()
    expect(Object.keys(paths).filter((path) => /payouts|charges|airtime/.test(path))).toEqual([])
    expect(Object.keys(webhooks).filter((type) => !type.startsWith('checkout.'))).toEqual([])
    expect(tags.map(({ name }: { name: string }) => name)).toEqual([
      'Checkout',
      'Records',
      'Rates',
      'Callbacks',
      'Health',
      'Events',
    ])
  })
})

test('a server with payouts alone pays out, and has no page to pay on', async () => {
  const world = await createWorld({ features: [payouts], env: WITHOUT_CHECKOUTS, ordersFromConfig: true })
  await world.payOut('local')
  await world.later(HOUR)
  expect(await world.payout('P-1')).toMatchObject({ outcome: 'succeeded' })
  const pressed = await world.ask('/checkout/initiate', posted({ order: 'A-1' }, { origin: SHOP }))
  expect(pressed.status).toBe(404)
})

describe('a variable that only a missing feature reads', () => {
  const memory = { STORE_URL: 'sqlite::memory:' }

  test('is refused by its name', async () => {
    const refusal = await refusalOf([payouts], { ...memory, ...WITHOUT_CHARGES, GATEWAY_CLIENT_CODE: 'C-1' })
    expect(refusal).toContain('ALLOWED_ORIGINS is read by the feature "checkouts"')
    expect(refusal).toContain('GATEWAY_CLIENT_CODE is read by the feature "charges"')
    expect(refusal).not.toContain('GATEWAY_CHARGE_PATH')
  })

  test('may be blank', async () => {
    expect(await refusalOf([payouts], { ...memory, ...WITHOUT_CHECKOUTS })).toBe(null)
  })

  test('is read by the feature', async () => {
    expect(await refusalOf([checkouts, charges], memory, () => null)).toBe(null)
  })
})

test('a function for orders is refused without checkouts, and required with them', async () => {
  const memory = { STORE_URL: 'sqlite::memory:' }
  expect(await refusalOf([airtime], { ...memory, ...WITHOUT_CHECKOUTS }, () => null)).toContain(
    'The function "orders" is read by the feature "checkouts"',
  )
  expect(await refusalOf([checkouts], { ...memory, ...WITHOUT_CHARGES })).toContain('ORDERS_URL')
})

test('links are refused without checkouts, by which their orders are paid', async () => {
  const memory = { STORE_URL: 'sqlite::memory:' }
  expect(await refusalOf([links], { ...memory, ...WITHOUT_CHECKOUTS })).toContain(
    'The feature "links" makes orders, which the feature "checkouts" lets shoppers pay',
  )
  expect(await refusalOf([checkouts, links], { ...memory, ...WITHOUT_CHARGES }, () => null)).toBe(null)
})

describe('a store with a payout', () => {
  /** Sends a payout, and leaves the store behind. */
  async function storeAfter(ms: number): Promise<string> {
    const STORE_URL = `sqlite:${join(newStoreFolder(), 'checkout.sqlite')}`
    const world = await createWorld({ store: openStore(STORE_URL) })
    await world.payOut('local')
    await world.later(ms)
    await world.store.close()
    return STORE_URL
  }

  test('that is not settled keeps a server without payouts from starting', async () => {
    const STORE_URL = await storeAfter(0)
    const refusal = await refusalOf([checkouts], { ...WITHOUT_CHARGES, STORE_URL }, () => null)
    expect(refusal).toContain('a payout that is not settled (P-1: pending): add the feature "payouts"')
    expect(await refusalOf([checkouts, payouts], { ...WITHOUT_CHARGES, STORE_URL }, () => null)).toBe(null)
  })

  test('that is settled does not', async () => {
    const STORE_URL = await storeAfter(HOUR)
    expect(await refusalOf([checkouts], { ...WITHOUT_CHARGES, STORE_URL }, () => null)).toBe(null)
  })
})

describe('a settled payout of a feature that was left out', () => {
  async function settledPayout() {
    const world = await createWorld({ env: WITHOUT_CHARGES })
    await world.payOut('local')
    await world.later(HOUR)
    await world.restartWith(checkouts)
    return world
  }

  test('is still queried, and the merchant is told of its reversal', async () => {
    const world = await settledPayout()
    await world.control('/payouts/P-1/play', { scenario: 'reverse' })
    await world.later(2 * DAY)
    expect(world.types()).toEqual(['payout.succeeded', 'payout.reversed'])
  })

  test('loses its personal data when it is old', async () => {
    const world = await settledPayout()
    expect(await world.rows()).toEqual([expect.objectContaining({ personal: expect.any(String) })])
    await world.later(62 * DAY)
    expect(await world.rows()).toEqual([expect.objectContaining({ kind: 'payout', personal: null })])
  })
})
