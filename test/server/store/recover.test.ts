import { chownSync, linkSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

import { readConfig } from '../../../server/config/config.ts'
import { openStore } from '../../../server/store/open.ts'
import { backUp, recover } from '../../../server/store/sqlite/backup.ts'
import { recover as recoverShop, recoveryContract } from '../../support/contracts/recovery.ts'
import { newStoreFolder } from '../../support/folder.ts'
import { CHARGE } from '../../support/worlds/chargeable.ts'
import { ENVIRONMENT } from '../../support/worlds/environment.ts'
import { DOWN, RELIABLE } from '../../support/worlds/network.ts'
import { createWorld, formOf } from '../../support/worlds/world.ts'

import type { FetchInit } from '../../../server/http/exchange.ts'
import type { Store } from '../../../server/store/store.ts'
import type { RestorableShop } from '../../support/contracts/recovery.ts'
import type { WorldOptions } from '../../support/worlds/world.ts'

const SECOND = 1_000
const MINUTE = 60_000
const refusal = (status_code: number) =>
  Response.json({ status_code, status_description: 'No', message: 'No' }, { status: 400 })

async function openShop(options: WorldOptions = {}): Promise<RestorableShop> {
  const folder = newStoreFolder()
  const file = join(folder, 'store.sqlite')
  const storeUrl = `sqlite:${file}`
  const copy = join(folder, 'copy.sqlite')
  let store = openStore(storeUrl)
  onTestFinished(() => store.close())
  const shop = await createWorld({ store, seed: 5, ...options })
  return {
    ...shop,
    storeUrl,
    backUp: async () => backUp(file, copy, shop.timeline.now()),
    async restore() {
      await store.close()
      for (const suffix of ['', '-wal', '-shm']) {
        rmSync(file + suffix, { force: true })
      }

      renameSync(copy, file)
    },
    reopen: () => (store = openStore(storeUrl)),
  }
}

recoveryContract('SQLite', openShop)

test('a restored file beside the WAL of another is refused', async () => {
  const folder = newStoreFolder()
  const [file, copy] = ['store.sqlite', 'copy.sqlite'].map((name) => join(folder, name))
  await openStore(`sqlite:${file}`).close()
  backUp(file!, copy!, 0)
  renameSync(copy!, file!)
  writeFileSync(`${file}-wal`, 'commits of another file')
  expect(() => recover(file!, 0)).toThrow(`${file}-wal belongs to a file that was here before.`)
})

test.runIf(process.geteuid?.() === 0)(
  'what root has backed up and recovered is still that of the user who owns the store',
  async () => {
    const folder = newStoreFolder()
    const file = join(folder, 'store.sqlite')
    const copy = join(folder, 'copy.sqlite')
    await openStore(`sqlite:${file}`).close()
    rmSync(`${file}-server`)
    chownSync(file, 1234, 1234)
    backUp(file, copy, 0)
    for (const ending of ['-wal', '-shm']) {
      rmSync(file + ending, { force: true })
    }

    renameSync(copy, file)
    recover(file, 0)

    const owners = new Set(readdirSync(folder).map((name) => statSync(join(folder, name)).uid))
    expect(owners).toEqual(new Set([1234]))
  },
)

test.runIf(process.geteuid?.() === 0)(
  'root gives no file away to which the owner of the store has led it by a link',
  async () => {
    const folder = newStoreFolder()
    const file = join(folder, 'store.sqlite')
    const other = join(folder, 'of-root')
    await openStore(`sqlite:${file}`).close()
    rmSync(`${file}-server`)
    chownSync(file, 1234, 1234)
    writeFileSync(other, '')
    linkSync(other, `${file}-server`)
    recover(file, 0)
    expect(statSync(other).uid).toBe(0)
  },
)

describe('after a recovery, an order whose checkouts are lost', () => {
  async function shopWithoutBackup(options: WorldOptions = {}) {
    const shop = await openShop(options)
    shop.order('A-1')
    await shop.backUp()
    return shop
  }

  test('after a recovery, an order gets the checkouts that the gateway knows, also behind one that it has refused', async () => {
    const answers = [refusal(110)]
    const gateway = (url: string) => (url.endsWith('/initiate') ? answers.pop() : undefined)
    const shop = await shopWithoutBackup({ gateway })
    expect((await shop.initiate('A-1')).status).toBe(502)
    await shop.start('A-1')
    await shop.later(40 * MINUTE)
    const third = await shop.start('A-1')
    expect(third.attempt).toBe(3)
    await shop.pay(third, 'approve')
    await recoverShop(shop)
    expect(await shop.start('A-1')).toMatchObject({ outcome: 'paid', attempt: 3 })
    const found = (await shop.rows()).map(({ attempt, outcome }) => [attempt, outcome])
    // The second is no longer paid after two minutes: the end of its session is assumed.
    expect(found).toEqual([
      [2, 'waiting'],
      [3, 'paid'],
    ])
  })

  test('after a recovery, an order needs a person if other terms than those of the order were paid', async () => {
    const shop = await shopWithoutBackup()
    await shop.pay(await shop.start('A-1'), 'approve')
    await recoverShop(shop)
    shop.order('A-1', '600')
    const view = await shop.start('A-1')
    expect(view).toMatchObject({ attempt: 1, outcome: 'review', amount_paid: '500', discrepancy: 'short' })
    expect(view).not.toHaveProperty('redirect_url')
  })

  test('after a recovery, an order gets nothing while the gateway cannot be asked', async () => {
    const shop = await shopWithoutBackup()
    await shop.pay(await shop.start('A-1'), 'approve')
    await recoverShop(shop)
    shop.network.reliability.gateway = DOWN
    const answer = await shop.initiate('A-1')
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 503,
      body: { code: 'gateway_unavailable' },
    })
    expect(await shop.rows()).toEqual([])
    shop.network.reliability.gateway = RELIABLE
    expect(await shop.start('A-1')).toMatchObject({ outcome: 'paid' })
  })

  test('after a recovery, an order is found under the previous secret, too', async () => {
    const shop = await shopWithoutBackup()
    const lost = await shop.start('A-1')
    await shop.pay(lost, 'approve')
    let store: Store | undefined
    await shop.restart(async () => {
      await shop.restore()
      recover(shop.storeUrl.replace('sqlite:', ''), shop.timeline.now())
      return (store = shop.reopen())
    })
    const secrets = {
      GATEWAY_CONSUMER_SECRET: 'a new secret',
      GATEWAY_CONSUMER_SECRET_PREVIOUS: 'sandbox-secret',
    }
    const rotated = shop.replica({
      config: readConfig({ ...ENVIRONMENT, ...secrets }),
      store: store!,
      // The gateway knows the new secret as well.
      fetch(url, { body = '', ...init }) {
        const known = body.replace('a new secret', 'sandbox-secret')
        return shop.sandbox.app.request(url, known === '' ? init : { ...init, body: known })
      },
    })
    // Each attempt may have either reference: the questions are more than the request budget of a second.
    const answering = rotated.request('/checkout/initiate', formOf('A-1'))
    await shop.later(5 * SECOND)
    const answer = await answering
    const { merchant_transaction_id } = lost
    expect(await answer.json()).toMatchObject({ outcome: 'paid', attempt: 1, merchant_transaction_id })
  })

  test('after a recovery, an order that is new costs six queries', async () => {
    const shop = await shopWithoutBackup()
    await recoverShop(shop)
    const before = shop.gatewayRequests().length
    await shop.start('A-1')
    const sent = shop
      .gatewayRequests()
      .slice(before)
      .map((request) => request.replace(/\/[^/]*-.*/, ''))
    expect(sent).toEqual([
      'POST /v1/auth',
      ...Array.from({ length: 6 }, () => 'GET /v2/checkout/status'),
      'POST /v2/checkout/initiate',
    ])
  })
})

