import { expect, test } from 'vitest'

import { HOUR, MINUTE } from '../../../server/transactions/schedule.ts'
import { AIRTIME } from '../spec/airtime.ts'
import { CHARGE } from '../worlds/chargeable.ts'
import { createTerminal } from '../worlds/terminal.ts'

import type { FetchInit } from '../../../server/http/exchange.ts'
import type { OrderInput } from '../../../server/orders/order.ts'
import type { Store } from '../../../server/store/store.ts'
import type { World, WorldOptions } from '../worlds/world.ts'

export interface RestorableShop extends World {
  backUp(): Promise<void>
  /** Closes the store, and replaces its database with the backup. */
  restore(): Promise<void>
  reopen(): Store
  storeUrl: string
}

interface Ledger {
  entries: { what: string; reference: string }[]
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

/** Restores the backup, and runs `recover` after `serve` has refused the store. Returns the output of `recover`. */
export async function recover(shop: RestorableShop): Promise<string> {
  const { run } = createTerminal({
    STORE_URL: shop.storeUrl,
    ORDER_SIGNING_KEY: 'a key of at least 32 bytes, for a test',
  })
  let output = ''
  await shop.restart(async () => {
    await shop.restore()
    expect(await run('serve')).toMatchObject({
      code: 78,
      err: expect.stringMatching(
        /(is a backup of|was restored).*[Rr]un \\"gateway-checkout-server recover\\" first/,
      ),
    })
    const recovery = await run('recover', { clock: shop.timeline })
    expect(recovery).toMatchObject({ code: 0, err: '' })
    output = recovery.out
    return shop.reopen()
  })
  return output
}

const OPENING = /^POST (\/v2\/checkout\/initiate|\/v1\/charges)$/
const openings = ({ gatewayRequests }: Pick<World, 'gatewayRequests'>) =>
  gatewayRequests().filter((request) => OPENING.test(request)).length

/** How an order is paid: the fields of the order, and those of the request that starts its checkout. */
type Way = [name: string, order: Partial<OrderInput>, start: Record<string, string>]

const SPLITS = { splits: [{ account: 'PARTNER-001', amount: '100', reason: 'Cloth' }] }
const WAYS: Way[] = [
  ['on the hosted page', {}, {}],
  ['with splits', SPLITS, {}],
  ['by a prompt', {}, { method: 'prompt' }],
]
const WITH_PROMPTS = { GATEWAY_CHARGE_METHODS: 'MOMO_KEN=MoMo' }

/** A gateway that is down at first, with this status, and that refuses a second request under the same reference. */
function strictGateway(status: number) {
  const gateway = { isDown: true, answer }
  const posted = new Set<string>()
  return gateway

  function answer(url: string, { method, body }: FetchInit): Response | undefined {
    if (!OPENING.test(`${method} ${new URL(url).pathname}`)) {
      return undefined
    }
    if (gateway.isDown) {
      return new Response('', { status })
    }

    const { merchant_transaction_id, external_reference } = JSON.parse(body ?? '')
    const reference: string = merchant_transaction_id ?? external_reference
    if (!posted.has(reference)) {
      return void posted.add(reference)
    }

    const message = `duplicate ${reference}`
    return Response.json(
      { status_code: 172, status_description: 'Generic validation failure', message },
      { status: 400 },
    )
  }
}

export function recoveryContract(
  engine: string,
  openShop: (options?: WorldOptions) => Promise<RestorableShop>,
): void {
  test(
    `${engine}, a backup of an hour ago: nothing is charged or paid out twice, and everything settles`,
    { timeout: 120_000 },
    async () => {
      const shop = await openShop()
      const [early = [], unsent = [], late = []] = ['early', 'unsent', 'late'].map(requestsOf)
      for (const send of early) {
        await send(shop)
      }

      for (const order of ['paid', 'paid-later', 'left', 'lost']) {
        shop.order(order)
      }

      const paid = await shop.start('paid')
      const paidLater = await shop.start('paid-later')
      await shop.start('left')
      await shop.pay(paid, 'approve')
      await failTokenRequests(shop)
      for (const send of unsent) {
        await send(shop)
      }

      await Promise.all([shop.backUp(), shop.status(paid.checkout_id)])
      const backedUpAt = shop.timeline.now()
      await reconnect(shop)
      await shop.pay(paidLater, 'approve')
      await shop.later(MINUTE)
      const lost = await shop.start('lost')
      await shop.pay(lost, 'approve')
      for (const send of late.slice(0, 3)) {
        await send(shop)
      }

      await shop.later(HOUR)
      for (const send of late.slice(3)) {
        await send(shop)
      }

      const before = await movements(shop)

      const output = await recover(shop)
      expect(output).toContain(`Not sent when the store was copied: ${unsent.length}.`)
      const [, since = ''] = /Not in the store: transactions since (\S+)\./.exec(output) ?? []
      expect(Date.parse(since)).toBeLessThanOrEqual(backedUpAt)
      expect((await shop.ask(`/checkout/status/${lost.checkout_id}`)).status).toBe(404)
      // The merchant's backend repeats its requests, including those that the restored store lacks.
      for (const send of [...early, ...unsent, ...late]) {
        await send(shop)
      }

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
    },
  )

  test(`${engine}: whatever the gateway does not know is listed and not sent, except payouts`, async () => {
    const shop = await openShop()
    await failTokenRequests(shop)
    for (const send of requestsOf('unsent')) {
      await send(shop)
    }

    await shop.backUp()
    await recover(shop)
    await reconnect(shop)
    await shop.later(10 * MINUTE)
    expect(sentOnce(shop)).toEqual([])
    expect(await (await shop.api('/payouts/P-unsent-0')).json()).toMatchObject({ outcome: 'succeeded' })
    for (const [kind, reference] of [
      ['charges', 'C-unsent'],
      ['airtime', 'A-unsent'],
    ]) {
      const list = await (await shop.api(`/${kind}?outcome=needs_attention`)).json()
      expect(JSON.stringify(list)).toContain(`"${reference}-0"`)
      expect(JSON.stringify(list)).toContain(`"${reference}-1"`)
    }

    const asked = shop.gatewayExchanges().filter(({ path }) => path.includes('P-unsent-0'))
    const sent = shop.gatewayExchanges().findIndex(({ body }) => body.includes('P-unsent-0'))
    expect(shop.gatewayExchanges().slice(0, sent)).toEqual(expect.arrayContaining(asked.slice(0, 3)))
  })

  // A charge whose answer was lost would not be sent again.
  test.each([
    ['on the hosted page', {}, 503],
    ['with splits', SPLITS, 429],
  ] as const)(
    `${engine}: an order without acknowledgement in the backup, and paid since %s, is paid`,
    async (_, order, status) => {
      const gateway = strictGateway(status)
      const shop = await openShop({ gateway: gateway.answer })
      shop.order('A-1', '500', order)
      expect((await shop.initiate('A-1')).status).toBe(503)
      await shop.backUp()
      gateway.isDown = false
      await shop.pay(await shop.start('A-1'), 'approve')
      await shop.later(MINUTE)
      const sent = openings(shop)

      await recover(shop)
      await shop.later(2 * MINUTE)
      expect(await shop.rows()).toMatchObject([{ outcome: 'paid' }])
      expect(await shop.start('A-1')).toMatchObject({ outcome: 'paid', attempt: 1 })
      expect(openings(shop)).toBe(sent)
    },
  )

  test(`${engine}: an order of a link that was paid since the backup is found by a press of its page, and not sent again`, async () => {
    const shop = await openShop()
    const terms = { narration: 'Entrance', currency: 'KES', amounts: ['500', '1000'] }
    const { url } = await (await shop.api('/links', terms)).json()
    const { pathname } = new URL(url)
    const page = await (await shop.ask(pathname, { headers: { accept: 'text/html' } })).text()
    const [, name = ''] = /name="order" value="([^"]+)"/.exec(page) ?? []
    const press = () =>
      shop.ask(`${pathname}/press`, {
        method: 'POST',
        body: new URLSearchParams({ order: name, amount: '500' }),
      })
    await shop.backUp()
    expect((await press()).status).toBe(303)
    const lost = await shop.start(name)
    await shop.pay(lost, 'approve')
    await shop.later(MINUTE)
    const sent = openings(shop)

    await recover(shop)
    expect((await shop.initiate(name)).status).toBe(404)
    expect((await press()).status).toBe(303)
    const { merchant_transaction_id } = lost
    expect(await shop.start(name)).toMatchObject({ outcome: 'paid', attempt: 1, merchant_transaction_id })
    await shop.later(MINUTE)
    expect(shop.types()).toEqual(['checkout.paid', 'checkout.paid'])
    expect(openings(shop)).toBe(sent)
  })

  test.each(WAYS)(
    `${engine}: an order that was started and paid since the backup %s is found, and not sent again`,
    async (_, order, start) => {
      const shop = await openShop({ env: WITH_PROMPTS })
      shop.order('before')
      await shop.start('before')
      await shop.backUp()
      shop.order('A-1', '500', order)
      const lost = await shop.start('A-1', start)
      await shop.pay(lost, 'approve')
      await shop.later(MINUTE)
      expect(shop.types()).toEqual(['checkout.paid'])
      const sent = openings(shop)

      await recover(shop)
      const again = shop.start('A-1', start)
      const { merchant_transaction_id } = lost
      expect(await again).toMatchObject({ outcome: 'paid', attempt: 1, merchant_transaction_id })
      expect(await again).not.toHaveProperty('redirect_url')
      await shop.later(MINUTE)
      expect(shop.types()).toEqual(['checkout.paid', 'checkout.paid'])
      expect(openings(shop)).toBe(sent)
    },
  )

  /** A shop with an order whose checkout is stored, and was not sent, because the gateway gives no token. */
  async function shopWithUnsent(order: Partial<OrderInput>, start: Record<string, string>) {
    const shop = await openShop({ env: WITH_PROMPTS })
    shop.order('A-1', '500', order)
    await failTokenRequests(shop)
    expect((await shop.initiate('A-1', start)).status).toBe(503)
    return shop
  }

  test.each(WAYS)(
    `${engine}: an order whose checkout was given up unsent at the backup, and paid since %s, is found, and not sent again`,
    async (_, order, start) => {
      const shop = await shopWithUnsent(order, start)
      await shop.later(3 * MINUTE)
      await reconnect(shop)
      await shop.later(10 * MINUTE)
      await shop.backUp()
      const begun = await shop.start('A-1', start)
      expect(begun).toMatchObject({ attempt: 1 })
      await shop.pay(begun, 'approve')
      await shop.later(2 * MINUTE)
      const sent = openings(shop)

      await recover(shop)
      await shop.later(HOUR)
      const { merchant_transaction_id } = begun
      expect(await shop.start('A-1', start)).toMatchObject({
        outcome: 'paid',
        attempt: 1,
        merchant_transaction_id,
      })
      expect(openings(shop)).toBe(sent)
    },
  )

  test(`${engine}: an order whose checkout was unsent at the backup on a page, and paid since by a prompt, is found, and not sent again`, async () => {
    const shop = await shopWithUnsent({}, {})
    await shop.backUp()
    await reconnect(shop)
    await shop.later(20_000)
    await shop.pay(await shop.start('A-1', { method: 'prompt' }), 'approve')
    await shop.later(2 * MINUTE)
    const sent = openings(shop)

    await recover(shop)
    await shop.later(5_000)
    expect(await shop.start('A-1')).toMatchObject({ outcome: 'paid', attempt: 1 })
    await shop.later(HOUR)
    expect(await shop.start('A-1')).toMatchObject({ outcome: 'paid', attempt: 1 })
    expect(openings(shop)).toBe(sent)
  })

  test(`${engine}: an order whose checkout was unsent at the backup, and whose page is open since, is not paid by a prompt beside it`, async () => {
    const shop = await shopWithUnsent({}, {})
    await shop.backUp()
    await reconnect(shop)
    await shop.later(20_000)
    const { redirect_url } = await shop.start('A-1')
    await shop.later(MINUTE)

    await recover(shop)
    await shop.later(5_000)
    expect(await shop.start('A-1', { method: 'prompt' })).toMatchObject({ attempt: 1, redirect_url })
  })

  test(`${engine}: a checkout that was unsent at the backup, and sent since, is sent again for its page, and not if a payer may have the page of a charge`, async () => {
    for (const [order, sentAgain] of [
      [{}, 1],
      [SPLITS, 0],
    ] as const) {
      const shop = await shopWithUnsent(order, {})
      await shop.backUp()
      await reconnect(shop)
      await shop.later(20_000)
      const begun = await shop.start('A-1')
      await shop.later(MINUTE)
      const sent = openings(shop)

      await recover(shop)
      await shop.later(10 * MINUTE)
      expect(await shop.start('A-1')).toMatchObject({ outcome: 'waiting', attempt: 1 })
      expect(openings(shop)).toBe(sent + sentAgain)
      await shop.pay(begun, 'approve')
      await shop.later(2 * MINUTE)
      expect(await shop.rows()).toMatchObject([{ outcome: 'paid' }])
    }
  })
}
