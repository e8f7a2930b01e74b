import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'

import { readConfig } from '../../server/config/config.ts'
import { silentLog } from '../../server/log/log.ts'
import { createMetrics } from '../../server/metrics/prometheus.ts'
import { openStore } from '../../server/store/open.ts'
import { backUp } from '../../server/store/sqlite/backup.ts'
import { newStoreFolder } from '../support/folder.ts'
import { sharedPostgres } from '../support/postgres.ts'
import { CHARGE } from '../support/worlds/chargeable.ts'
import { ENVIRONMENT } from '../support/worlds/environment.ts'
import { foundIn, keepInPostgres, keepInSqlite } from '../support/worlds/kept-store.ts'
import { createLimitedShop } from '../support/worlds/limited-shop.ts'
import { PAYOUTS, PAYOUT_PATHS } from '../support/worlds/payable.ts'
import {
  PAYER_TEXTS,
  RECIPIENTS,
  SECRETS,
  SENT_PAYER_TEXTS,
  plantedOptions,
  runPlanted,
} from '../support/worlds/planted.ts'
import { createTerminal } from '../support/worlds/terminal.ts'
import { PAYER, createWorld, formOf } from '../support/worlds/world.ts'

import type { ListedEvent } from '../../server/routes/api/events.ts'
import type { Store } from '../../server/store/store.ts'
import type { PayoutType } from '../support/worlds/payable.ts'
import type { World } from '../support/worlds/world.ts'

const PLANTED = {
  payer_name: 'Wambui Planted',
  payer_email: 'planted@example.com',
  payer_msisdn: '0700000123',
}
const NUMBER = '254700000123'

const folder = newStoreFolder(afterAll)

test.each([
  ['that knows the secret as its previous one', { GATEWAY_CONSUMER_SECRET_PREVIOUS: 'old-secret' }, 200],
  ['with another secret, which sends what the shopper now types', {}, 201],
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
    const answer = await after.initiate('A-1', status === 200 ? PLANTED : PAYER)
    const isSent = after.gatewayBodies().some((body) => body.includes(PLANTED.payer_name))
    const isLogged = after.logged.some(({ message }) => message.includes('GATEWAY_CONSUMER_SECRET_PREVIOUS'))
    expect({ status: answer.status, isSent, isLogged }).toEqual({
      status,
      isSent: status === 200,
      isLogged: status === 201,
    })
    await after.store.close()
  },
)

