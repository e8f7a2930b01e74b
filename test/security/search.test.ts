import type { Store } from '../../server/store/store.ts'
import type { World } from '../support/world.ts'
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { createWorld, ENVIRONMENT, PAYER } from '../support/world.ts'
import { readConfig } from '../../server/config/config.ts'
import { backUpStore } from '../../server/store/open.ts'
import { foundIn, keepInPostgres, keepInSqlite } from '../support/kept-store.ts'
import { createLimitedShop } from '../support/limited-shop.ts'
import {
  PAYER_TEXTS,
  plantedOptions,
  RECIPIENTS,
  runPlanted,
  SECRETS,
  SENT_PAYER_TEXTS,
} from '../support/planted.ts'
import { startPostgres } from '../support/postgres.ts'
import { createMetrics } from '../../server/metrics/metrics.ts'

const DAY = 24 * 3_600_000
const isFull = Boolean(process.env.FULL)
const SEEDS = Array.from({ length: isFull ? 10 : 1 }, (_, index) => index + 1)

const postgres = isFull ? startPostgres() : null
afterAll(async () => (await postgres)?.stop())

describe.each(SEEDS)(
  'the search for planted names, e-mails, numbers and secrets, %i',
  { timeout: 120_000 },
  (seed) => {
    test('finds in SQLite, its WAL and its backups only what is still needed', async () => {
      const kept = keepInSqlite()
      const { world, metrics, capabilities } = await openPlanted(kept.open(), seed)
      const early = kept.beside('early.sqlite')
      backUpStore(kept.url, early, 0)
      for (const bytes of [await kept.read(), readFileSync(early)]) {
        expect(foundIn(bytes, RECIPIENTS)).toEqual(toldIn(world))
        expect(foundIn(bytes, [...PAYER_TEXTS, ...SECRETS])).toEqual([])
      }

      await world.later(32 * DAY)
      const late = kept.beside('late.sqlite')
      backUpStore(kept.url, late, 0)
      const everything = [...RECIPIENTS, ...PAYER_TEXTS, ...SECRETS]
      expect(foundIn(await kept.read(), everything)).toEqual([])
      expect(foundIn(readFileSync(late), everything)).toEqual([])
      await searchElsewhere(world, metrics, capabilities())
      await world.store.close()
      expect(foundIn(await kept.read(), everything)).toEqual([])
    })

    test.runIf(isFull)('finds in the tables of Postgres only what is still needed', async () => {
      const kept = await keepInPostgres((await postgres)!)
      const { world, metrics, capabilities } = await openPlanted(kept.open(), seed)
      expect(foundIn(await kept.read(), RECIPIENTS)).toEqual(toldIn(world))
      expect(foundIn(await kept.read(), [...PAYER_TEXTS, ...SECRETS])).toEqual([])

      await world.later(32 * DAY)
      expect(foundIn(await kept.read(), [...RECIPIENTS, ...PAYER_TEXTS, ...SECRETS])).toEqual([])
      await searchElsewhere(world, metrics, capabilities())
      await world.store.close()
    })
  },
)

/** Records are sealed: until they are erased, only the events that the merchant received have recipients in clear. */
function toldIn({ delivered }: World): string[] {
  const told = foundIn(Buffer.from(JSON.stringify(delivered)), RECIPIENTS)
  expect(told.length).toBeGreaterThan(5)
  return told
}

async function openPlanted(store: Store, seed: number) {
  const metrics = createMetrics({ config: readConfig(ENVIRONMENT), store })
  const world = await createWorld({ store, ...plantedOptions(), metrics, seed })
  const { capabilities } = await runPlanted(world)
  // The planted data were really sent, and every transaction comes to its end.
  expect(foundIn(Buffer.from(world.gatewayBodies().join()), SENT_PAYER_TEXTS)).toEqual(SENT_PAYER_TEXTS)
  expect(capabilities().length).toBeGreaterThan(5)
  return { world, metrics, capabilities }
}

/** Searches logs at every level, metrics, and what the API shows after 30 days. */
async function searchElsewhere(
  world: World,
  metrics: ReturnType<typeof createMetrics>,
  capabilities: readonly string[],
): Promise<void> {
  const logs = inspect(world.logged, { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity })
  const scraped = await (await metrics.fetch(new Request('http://127.0.0.1/metrics'))).text()
  const never = [...PAYER_TEXTS, ...RECIPIENTS, ...SECRETS, ...capabilities]
  expect(logs.length).toBeGreaterThan(10_000)
  expect(scraped).toContain('gateway_checkout_outcomes_total{kind="payout",outcome="succeeded"} 3')
  expect(foundIn(Buffer.from(logs), never)).toEqual([])
  expect(foundIn(Buffer.from(scraped), never)).toEqual([])

  const references = (await world.rows()).map(({ group }) => group)
  const paths = ['/events', '/payouts', '/charges', '/airtime', '/checkouts', '/airtime/A-1']
  expect(references).toEqual(
    expect.arrayContaining(['paid', 'refused', 'P-local', 'P-rejected', 'A-1', 'C-2']),
  )
  for (const path of [...paths, ...references.map((reference) => `/history/${reference}`)]) {
    const text = await (await world.api(path)).text()
    expect([path, foundIn(Buffer.from(text), [...PAYER_TEXTS, ...RECIPIENTS, ...SECRETS])]).toEqual([
      path,
      [],
    ])
  }
}

test('addresses of clients are not stored, and only their network is logged', async () => {
  const kept = keepInSqlite()
  const store = kept.open()
  const shop = createLimitedShop({ TRUSTED_PROXIES: 'none' }, { store })
  for (const remoteAddress of ['203.0.113.77', '2001:db8:aaaa:bbbb:cccc::77']) {
    for (let order = 0; order < 80; order++) {
      const body = new URLSearchParams({ order: `${order % 2 ? 'unknown' : 'A'}-${order}`, ...PAYER })
      const env = { incoming: { socket: { remoteAddress } } }
      await shop.app.request('/checkout/initiate', { method: 'POST', body }, env)
    }
  }
  const logs = inspect(shop.logged, { depth: Infinity, maxArrayLength: Infinity })
  const texts = ['203.0.113.77', '2001:db8:aaaa:bbbb', 'cccc::77']
  expect(foundIn(Buffer.from(logs), ['203.0.113.0/24', '2001:db8:aaaa::/48'])).toHaveLength(2)
  expect(foundIn(Buffer.from(logs), texts)).toEqual([])
  expect(foundIn(Buffer.from(await shop.metricsText()), texts)).toEqual([])
  expect(foundIn(await kept.read(), texts)).toEqual([])
  await store.close()
})
