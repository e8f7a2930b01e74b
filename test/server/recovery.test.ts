import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { World } from '../support/world.ts'
import { openStore } from '../../server/store/open.ts'
import { backUp, recover } from '../../server/store/sqlite/recover.ts'
import { CHARGE } from '../support/chargeable.ts'
import { AIRTIME } from '../support/spec-airtime.ts'
import { createWorld } from '../support/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

interface Ledger {
  entries: { what: string; reference: string }[]
}

async function openShop() {
  const folder = mkdtempSync(join(tmpdir(), 'recovery-'))
  const file = join(folder, 'store.sqlite')
  const url = `sqlite:${file}`
  const copy = join(folder, 'copy.sqlite')
  let store = openStore(url)
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const shop = await createWorld({ store, seed: 5 })
  return {
    ...shop,
    backUp: () => backUp(file, copy, shop.timeline.now()),

    async restore() {
      let recovery
      await shop.restart(() => {
        void store.close()
        for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
        renameSync(copy, file)
        expect(() => openStore(url)).toThrow(
          /is a backup of 2026.*Run "gateway-checkout-server recover" first/,
        )
        recovery = recover(file, shop.timeline.now())
        return (store = openStore(url))
      })
      return recovery
    },
  }
}

// In the sandbox, transactions of the first number succeed, and transactions of the second are reversed.
const NUMBERS = ['254700000001', '254700009009']

function requestsOf(batch: string): ((shop: Pick<World, 'payOut' | 'api'>) => Promise<unknown>)[] {
  return NUMBERS.flatMap((number, index) => {
    const reference = `${batch}-${index}`
    const payout = { payout_reference: `P-${reference}`, recipient_phone_number: number }
    const charge = { ...CHARGE, external_reference: `C-${reference}`, payer_msisdn: number }
    const airtime = { reference: `A-${reference}`, recipients: [{ phone_number: number, amount: '10' }] }
    return [
      (shop) => shop.payOut('local', payout),
      (shop) => shop.api('/charges', charge),
      (shop) => shop.api('/airtime', airtime),
    ]
  })
}

async function movements({ sandbox }: Pick<World, 'sandbox'>): Promise<string[]> {
  const { entries }: Ledger = await (await sandbox.app.request('/_sandbox/ledger')).json()
  return entries.map(({ what, reference }) => `${what} ${reference}`)
}

const sentOnce = ({ gatewayExchanges }: Pick<World, 'gatewayExchanges'>) =>
  gatewayExchanges().flatMap(({ method, path, body }) =>
    method === 'POST' && ['/v1/charges', AIRTIME].includes(path)
      ? [...body.matchAll(/"([CA]-\w+-\d)"/g)].map(([, reference]) => reference)
      : [],
  )

// Without a token, the server stores requests but does not send them.
async function failTokenRequests(shop: Pick<World, 'control' | 'restart'>): Promise<void> {
  await shop.control('/faults', { route: '/v1/auth', fault: 'status', status: 503, probability: 1, seed: 1 })
  await shop.restart()
}

const reconnect = ({ sandbox }: Pick<World, 'sandbox'>) =>
  sandbox.app.request('/_sandbox/faults', { method: 'DELETE' })

test.each([
  ['an hour', HOUR],
  ['a day', DAY],
])('a backup of %s ago: nothing is charged or paid out twice, and everything settles', async (_, age) => {
  const shop = await openShop()
  const [early, unsent, late] = ['early', 'unsent', 'late'].map(requestsOf)
  for (const send of early!) await send(shop)
  for (const order of ['paid', 'paid-later', 'left']) shop.order(order)
  const paid = await shop.start('paid')
  const paidLater = await shop.start('paid-later')
  await shop.start('left')
  await shop.pay(paid, 'approve')
  await failTokenRequests(shop)
  for (const send of unsent!) await send(shop)
  shop.backUp()
  await reconnect(shop)
  await shop.pay(paidLater, 'approve')
  for (const send of late!.slice(0, 3)) await send(shop)
  await shop.later(age)
  for (const send of late!.slice(3)) await send(shop)
  const before = await movements(shop)

  expect(await shop.restore()).toMatchObject({ unsent: unsent!.length })
  // The merchant's backend repeats its requests, including those that the restored store lacks.
  for (const send of [...early!, ...unsent!, ...late!]) await send(shop)
  await shop.later(2 * HOUR)

  const after = await movements(shop)
  expect(new Set(after).size).toBe(after.length)
  expect(after).toEqual(expect.arrayContaining(before))
  const sent = sentOnce(shop)
  expect(sent).toHaveLength(12)
  expect(new Set(sent).size).toBe(12)
  const rows = await shop.rows()
  expect(rows).toHaveLength(21)
  expect(Object.fromEntries(rows.map(({ group, outcome }) => [group, outcome]))).toMatchObject({
    paid: 'paid',
    'paid-later': 'paid',
    left: 'expired',
    'P-unsent-0': 'succeeded',
    'C-unsent-0': 'succeeded',
    'A-late-0': 'succeeded',
  })
  const open = rows.filter(({ outcome }) => ['sending', 'pending', 'needs_attention'].includes(outcome))
  expect(open).toEqual([])
})

test('whatever the gateway does not know is listed and not sent, except payouts', async () => {
  const shop = await openShop()
  await failTokenRequests(shop)
  for (const send of requestsOf('unsent')) await send(shop)
  shop.backUp()
  await shop.restore()
  await reconnect(shop)
  await shop.later(10 * MINUTE)
  expect(sentOnce(shop)).toEqual([])
  for (const [path, outcome] of [
    ['/payouts/P-unsent-0', 'succeeded'],
    ['/charges/C-unsent-0', 'needs_attention'],
    ['/airtime/A-unsent-0', 'needs_attention'],
  ])
    expect(await (await shop.api(path!)).json()).toMatchObject({ outcome })
  const asked = shop.gatewayExchanges().filter(({ path }) => path.includes('P-unsent-0'))
  const sent = shop.gatewayExchanges().findIndex(({ body }) => body.includes('P-unsent-0'))
  expect(shop.gatewayExchanges().slice(0, sent)).toEqual(expect.arrayContaining(asked.slice(0, 3)))
})

test('a restored file beside the WAL of another is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recovery-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [file, copy] = ['store.sqlite', 'copy.sqlite'].map((name) => join(folder, name))
  await openStore(`sqlite:${file}`).close()
  backUp(file!, copy!, 0)
  renameSync(copy!, file!)
  writeFileSync(`${file}-wal`, 'commits of another file')
  expect(() => recover(file!, 0)).toThrow(`${file}-wal belongs to a file that was here before.`)
})
