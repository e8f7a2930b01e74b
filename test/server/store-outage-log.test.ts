import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../server/store/open.ts'
import { counting } from '../support/counting-store.ts'
import { startProxy } from '../support/freezable-proxy.ts'
import { startPostgres } from '../support/postgres.ts'
import { createWorld } from '../support/world.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

test('an outage of the store logs a line when it begins, one a minute, and one when it is over', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop(), 60_000)
  const url = await postgres.newDatabase()
  const proxy = await startProxy(postgres.port)
  onTestFinished(() => proxy.close())
  const store = openStore(url.replace(String(postgres.port), String(proxy.port)))
  onTestFinished(() => store.close())
  const calls = { running: 0 }
  const shop = await createWorld({ store: counting(store, calls), isBusy: () => calls.running > 0 })
  shop.order('A-1')
  await shop.start('A-1')
  const lines = (level: string) => shop.logged.filter((line) => line.level === level)
  expect(lines('error')).toEqual([])

  proxy.refuse()
  expect((await shop.api('/payouts/WAGES')).status).toBe(503)
  await shop.later(30 * SECOND)
  expect(lines('error')).toHaveLength(1)
  expect(lines('error')[0]?.facts).toHaveProperty('err.message')
  await shop.later(2.5 * MINUTE)
  expect((await shop.api('/payouts/WAGES')).status).toBe(503)
  expect(lines('error')).toHaveLength(3 + 1)
  expect(lines('error').at(-1)?.facts).toMatchObject({ similar: expect.any(Number) })
  // The lines that are left out are there with LOG_LEVEL=debug.
  expect(lines('debug').filter(({ facts }) => 'err' in facts).length).toBeGreaterThan(100)
  expect(lines('warn')).toEqual([])

  proxy.admit()
  await shop.later(30 * SECOND)
  expect(lines('warn')).toEqual([
    { level: 'warn', facts: { seconds: expect.any(Number) }, message: 'The store responds again.' },
  ])
  expect(lines('error')).toHaveLength(3 + 1)
  expect((await shop.api('/payouts/WAGES')).status).toBe(404)
}, 120_000)
