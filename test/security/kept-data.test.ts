import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openStore } from '../../server/store/open.ts'
import { backUp } from '../../server/store/sqlite/backup.ts'
import { CHARGE } from '../support/chargeable.ts'
import { createWorld, PAYER } from '../support/world.ts'
import { newFolder } from '../support/folder.ts'

const PLANTED = {
  payer_name: 'Wambui Planted',
  payer_email: 'planted@example.com',
  payer_msisdn: '0700000123',
}
const NUMBER = '254700000123'

const folder = newFolder(afterAll)

test.each([
  ['that knows the secret as its previous one', { GATEWAY_CONSUMER_SECRET_PREVIOUS: 'old-secret' }, 200],
  ['with another secret, which refuses the checkout', {}, 502],
])(
  "a payer's name, e-mail and number are sealed with the consumer secret: a server %s",
  async (_, env, status) => {
    const storeAt = () => openStore(`sqlite:${join(folder, `sealed-${status}.sqlite`)}`)
    // The sandbox does not accept this secret: the checkout is stored, and no request reaches the gateway.
    const before = await createWorld({ env: { GATEWAY_CONSUMER_SECRET: 'old-secret' }, store: storeAt() })
    before.order('A-1')
    expect((await before.initiate('A-1', PLANTED)).status).toBe(502)
    await before.store.close()

    const after = await createWorld({ env, store: storeAt() })
    after.order('A-1')
    const answer = await after.initiate('A-1', PAYER)
    const isSent = after.gatewayBodies().some((body) => body.includes(PLANTED.payer_name))
    const isLogged = after.logged.some(({ message }) => message.includes('GATEWAY_CONSUMER_SECRET_PREVIOUS'))
    expect([answer.status, isSent, isLogged]).toEqual([status, status === 200, status === 502])
    await after.store.close()
  },
)

test('the page of a card payment is not in events', async () => {
  const card = 'the page of the card of Wambui'
  const [external_reference, charge_request_id] = [CHARGE.external_reference, '551200']
  const posted = { status_code: 176, external_reference, charge_request_id, total_amount: 1000, html: card }
  const isCharge = (url: string, method: string) => method === 'POST' && url.endsWith('/v1/charges')
  const world = await createWorld({
    gateway: (url, { method }) => (isCharge(url, method) ? Response.json(posted) : undefined),
  })
  const created = await (await world.api('/charges', CHARGE)).json()
  expect([created.outcome, created.html]).toEqual(['pending', card])
  // The gateway does not know the charge.
  await world.later(60 * 60_000)
  const events = await (await world.api('/events')).json()
  expect(events.items).toMatchObject([{ type: 'charge.needs_attention', data: { html: null } }])
  expect(JSON.stringify(events)).not.toContain(card)
})

test('digests that remain of few possible values are keyed: nobody can try them out', async () => {
  const store = openStore(`sqlite:${join(folder, 'digests.sqlite')}`)
  const world = await createWorld({ env: { RETENTION_DAYS: '31' }, store })
  const recipients = [{ phone_number: NUMBER, amount: '10' }]
  await world.api('/airtime', { reference: 'A-1', recipients })
  await world.api('/charges', { ...CHARGE, ...PLANTED, payer_msisdn: NUMBER })
  await world.payOut('local', { recipient_phone_number: NUMBER })
  const guesses = (await world.rows()).flatMap(({ record }) => [record, ...Object.values(Object(record))])
  await world.later(63 * 24 * 3_600_000)
  expect(await world.rows()).toEqual([])
  await store.close()

  const texts = [recipients, NUMBER, ...guesses].flatMap((value) => [value, JSON.stringify(value)])
  const digests = texts.flatMap((text) =>
    typeof text === 'string' ? [createHash('sha256').update(text).digest('base64url')] : [],
  )
  expect(digests.length).toBeGreaterThan(10)
  expect(find(digests, folder)).toEqual([])
})

test('a clean stop leaves nothing in the WAL, where old versions of changed rows would be', async () => {
  const path = join(folder, 'stopped.sqlite')
  const world = await createWorld({ store: openStore(`sqlite:${path}`) })
  await world.payOut('local', { recipient_phone_number: NUMBER })
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
  await world.store.close()
  expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
})

test('the log of a running server is truncated once per hour', async () => {
  const path = join(folder, 'running.sqlite')
  const world = await createWorld({ store: openStore(`sqlite:${path}`) })
  await world.payOut('local', { recipient_phone_number: NUMBER })
  await world.later(2 * 3_600_000)
  expect(statSync(`${path}-wal`).size).toBe(0)
  await world.store.close()
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

function find(texts: readonly string[], at: string): string[] {
  return readdirSync(at).filter((name) => {
    const bytes = readFileSync(join(at, name))
    return texts.some((text) => bytes.includes(text))
  })
}