test('after a recovery, the gateway is asked before an event from before the backup confirms a service', async () => {
  let isAccepting = false
  let isAnswering = true
  const shop = await openShop({
    backend: () => new Response(null, { status: isAccepting ? 204 : 503 }),
    gateway: (url, { method }) =>
      !isAnswering && method === 'GET' && url.endsWith('/status')
        ? new Response(null, { status: 503 })
        : undefined,
  })
  await shop.api('/charges', { ...CHARGE, payment_method_code: undefined })
  await shop.pay({ merchant_transaction_id: CHARGE.external_reference }, 'approve')
  await shop.later(10 * MINUTE)
  await shop.backUp()
  const acknowledged = `/charges/${CHARGE.external_reference}/acknowledge`
  await shop.api(acknowledged, { status: 'FAILED', narration: 'Sold out' })
  await shop.later(10 * MINUTE)
  const confirmed = () =>
    shop
      .gatewayExchanges()
      .filter(({ path }) => path === '/transactions/acknowledge')
      .map(({ body }) => JSON.parse(body).status)
  isAccepting = true
  isAnswering = false
  await recoverShop(shop)
  await shop.later(2 * MINUTE)
  expect(confirmed()).toEqual(['FAILED'])
  isAnswering = true
  await shop.later(2 * 60 * MINUTE)
  expect(confirmed()).toEqual(['FAILED'])
  expect(shop.types()).toEqual(['charge.succeeded', 'charge.refunded'])
})