test('the page of a card payment is not in events', async () => {
  const card = 'the page of the card of Wambui'
  const external_reference = CHARGE.external_reference
  const charge_request_id = '551200'
  const posted = { status_code: 176, external_reference, charge_request_id, total_amount: 1000, html: card }
  const isCharge = (url: string, method: string) => method === 'POST' && url.endsWith('/v1/charges')
  const world = await createWorld({
    gateway: (url, { method }) => (isCharge(url, method) ? Response.json(posted) : undefined),
  })
  const created = await (await world.api('/charges', CHARGE)).json()
  expect({ outcome: created.outcome, html: created.html }).toEqual({ outcome: 'pending', html: card })
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

test('the log of a running server is truncated every six hours', async () => {
  const path = join(folder, 'running.sqlite')
  const world = await createWorld({ store: openStore(`sqlite:${path}`) })
  await world.payOut('local', { recipient_phone_number: NUMBER })
  await world.later(6 * 3_600_000)
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

test('the other files that SQLite keeps are closed to others, too, also after a crash', async () => {
  const own = join(folder, 'left')
  mkdirSync(own)
  const path = join(own, 'store.sqlite')
  const crashed = openStore(`sqlite:${join(folder, 'crashed.sqlite')}`)
  for (const ending of ['', '-wal', '-shm']) {
    writeFileSync(path + ending, readFileSync(join(folder, `crashed.sqlite${ending}`)))
    chmodSync(path + ending, 0o666)
  }

  await crashed.close()
  const store = openStore(`sqlite:${path}`)
  expect(Object.values(modesIn(own)).filter((mode) => mode !== '600')).toEqual([])
  await store.close()
})

describe.runIf(process.geteuid?.() === 0)('a store of another user', () => {
  const NEIGHBOUR = 1234
  const US = 4321

  function fileOf(name: string, ending: string): string {
    const own = join(folder, name)
    mkdirSync(own)
    chmodSync(folder, 0o711)
    chmodSync(own, 0o777)
    const path = join(own, 'store.sqlite')
    writeFileSync(path + ending, '')
    chmodSync(path + ending, 0o666)
    chownSync(path + ending, NEIGHBOUR, NEIGHBOUR)
    return path
  }

  test.each(['', '-wal', '-shm', '-server'])(
    'a store of another user is refused by its owner: store.sqlite%s',
    (ending) => {
      const path = fileOf(`foreign${ending}`, ending)
      process.seteuid?.(US)
      try {
        expect(() => openStore(`sqlite:${path}`)).toThrow(/belongs to user 1234, .* runs as user 4321/)
      } finally {
        process.seteuid?.(0)
      }
    },
  )

  test('a store of another user is refused by the owner of its folder, and of a link to it', () => {
    const own = join(folder, 'of-the-neighbour')
    mkdirSync(own)
    chmodSync(folder, 0o711)
    chmodSync(own, 0o777)
    chownSync(own, NEIGHBOUR, NEIGHBOUR)
    const link = join(folder, 'link.sqlite')
    symlinkSync(join(folder, 'target.sqlite'), link)
    lchownSync(link, NEIGHBOUR, NEIGHBOUR)
    process.seteuid?.(US)
    try {
      expect(() => openStore(`sqlite:${own}/store.sqlite`)).toThrow(`${own}, which belongs to user 1234`)
      expect(() => openStore(`sqlite:${link}`)).toThrow('it belongs to user 1234')
    } finally {
      process.seteuid?.(0)
    }
  })

  test('a store of another user is refused by the owner of a folder above, and of a link to its folder', () => {
    const above = join(folder, 'above-of-the-neighbour')
    const own = join(above, 'data')
    const kept = join(folder, 'kept-data')
    const link = join(folder, 'link-to-kept-data')
    chmodSync(folder, 0o711)
    mkdirSync(own, { recursive: true })
    mkdirSync(kept)
    chownSync(own, US, US)
    chownSync(kept, US, US)
    chownSync(above, NEIGHBOUR, NEIGHBOUR)
    symlinkSync(kept, link)
    lchownSync(link, NEIGHBOUR, NEIGHBOUR)
    process.seteuid?.(US)
    try {
      expect(() => openStore(`sqlite:${own}/store.sqlite`)).toThrow(`${above}, which belongs to user 1234`)
      expect(() => openStore(`sqlite:${link}/store.sqlite`)).toThrow(`${link}, which belongs to user 1234`)
      expect(() => openStore(`sqlite:${kept}/store.sqlite`)).not.toThrow()
    } finally {
      process.seteuid?.(0)
    }
  })

  test('a store of another user is opened by root, closed to others, and named at the start and by check', async () => {
    const path = fileOf('foreign-to-root', '')
    const warned: string[] = []
    const log = { ...silentLog, warn: (_: object, text: string) => void warned.push(text) }
    await openStore(`sqlite:${path}`, { log }).close()
    const named = `${path} belongs to user 1234, who can change it, and this process runs as root.`
    expect(warned).toContain(named)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const { out } = await createTerminal({ STORE_URL: `sqlite:${path}` }).run('check --json')
    expect(JSON.parse(out).findings).toContainEqual({ what: 'store', kind: 'note', detail: named })
  })
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

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const AIRTIME = { reference: 'A-1', recipients: [{ phone_number: '254700000456', amount: '10' }] }
const ANOTHER = { ...AIRTIME, recipients: [{ phone_number: '254700000678', amount: '10' }] }
const bodyOf = (type: PayoutType) => ({ ...PAYOUTS[type], payout_reference: `P-${type}` })
const REQUESTS = [
  ...(['local', 'transfer', 'b2b'] as const).map((type) => {
    const body = bodyOf(type)
    return [PAYOUT_PATHS[type], body, { ...body, payment_description: 'Another' }] as const
  }),
  ['/airtime', AIRTIME, ANOTHER] as const,
]

const NEW = { GATEWAY_CONSUMER_SECRET: 'a new secret from the portal' }

// What the store keeps, and what is shown, is searched below.
test('a request whose personal data were erased is found by its repetition, also under the previous secret, and refuses another', async () => {
  const kept = keepInSqlite()
  const before = await createWorld({ store: kept.open() })
  for (const [path, body] of REQUESTS) {
    expect((await before.api(path, body)).status).toBe(201)
  }

  await before.later(32 * DAY)
  expect((await before.rows()).map(({ personal }) => personal)).toEqual(REQUESTS.map(() => null))
  await before.store.close()
  for (const [env, status] of [
    [{}, 200],
    [{ ...NEW, GATEWAY_CONSUMER_SECRET_PREVIOUS: 'sandbox-secret' }, 200],
    [NEW, 409],
  ] as const) {
    const world = await createWorld({ store: kept.open(), env })
    for (const [path, body, another] of REQUESTS) {
      expect({ path, status: (await world.api(path, body)).status }).toEqual({ path, status })
      const refused = await world.api(path, another)
      expect({ status: refused.status, code: (await refused.json()).code }).toEqual({
        status: 409,
        code: 'reference_reused',
      })
    }

    expect(world.gatewayRequests().filter((sent) => /^POST (?!\/v1\/auth)/.test(sent))).toEqual([])
    await world.store.close()
  }
})

test('a recipient is not erased while money, a person or an event is waited for', async () => {
  const STATUS: Record<string, number> = { 'payout.succeeded': 500 }
  const world = await createWorld({
    backend: ({ type }) => new Response(null, { status: STATUS[type] ?? 204 }),
  })
  await world.api('/payouts', { ...bodyOf('local'), recipient_phone_number: '254700009008' })
  await world.api('/payouts/imt', bodyOf('transfer'))
  await world.later(44 * DAY)
  const rows = await world.rows()
  expect(rows.map(({ outcome }) => outcome)).toEqual(['needs_attention', 'succeeded'])
  // An event that was given up no longer keeps the recipient.
  expect(rows.map(({ personal }) => personal === null)).toEqual([false, true])
})

test('an event that was given up stays without the recipient, until it was replayed', async () => {
  const kept = keepInSqlite()
  let status = 500
  const backend = () => new Response('Wambui is unknown here.', { status })
  const world = await createWorld({ store: kept.open(), backend })
  const recipient = { recipient_first_name: 'Wambui', recipient_phone_number: NUMBER }
  await world.api('/payouts', { ...bodyOf('local'), ...recipient })
  await world.api('/airtime', { reference: 'A-1', recipients: [{ phone_number: NUMBER, amount: '10' }] })
  const listed = async (): Promise<ListedEvent[]> => (await (await world.api('/events')).json()).items
  await world.later(MINUTE)
  const before = await listed()
  expect(foundIn(Buffer.from(JSON.stringify(before)), ['Wambui', NUMBER])).toEqual(['Wambui', NUMBER])

  await world.later(44 * DAY)
  expect((await world.rows()).map(({ personal }) => personal)).toEqual([null, null])
  const after = await listed()
  const [payout, airtime] = before.map(({ id, type, timestamp }) => ({ id, type, timestamp }))
  expect(after).toMatchObject([
    { ...payout, delivery: 'given_up', last_answer: null, data: { outcome: 'succeeded', result: null } },
    { ...airtime, delivery: 'given_up', last_answer: null, data: { phone_number: '***', message: null } },
  ])
  expect(foundIn(await kept.read(), ['Wambui', NUMBER])).toEqual([])

  status = 200
  for (const { id } of after) {
    await world.api(`/events/${id}/replay`, {})
  }

  await world.later(MINUTE)
  expect(world.delivered.map(({ id }) => id)).toEqual(after.map(({ id }) => id))
  expect((await listed()).map(({ delivery }) => delivery)).toEqual(['delivered', 'delivered'])
  await world.store.close()
})

const isFull = Boolean(process.env.FULL)
const SEEDS = Array.from({ length: isFull ? 10 : 1 }, (_, index) => index + 1)

describe.each(SEEDS)(
  'the search for planted names, e-mails, numbers and secrets, %i',
  { timeout: 120_000 },
  (seed) => {
    test('the search for planted data finds in SQLite, its WAL and its backups only what is still needed', async () => {
      const kept = keepInSqlite()
      const { world, metrics, capabilities } = await openPlanted(kept.open(), seed)
      const early = kept.beside('early.sqlite')
      backUp(kept.url.replace('sqlite:', ''), early, 0)
      for (const bytes of [await kept.read(), readFileSync(early)]) {
        expect(foundIn(bytes, RECIPIENTS)).toEqual(toldIn(world))
        expect(foundIn(bytes, [...PAYER_TEXTS, ...SECRETS])).toEqual([])
      }

      await world.later(32 * DAY)
      const late = kept.beside('late.sqlite')
      backUp(kept.url.replace('sqlite:', ''), late, 0)
      const everything = [...RECIPIENTS, ...PAYER_TEXTS, ...SECRETS]
      expect(foundIn(await kept.read(), everything)).toEqual([])
      expect(foundIn(readFileSync(late), everything)).toEqual([])
      await searchElsewhere(world, metrics, capabilities())
      await world.store.close()
      expect(foundIn(await kept.read(), everything)).toEqual([])
    })

    test.runIf(isFull)(
      'the search for planted data finds in the tables of Postgres only what is still needed',
      async () => {
        const kept = await keepInPostgres(await sharedPostgres())
        const { world, metrics, capabilities } = await openPlanted(kept.open(), seed)
        expect(foundIn(await kept.read(), RECIPIENTS)).toEqual(toldIn(world))
        expect(foundIn(await kept.read(), [...PAYER_TEXTS, ...SECRETS])).toEqual([])

        await world.later(32 * DAY)
        expect(foundIn(await kept.read(), [...RECIPIENTS, ...PAYER_TEXTS, ...SECRETS])).toEqual([])
        await searchElsewhere(world, metrics, capabilities())
        await world.store.close()
      },
    )
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
    expect({
      path,
      foundIn: foundIn(Buffer.from(text), [...PAYER_TEXTS, ...RECIPIENTS, ...SECRETS]),
    }).toEqual({ path, foundIn: [] })
  }
}

test('addresses of clients are not stored, and only their network is logged', async () => {
  const kept = keepInSqlite()
  const store = kept.open()
  const shop = createLimitedShop({ TRUSTED_PROXIES: 'none' }, { store })
  for (const remoteAddress of ['203.0.113.77', '2001:db8:aaaa:bbbb:cccc::77']) {
    for (let order = 0; order < 80; order++) {
      const form = formOf(`${order % 2 ? 'unknown' : 'A'}-${order}`)
      const env = { incoming: { socket: { remoteAddress } } }
      await shop.app.request('/checkout/initiate', form, env)
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
