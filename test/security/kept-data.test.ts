import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openStore } from '../../server/store/open.ts'
import { backUp } from '../../server/store/sqlite/recover.ts'
import { DOWN } from '../support/network.ts'
import { createWorld, PAYER } from '../support/world.ts'

const PLANTED = {
  payer_name: 'Wambui Planted',
  payer_email: 'planted@example.com',
  payer_msisdn: '0700000123',
}
const NUMBER = '254700000123'

const folder = mkdtempSync(join(tmpdir(), 'kept-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe("a payer's name, e-mail and number", () => {
  test('are not in the files of the store, before and after the gateway has accepted the checkout', async () => {
    const path = join(folder, 'payer.sqlite')
    const world = await createWorld({ store: openStore(`sqlite:${path}`) })
    for (const order of ['A-1', 'A-2']) world.order(order)
    await world.start('A-1', PLANTED)
    expect(findPlanted(folder)).toEqual([])

    world.network.reliability.gateway = DOWN
    expect((await world.initiate('A-2', PLANTED)).status).toBe(503)
    expect(findPlanted(folder)).toEqual([])
    await world.store.close()
    expect(findPlanted(folder)).toEqual([])
  })

  test.each([
    ['that knows the secret as its previous one', { GATEWAY_CONSUMER_SECRET_PREVIOUS: 'old-secret' }, 200],
    ['with another secret, which refuses the checkout', {}, 502],
  ])('are sealed with the consumer secret: a server %s', async (_, env, status) => {
    const storeAt = () => openStore(`sqlite:${join(folder, `sealed-${status}.sqlite`)}`)
    // The sandbox does not accept this secret: the checkout is stored, and no request reaches the gateway.
    const before = await createWorld({ env: { GATEWAY_CONSUMER_SECRET: 'old-secret' }, store: storeAt() })
    before.order('A-1')
    expect((await before.initiate('A-1', PLANTED)).status).toBe(503)
    await before.store.close()

    const after = await createWorld({ env, store: storeAt() })
    after.order('A-1')
    const answer = await after.initiate('A-1', PAYER)
    const isSent = after.gatewayBodies().some((body) => body.includes(PLANTED.payer_name))
    const isLogged = after.logged.some(({ message }) => message.includes('GATEWAY_CONSUMER_SECRET_PREVIOUS'))
    expect([answer.status, isSent, isLogged]).toEqual([status, status === 200, status === 502])
    await after.store.close()
  })
})

test('only the owner can read the files of the store, its WAL, its lock and a backup', async () => {
  const own = join(folder, 'modes')
  mkdirSync(own)
  const path = join(own, 'store.sqlite')
  const store = openStore(`sqlite:${path}`)
  const world = await createWorld({ store })
  world.order('A-1')
  await world.start('A-1', PAYER)
  backUp(path, join(own, 'copy.sqlite'), 0)
  const names = ['copy.sqlite', ...['', '-server', '-shm', '-wal'].map((suffix) => `store.sqlite${suffix}`)]
  expect(modesIn(own)).toEqual(Object.fromEntries(names.map((name) => [name, '600'])))
  await store.close()
})

test('a file that others could read is closed to them when it is opened', async () => {
  const path = join(folder, 'open.sqlite')
  await openStore(`sqlite:${path}`).close()
  writeFileSync(path, readFileSync(path), { mode: 0o644 })
  const store = openStore(`sqlite:${path}`)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await store.close()
})

function modesIn(at: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(at).map((name) => [name, (statSync(join(at, name)).mode & 0o777).toString(8)]),
  )
}

function findPlanted(at: string): string[] {
  return readdirSync(at).filter((name) => {
    const bytes = readFileSync(join(at, name))
    return [...Object.values(PLANTED), NUMBER].some((value) => bytes.includes(value))
  })
}