/** A gateway that takes one decision about each payment, and refuses another. */
function decidedOnce() {
  const taken = new Map<string, string>()
  return { taken, answer }

  function answer(url: string, { body = '' }: FetchInit): Response | undefined {
    if (!url.endsWith('/transactions/acknowledge')) {
      return undefined
    }

    const { payment_id, status } = JSON.parse(body)
    if (taken.has(payment_id)) {
      return refusal(174)
    }

    taken.set(payment_id, status)
    return Response.json({ payment_id, message: 'Taken.' })
  }
}

test('a decision that was taken since the backup, and is made again, is not refused: the gateway may have taken it', async () => {
  let isAccepting = false
  const { taken, answer } = decidedOnce()
  const shop = await openShop({
    backend: () => new Response(null, { status: isAccepting ? 204 : 503 }),
    gateway: answer,
  })
  const read = async () => (await shop.api('/charges/C-1')).json()
  await shop.api('/charges', { ...CHARGE, payment_method_code: undefined })
  await shop.pay({ merchant_transaction_id: CHARGE.external_reference }, 'approve')
  await shop.later(10 * MINUTE)
  await shop.backUp()
  isAccepting = true
  await shop.later(60 * MINUTE)
  expect(await read()).toMatchObject({ fulfilment: { stage: 'confirmed' } })

  await recoverShop(shop)
  await shop.later(3 * 60 * MINUTE)
  expect(await read()).toMatchObject({ attention: null, fulfilment: { stage: 'decided' } })
  const otherwise = await shop.api('/charges/C-1/acknowledge', { status: 'FAILED', narration: 'Sold out' })
  expect(await otherwise.json()).toMatchObject({ code: 'acknowledged_otherwise' })
  await shop.laterWithoutServer(24 * 60 * MINUTE)
  await shop.later(60 * MINUTE)
  expect(await read()).toMatchObject({ attention: expect.stringContaining('could not be delivered') })
  expect([...taken.values()]).toEqual(['SUCCESSFUL'])
})

test('a decision about an order that was started since the backup is not refused: the gateway may have taken it', async () => {
  const { taken, answer } = decidedOnce()
  const shop = await openShop({ gateway: answer })
  shop.order('A-1', '500', { splits: [{ account: 'PARTNER-001', amount: '100', reason: 'Cloth' }] })
  await shop.backUp()
  const { merchant_transaction_id, ...lost } = await shop.start('A-1')
  await shop.pay({ ...lost, merchant_transaction_id }, 'approve')
  await shop.later(2 * MINUTE)
  expect([...taken.values()]).toEqual(['SUCCESSFUL'])

  await recoverShop(shop)
  await shop.start('A-1')
  await shop.later(60 * MINUTE)
  const otherwise = { status: 'FAILED', narration: 'Sold out' }
  const refused = await shop.api(`/charges/${merchant_transaction_id}/acknowledge`, otherwise)
  expect(await refused.json()).toMatchObject({ code: 'acknowledged_otherwise' })
  const sent = shop.gatewayExchanges().filter(({ path }) => path === '/transactions/acknowledge')
  expect(sent.map(({ body }) => JSON.parse(body).status)).not.toContain('FAILED')
})
