import { describe, expect, test } from 'vitest'

import { Secret } from '../../server/config/secret.ts'
import { createSealer, withPersonal } from '../../server/privacy/personal.ts'
import { combinationsOf } from '../support/combinations.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { createChargeWorld, createToldGateway, paying } from '../support/worlds/charge-world.ts'
import { ENVIRONMENT } from '../support/worlds/environment.ts'
import { DAY, HOUR, MINUTE } from '../support/worlds/observed.ts'
import { RECIPIENT } from '../support/worlds/payable.ts'
import { createWorld } from '../support/worlds/world.ts'

const BY = { by: 'Asha, finance', note: 'Ticket 4711 of the support.' }
const PHONE = '254700000001'
const sealer = createSealer(
  [new Secret(ENVIRONMENT['GATEWAY_CONSUMER_SECRET']!)],
  createSeededRandom(1, 'iv'),
)
const AIRTIME = {
  reference: 'T-1',
  recipients: [PHONE, '254700000002'].map((phone_number) => ({ phone_number, amount: '10' })),
}

/** A shop whose gateway loses its answers, and does not find what it has received, until `finds` is called. */
async function openShop() {
  let isLost = false
  const shop = await createChargeWorld({
    env: { GATEWAY_CHARGE_METHODS: 'MOMO_KEN=MoMo:25470', RETENTION_DAYS: '31' },
    async gateway(url, init) {
      if (!isLost || url.endsWith('/auth')) {
        return undefined
      }
      if (init.method === 'GET') {
        return shop.sandbox.app.request(url.replace(REFERENCES, 'NOBODY'), init)
      }

      await shop.sandbox.app.request(url, init)
      return new Response(null, { status: 503 })
    },
  })
  shop.order('A-1')
  return {
    ...shop,
    loses: () => void (isLost = true),
    finds: () => void (isLost = false),
    get: async (path: string) => (await shop.api(path)).json(),

    async resolve(path: string, says: string, fields: object = {}) {
      const answer = await shop.api(`${path}/resolve`, { says, ...BY, ...fields })
      return { status: answer.status, body: await answer.json() }
    },

    async history(reference: string): Promise<string[]> {
      const { transactions } = await (await shop.api(`/history/${reference}`)).json()
      return transactions[0].history.map(({ what }: { what: string }) => what)
    },

    /** The requests that may move money: all but those for an access token. */
    sent: () => shop.gatewayRequests().filter((request) => /^POST (?!.*auth$)/.test(request)),
  }
}

const REFERENCES = /P-1|C-1|T-1|[\da-f]{8}(-[\da-f]+){4}/
const TRACKED = { paid: 'succeeded', not_paid: 'failed', returned: 'refunded' } as const
const CHECKOUT = { paid: 'paid', not_paid: 'unpaid', returned: 'refunded' } as const

type Shop = Awaited<ReturnType<typeof openShop>>
const KINDS = ['checkout', 'charge', 'payout', 'airtime'] as const
const SAYS = ['not_paid', 'paid', 'returned'] as const
type Kind = (typeof KINDS)[number]
type Says = (typeof SAYS)[number]

/** Brings a transaction of this kind into a state that needs a person. Resolves with its path. */
const GET_STUCK: Record<Kind, (shop: Shop) => Promise<string>> = {
  async payout(shop) {
    await shop.payOut('local')
    shop.loses()
    return '/payouts/P-1'
  },
  async charge(shop) {
    shop.loses()
    await shop.charge()
    return '/charges/C-1'
  },
  async airtime(shop) {
    shop.loses()
    await shop.api('/airtime', AIRTIME)
    return '/airtime/T-1'
  },
  async checkout(shop) {
    const { merchant_transaction_id } = await shop.start('A-1', { method: 'prompt' })
    shop.loses()
    return `/checkouts/${merchant_transaction_id}`
  },
}

async function openStuck(kind: Kind) {
  const shop = await openShop()
  const path = await GET_STUCK[kind](shop)
  await shop.later(10 * MINUTE)
  const told = shop.delivered.length
  const ofOne = kind === 'airtime' ? { phone_number: `+${PHONE}` } : {}
  return {
    ...shop,
    path,
    reference: path.split('/').at(-1) ?? '',
    outcomes: kind === 'checkout' ? CHECKOUT : TRACKED,
    says: (says: string, fields: object = {}) => shop.resolve(path, says, { ...ofOne, ...fields }),
    /** The events since, without those of the other recipient. */
    news: () =>
      shop.delivered
        .slice(told)
        .filter(({ data }) => !('phone_number' in data && data.phone_number !== PHONE))
        .map(({ type, data: { outcome, settled } }) => ({ type, outcome, settled })),
  }
}

test('the request of a charge whose answer was lost is deleted when a person resolves it: it is never sent again', async () => {
  const shop = await openStuck('charge')

  const readRequest = async () => {
    const [row] = await shop.rows()
    const found = await withPersonal(shop.store, sealer).find(row?.id ?? '')
    return Object(found?.record).call.request
  }

  expect(await readRequest()).toMatchObject({ payer_msisdn: expect.any(String) })
  await shop.says('not_paid')
  expect(await readRequest()).toBeNull()
})

test.each(combinationsOf<{ kind: Kind; says: Says }>({ kind: KINDS, says: SAYS }))(
  'a $kind that needs a person and is resolved as $says has ended so, with one event and without a request',
  async ({ kind, says }) => {
    const shop = await openStuck(kind)
    const sent = shop.sent()
    const outcome = shop.outcomes[says]
    expect(await shop.says(says)).toMatchObject({ status: 200, body: { outcome, settled: true } })
    await shop.later(2 * DAY)
    expect(shop.news()).toEqual([{ type: `${kind}.resolved`, outcome, settled: true }])
    expect(shop.sent()).toEqual(sent)
  },
)

describe.each(KINDS)('a %s that needs a person', (kind) => {
  test('a transaction that needs a person is resolved once: the same again is answered alike, and another is refused', async () => {
    const shop = await openStuck(kind)
    await shop.says('not_paid')
    const again = await shop.says('not_paid', { by: 'Musa', note: 'Again.' })
    expect(again).toMatchObject({ status: 200, body: { outcome: shop.outcomes.not_paid } })
    expect(await shop.says('paid')).toMatchObject({ status: 409, body: { code: 'resolved_otherwise' } })
    await shop.later(MINUTE)
    expect(shop.news()).toHaveLength(1)
    const entries = (await shop.history(shop.reference)).filter((what) => what.startsWith('Resolved'))
    expect(entries).toEqual([`Resolved as not_paid by ${BY.by}: ${BY.note}`])
  })

  test('a transaction that needs a person is logged when it is resolved, without the note', async () => {
    const shop = await openStuck(kind)
    const before = shop.logged.length
    await shop.says('returned')
    await shop.says('returned')
    const lines = shop.logged.slice(before).filter(({ message }) => message.startsWith('A person'))
    const facts = { kind, reference: shop.reference, says: 'returned', by: BY.by }
    expect(lines).toMatchObject([{ level: 'info', facts }])
    expect(JSON.stringify(shop.logged)).not.toContain(BY.note)
  })

  test('a resolved transaction needs a person again when the gateway contradicts it, and is then resolved otherwise', async () => {
    const shop = await openStuck(kind)
    await shop.says('not_paid')
    shop.finds()
    await shop.later(2 * HOUR)
    const types = shop.news().map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining([`${kind}.resolved`, `${kind}.needs_attention`]))
    expect(await shop.says('paid')).toMatchObject({ status: 200, body: { outcome: shop.outcomes.paid } })
    await shop.later(2 * DAY)
    expect(shop.news().slice(types.length)).toMatchObject([{ type: `${kind}.resolved` }])
    expect(shop.confirmations()).toEqual([])
  })

  test('a transaction stays as it was resolved when the gateway agrees, without another event', async () => {
    const shop = await openStuck(kind)
    await shop.says('paid')
    shop.finds()
    await shop.later(2 * HOUR)
    expect(shop.news()).toMatchObject([{ type: `${kind}.resolved` }])
    expect(shop.confirmations()).toEqual([])
    expect(await shop.says('returned')).toMatchObject({ status: 409, body: { code: 'nothing_to_resolve' } })
  })

  test('a transaction that needed a person is deleted some time after it is resolved', async () => {
    const shop = await openStuck(kind)
    await shop.says('not_paid')
    if (kind === 'airtime') {
      await shop.says('not_paid', { phone_number: '254700000002' })
    }

    await shop.later(29 * DAY)
    expect(await shop.rows()).toHaveLength(1)
    await shop.later(5 * DAY)
    expect(await shop.rows()).toEqual([])
  })
})

/** Returns an answer about a payment as one about a session in which nobody paid. */
function unpaid(text: string): string {
  const answer: unknown = JSON.parse(text)
  const isReport = typeof answer === 'object' && answer !== null && 'status' in answer
  return isReport && answer.status === 801
    ? JSON.stringify({ ...answer, status: 803, amount: '0', payments: [] })
    : text
}

describe('an order whose prompt the gateway forgot', () => {
  test('an order whose prompt the gateway forgot can be paid again once the prompt is resolved as not paid', async () => {
    const shop = await openStuck('checkout')
    expect(await shop.start('A-1')).toMatchObject({ attempt: 1, outcome: 'review' })
    await shop.says('not_paid')
    shop.finds()
    shop.alterAnswers(unpaid)
    expect(await shop.start('A-1')).toMatchObject({ attempt: 2, redirect_url: expect.any(String) })
  })

  test('an order whose prompt the gateway forgot is not paid again if the gateway then reports money, however short ago it was resolved', async () => {
    const shop = await openStuck('checkout')
    await shop.start('A-1')
    await shop.says('not_paid')
    shop.finds()
    expect(await shop.start('A-1')).toMatchObject({ attempt: 1, outcome: 'paid' })
  })

  test('an order whose prompt the gateway forgot cannot be paid again once the prompt is resolved as returned', async () => {
    const shop = await openStuck('checkout')
    await shop.says('returned')
    const answer = await shop.initiate('A-1')
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 409,
      body: { code: 'order_not_payable' },
    })
  })

  test('an order is not paid twice if its forgotten prompt was resolved wrongly, though the answer was lost', async () => {
    const shop = await openShop()
    shop.loses()
    await shop.start('A-1', { method: 'prompt' })
    await shop.later(10 * MINUTE)
    const [row] = await shop.rows()
    expect(row?.record).toMatchObject({ phase: 'intended', stuck: expect.any(String) })
    const path = `/checkouts/${row?.reference}`
    expect(await shop.resolve(path, 'not_paid')).toMatchObject({ status: 200 })
    shop.finds()
    await shop.later(MINUTE)
    expect(await shop.start('A-1')).toMatchObject({ attempt: 1, outcome: 'paid', status: 801 })
  })

  test('an order whose prompt the gateway forgot is paid once the prompt is resolved as paid', async () => {
    const shop = await openStuck('checkout')
    await shop.says('paid')
    expect(await shop.start('A-1')).toMatchObject({ attempt: 1, outcome: 'paid', settled: true })
  })
})

describe('an order whose page was resolved as not paid, about which the gateway then reports', () => {
  const payment = (payment_status: number, amount = '500') => ({
    transaction_id: 'T-1',
    payment_status,
    amount,
  })
  const stuck = { status: 850, amount: '0', payments: [payment(704)] }
  const part = { status: 802, amount: '300', payments: [payment(700, '300')] }

  async function openResolved(says: string) {
    const shop = await openShop()
    const { merchant_transaction_id } = await shop.start('A-1')
    let report: object = stuck
    shop.alterAnswers((text) =>
      text.includes('"payments"') ? JSON.stringify({ ...JSON.parse(text), ...report }) : text,
    )
    await shop.later(5 * MINUTE)
    await shop.resolve(`/checkouts/${merchant_transaction_id}`, says)
    return { ...shop, reports: (other: object) => void (report = other) }
  }

  test.each([
    ['a payment in flight', { status: 851, amount: '0', payments: [payment(703)] }, 'pending'],
    ['one that an unpaid page lists', { status: 803, amount: '0', payments: [payment(706)] }, 'waiting'],
    ['a part', part, 'partial'],
  ])('%s, is not paid in a second way', async (_, report, outcome) => {
    const shop = await openResolved('not_paid')
    shop.reports(report)
    await shop.later(5 * MINUTE)
    expect(await shop.start('A-1')).toMatchObject({ attempt: 1, outcome })
    await shop.later(40 * DAY)
    expect(await (await shop.initiate('A-1')).json()).toMatchObject({ attempt: 1, settled: true })
    expect(shop.types().slice(2)).not.toEqual([])
  })

  test.each(['paid', 'returned', 'not_paid'])(
    'a part, needs a person again, though it was resolved as %s',
    async (says) => {
      const shop = await openResolved(says)
      shop.reports(part)
      await shop.later(HOUR)
      expect(shop.types().slice(2)).toContain('checkout.needs_attention')
      const answer = await shop.get('/checkouts/A-1')
      const attention = `The gateway reports partial, and ${BY.by} resolved it as ${says}.`
      expect(answer).toMatchObject({ outcome: 'partial', amount_paid: '300', attention })
    },
  )

  test.each([
    ['date', { payment_date: '2026-11-21T09:09:00Z' }],
    ['receipt', { payer_transaction_id: 'QK71P0ZX' }],
  ])('the same jam with another %s, needs nobody again', async (_, detail) => {
    const shop = await openResolved('not_paid')
    shop.reports({ ...stuck, payments: [{ ...payment(704), ...detail }] })
    await shop.later(2 * HOUR)
    expect(shop.types()).toEqual(['checkout.needs_attention', 'checkout.resolved'])
    shop.reports({ ...stuck, payments: [{ ...payment(704, '300'), ...detail }] })
    await shop.later(12 * HOUR)
    expect(shop.types().slice(2)).toEqual(['checkout.needs_attention'])
  })

  test('that nothing was paid after all, can be paid', async () => {
    const shop = await openResolved('not_paid')
    shop.reports({ status: 803, amount: '0', payments: [payment(701)] })
    await shop.later(2 * HOUR)
    expect(shop.types()).toEqual(['checkout.needs_attention', 'checkout.resolved'])
    expect(await shop.start('A-1')).toMatchObject({ attempt: 2 })
  })
})

describe('an order that is resolved as not paid while its page is open', () => {
  const foreign = {
    status: 801,
    amount: '500',
    payments: [{ transaction_id: 'X-1', payment_status: 700, amount: '500', currency_code: 'UGX' }],
  }

  /** Resolves with a shop whose gateway reports a payment in another currency, until `corrects` is called. */
  async function openForeign(order: object) {
    const shop = await openShop()
    shop.order('A-1', '500', order)
    const begun = await shop.start('A-1')
    let isForeign = true
    shop.alterAnswers((text) =>
      isForeign && text.includes('"payments"') ? JSON.stringify({ ...JSON.parse(text), ...foreign }) : text,
    )
    const path = `/checkouts/${begun.merchant_transaction_id}`
    return { ...shop, begun, path, corrects: () => void (isForeign = false) }
  }

  test.each([
    ['a page', {}],
    ['a page with splits', { splits: [{ account: 'PARTNER-001', amount: '100', reason: 'Cloth' }] }],
  ])('an order that is resolved as not paid is paid on %s that is still open', async (_, order) => {
    const shop = await openForeign(order)
    await shop.later(2 * MINUTE)
    const { body } = await shop.resolve(shop.path, 'not_paid')
    expect(body).toMatchObject({ outcome: 'unpaid', settled: false })
    await shop.later(MINUTE)
    const { redirect_url } = shop.begun
    expect(await shop.start('A-1')).toMatchObject({ attempt: 1, outcome: 'unpaid', redirect_url })
    expect(shop.types()).toEqual(['checkout.review', 'checkout.resolved'])
  })

  test('an order that is resolved as not paid is paid on another page once the session has ended, without another event', async () => {
    const shop = await openForeign({})
    await shop.later(2 * MINUTE)
    await shop.resolve(shop.path, 'not_paid')
    await shop.later(35 * MINUTE)
    expect(await shop.get('/checkouts/A-1')).toMatchObject({ outcome: 'unpaid', settled: true })
    expect(await shop.start('A-1')).toMatchObject({ attempt: 2, redirect_url: expect.any(String) })
    expect(shop.types()).toEqual(['checkout.review', 'checkout.resolved'])
  })

  test('an order that is resolved as not paid after its session has ended is settled at once', async () => {
    const shop = await openForeign({})
    await shop.later(DAY)
    const { body } = await shop.resolve(shop.path, 'not_paid')
    expect(body).toMatchObject({ outcome: 'unpaid', settled: true })
    await shop.later(MINUTE)
    expect(await shop.start('A-1')).toMatchObject({ attempt: 2 })
  })

  test('an order that is resolved as not paid is paid on another page once the gateway no longer knows its ended session', async () => {
    const shop = await openForeign({})
    await shop.later(2 * MINUTE)
    await shop.resolve(shop.path, 'not_paid')
    shop.loses()
    await shop.later(2 * HOUR)
    expect(await shop.get('/checkouts/A-1')).toMatchObject({ outcome: 'unpaid', settled: true })
    expect(shop.types()).toEqual(['checkout.review', 'checkout.resolved'])
  })
})

test('of airtime, one recipient is resolved, and the list when all are', async () => {
  const shop = await openStuck('airtime')
  await shop.says('paid')
  expect(await shop.get(shop.path)).toMatchObject({
    outcome: 'needs_attention',
    recipients: [{ outcome: 'succeeded' }, { outcome: 'needs_attention' }],
  })
  await shop.says('not_paid', { phone_number: '254 700 000 002' })
  expect(await shop.get(shop.path)).toMatchObject({ outcome: 'partial', settled: true })
})

test('what the gateway still reports as it did when it was resolved is no contradiction', async () => {
  const shop = await openShop()
  // The last digits select a payout that is stuck at the operator.
  await shop.payOut('local', { [RECIPIENT.local]: '254700009008' })
  await shop.later(10 * MINUTE)
  expect(await shop.payout('P-1')).toMatchObject({ outcome: 'needs_attention', payment_status: 704 })
  await shop.resolve('/payouts/P-1', 'paid')
  await shop.later(2 * DAY)
  expect(await shop.payout('P-1')).toMatchObject({ outcome: 'succeeded', payment_status: 704 })
  expect(shop.types()).toEqual(['payout.needs_attention', 'payout.resolved'])
})

describe('a request is refused', () => {
  test.each(['/payouts/P-1', '/charges/C-1', '/airtime/T-1', '/checkouts/A-1'])(
    'a resolution of %s, which is unknown, is refused',
    async (path) => {
      const shop = await openShop()
      const answer = await shop.resolve(
        path,
        'paid',
        path.startsWith('/airtime') ? { phone_number: PHONE } : {},
      )
      expect(answer).toMatchObject({ status: 404, body: { code: expect.stringContaining('unknown_') } })
    },
  )

  test('a resolution of a checkout by its order, of which it may be one of several, is refused', async () => {
    const shop = await openStuck('checkout')
    expect(await shop.resolve('/checkouts/A-1', 'paid')).toMatchObject({ status: 404 })
  })

  test('a resolution is refused if the outcome needs nobody', async () => {
    const shop = await openShop()
    await shop.payOut('local')
    await shop.later(10 * MINUTE)
    const answer = await shop.resolve('/payouts/P-1', 'returned')
    expect(answer).toMatchObject({ status: 409, body: { code: 'nothing_to_resolve' } })
    expect(await shop.payout('P-1')).toMatchObject({ outcome: 'succeeded' })
  })

  test('a resolution is refused if the gateway, which is asked before, has found the outcome out', async () => {
    const shop = await openStuck('charge')
    shop.finds()
    expect(await shop.says('not_paid')).toMatchObject({ status: 409, body: { code: 'nothing_to_resolve' } })
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded' })
  })

  test('a resolution is refused with a field that is missing or wrong', async () => {
    const shop = await openStuck('airtime')

    const pathsOf = async (body: object) => {
      const answer = await shop.api('/airtime/T-1/resolve', body)
      const { errors } = await answer.json()
      return [answer.status, errors.map(({ path }: { path: string }) => path)]
    }

    expect(await pathsOf({})).toEqual([422, ['phone_number', 'says', 'by', 'note']])
    const long = { says: 'lost', by: 'a'.repeat(101), note: 'a'.repeat(501), phone_number: '1' }
    expect(await pathsOf(long)).toEqual([422, ['phone_number', 'says', 'by', 'note']])
    const other = { says: 'paid', ...BY, phone_number: '254700000003' }
    expect(await pathsOf(other)).toEqual([422, ['phone_number']])
  })
})

describe('money that goes back a second time is told again', () => {
  const payout = (payment_status: number) => ({
    payout_reference: 'P-1',
    destination: 'MOBILE',
    data: { payment_status, amount: '1000.00', currency: 'KES' },
  })
  const checkout = (status: number, id: string, transaction_id: string) => ({
    merchant_transaction_id: id,
    currency: 'KES',
    status,
    amount: status === 801 ? '500' : '0',
    payments: [{ payment_status: status === 801 ? 700 : 702, amount: '500', transaction_id }],
  })

  /** A shop whose gateway first answers as the sandbox does, and then with what it is told to say. */
  async function openReporting() {
    let report: (url: string) => object | undefined = () => undefined
    const shop = await createWorld({
      gateway(url, { method }) {
        const answer = method === 'GET' ? report(url) : undefined
        return answer && Response.json(answer)
      },
    })
    return { ...shop, says: (of: typeof report) => void (report = of) }
  }

  test('a payout, after somebody had resolved it as paid', async () => {
    const shop = await openReporting()
    const says = (status: number) =>
      shop.says((url) => (url.includes('/payouts/') ? payout(status) : undefined))
    says(700)
    await shop.payOut('local')
    await shop.later(5 * MINUTE)
    says(702)
    await shop.later(2 * HOUR)
    says(700)
    await shop.later(10 * HOUR)
    await shop.api('/payouts/P-1/resolve', { says: 'paid', ...BY })
    says(702)
    await shop.later(3 * DAY)
    const returned = ['payout.succeeded', 'payout.reversed', 'payout.needs_attention']
    expect(shop.types()).toEqual([...returned, 'payout.resolved', 'payout.reversed'])
  })

  test('a checkout, without a person: it was paid late in between', async () => {
    const shop = await openReporting()
    shop.order('A-1')
    const { merchant_transaction_id: id } = await shop.start('A-1')
    const says = (status: number, payment: string) =>
      shop.says((url) => (url.includes(id) ? checkout(status, id, payment) : undefined))
    says(801, 'T-1')
    await shop.later(5 * MINUTE)
    says(840, 'T-1')
    await shop.later(2 * HOUR)
    says(801, 'T-2')
    await shop.later(10 * HOUR)
    says(840, 'T-2')
    await shop.later(3 * DAY)
    const returned = ['checkout.paid', 'checkout.reversed']
    expect(shop.types()).toEqual([...returned, 'checkout.paid_late', 'checkout.reversed'])
  })
})

describe('a gateway that contradicts itself without end', () => {
  const payIn = (reference: string) => {
    const terms = { currency: 'KES', external_reference: reference }
    const report = (status: number, payments: object[]) => ({
      merchant_transaction_id: reference,
      ...terms,
      status,
      amount: status === 801 ? '1000' : '0',
      payments,
    })
    const made = { payment_status: 700, amount: '1000', transaction_id: 'T-1' }
    return [report(801, [made]), report(803, []), report(820, [])]
  }
  const payout = (payment_status: number) => ({
    payout_reference: 'P-1',
    destination: 'MOBILE',
    data: { payment_status, amount: '1000.00', currency: 'KES' },
  })
  const recipient = (service_status: number) =>
    AIRTIME.recipients.map((each) => ({ ...each, external_reference: 'T-1', service_status }))

  /** Starts a transaction. Resolves with its path, and what the gateway says of it by turns. */
  const START: Record<Kind, (shop: Shop) => Promise<{ path: string; reports: object[]; order?: string }>> = {
    async checkout(shop) {
      shop.order('A-1', '1000')
      const { merchant_transaction_id: id } = await shop.start('A-1')
      return { path: `/checkouts/${id}`, reports: payIn(id), order: '/checkouts/A-1' }
    },
    async charge(shop) {
      await shop.charge({ amount: '1000', extra_data: undefined })
      return { path: '/charges/C-1', reports: payIn('C-1') }
    },
    async payout(shop) {
      await shop.payOut('local')
      return { path: '/payouts/P-1', reports: [700, 701, 703].map(payout) }
    },
    async airtime(shop) {
      await shop.api('/airtime', AIRTIME)
      return { path: '/airtime/T-1', reports: [602, 603, 601].map(recipient) }
    },
  }
  const CALLS = /needs_attention$|review$/

  const CASES = combinationsOf<{ kind: Kind; says: Says; count: number }>({
    kind: KINDS,
    says: SAYS,
    count: [3, 2],
  })

  test.each(CASES)(
    'calls a person about each thing that it says of a $kind once, if all is resolved as $says: $count things',
    async ({ kind, says, count }) => {
      const shop = await openShop()
      const { path, reports, order = path } = await START[kind](shop)
      let turn = 0
      shop.alterAnswers((text) => {
        const isReport = /"payments"|"service_status"|"payment_status"/.test(text)
        return isReport ? JSON.stringify(reports[turn % count]) : text
      })
      let calls = 0
      const callsAt: number[] = []
      for (; turn < 30; turn++) {
        await shop.later(DAY)
        const told = shop.types().filter((type) => CALLS.test(type)).length
        if (told > calls) {
          callsAt.push(turn)
          calls = told
        }

        const numbers = kind === 'airtime' ? AIRTIME.recipients : [{}]
        for (const number of numbers) {
          const { phone_number } = Object(number)
          await shop.resolve(path, says, phone_number ? { phone_number: `+${phone_number}` } : {})
        }
      }

      expect(callsAt.length).toBeGreaterThan(0)
      expect(callsAt.length).toBeLessThanOrEqual(count)
      expect(await shop.get(order)).toMatchObject({ settled: true })
    },
  )
})

describe('the service of a charge that a person has resolved', () => {
  const WHOLE = paying(700, '1000', 'T1')
  const WITH_DETAIL = { ...WHOLE, payment_method_code: 'MOMO_KEN' }
  const BACK = paying(702, '1000', 'T1')
  const AGAIN = paying(700, '1000', 'T2')

  /** A charge whose event the backend accepts once it is told to. */
  async function openCharge() {
    const told = createToldGateway()
    let isAccepting = false
    const shop = await createChargeWorld({
      gateway: told.answer,
      backend: ({ type }) =>
        new Response(null, { status: type === 'charge.succeeded' && !isAccepting ? 503 : 204 }),
    })
    await shop.charge({ payment_method_code: undefined })
    return {
      ...shop,
      told,
      accepts: () => void (isAccepting = true),
      resolve: (says: string) => shop.api('/charges/C-1/resolve', { says, ...BY }),

      async reports(ms: number, ...report: Parameters<typeof told.says>) {
        told.says(...report)
        await shop.later(ms)
      },
    }
  }

  /** A paid charge that the gateway contradicts, and that is resolved as paid. */
  async function openContradicted() {
    const shop = await openCharge()
    await shop.reports(5 * MINUTE, 801, [WHOLE])
    await shop.reports(2 * HOUR, 803)
    await shop.resolve('paid')
    return shop
  }

  test('is not confirmed by the acceptance of an older event, after FAILED could not be delivered', async () => {
    const shop = await openCharge()
    await shop.reports(5 * MINUTE, 801, [WHOLE])
    shop.told.falls(true)
    await shop.acknowledge('FAILED')
    await shop.later(HOUR)
    await shop.laterWithoutServer(DAY)
    await shop.later(HOUR)
    await shop.resolve('paid')
    const fulfilment = { stage: 'refused', status: 'FAILED', message: expect.stringContaining('resolved') }
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', fulfilment })
    shop.told.falls(false)
    shop.accepts()
    await shop.later(2 * HOUR)
    await shop.reports(3 * DAY, 801, [WITH_DETAIL])
    expect(shop.told.taken).toEqual([])
  })

  test.each(['before', 'after'])(
    'is not confirmed by the acceptance of an event about money that went back: accepted %s the resolution',
    async (when) => {
      const shop = await openCharge()
      await shop.reports(HOUR, 801, [WHOLE])
      await shop.reports(7 * HOUR, 840, [BACK])
      await shop.reports(DAY, 801, [BACK, AGAIN])
      const accept = async () => {
        shop.accepts()
        await shop.later(DAY)
      }
      if (when === 'before') {
        await accept()
      }

      await shop.resolve('paid')
      if (when === 'after') {
        await accept()
      }

      await shop.reports(4 * DAY, 801, [BACK, { ...AGAIN, payment_method_code: 'MOMO_KEN' }])
      expect(shop.types()).toContain('charge.succeeded')
      expect(shop.told.taken).toEqual([])
    },
  )

  test('is confirmed by /acknowledge, and asks nobody again while the gateway repeats its contradiction', async () => {
    const shop = await openContradicted()
    expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject({ body: { stage: 'confirmed' } })
    await shop.later(DAY)
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', attention: null, amount_paid: '1000' })
  })

  test('is confirmed by /acknowledge also if the gateway does not answer at once', async () => {
    const shop = await openContradicted()
    shop.told.falls(true)
    await shop.acknowledge('SUCCESSFUL')
    await shop.later(MINUTE)
    shop.told.falls(false)
    await shop.later(HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', fulfilment: { stage: 'confirmed' } })
  })

  test('needs a person again if its confirmation cannot be delivered for a day', async () => {
    const shop = await openContradicted()
    shop.told.falls(true)
    await shop.acknowledge('SUCCESSFUL')
    await shop.later(HOUR)
    await shop.laterWithoutServer(DAY)
    await shop.later(HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'needs_attention', fulfilment: { stage: 'decided' } })
  })

  test('is confirmed by /acknowledge for money that was paid after a refund, which the gateway reports at first', async () => {
    const shop = await openCharge()
    await shop.reports(5 * MINUTE, 801, [WHOLE])
    await shop.reports(2 * HOUR, 841, [paying(705, '1000', 'T1')])
    await shop.reports(7 * HOUR, 801, [paying(705, '1000', 'T1'), AGAIN])
    expect(await shop.read()).toMatchObject({ outcome: 'needs_attention', amount_paid: '1000' })
    await shop.resolve('paid')
    await shop.later(2 * DAY)
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', amount_paid: '1000' })
    expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject({ status: 200, body: { payment_id: 'T2' } })
  })

  test('is confirmed if the gateway takes the decision while a person resolves', async () => {
    let answers: 'not' | 'slowly' = 'not'
    let isAsked = false
    const shop = await createChargeWorld({
      backend: ({ type }) => new Response(null, { status: type === 'charge.succeeded' ? 503 : 204 }),
      async gateway(url, init) {
        if (!url.endsWith('/transactions/acknowledge')) {
          return undefined
        }
        if (answers === 'not') {
          return new Response(null, { status: 503 })
        }

        isAsked = true
        const answer = await shop.sandbox.app.request(url, init)
        await shop.timeline.sleep(6_000)
        return answer
      },
    })
    await shop.charge({ payment_method_code: undefined })
    await shop.play('approve')
    await shop.later(5 * MINUTE)
    await shop.acknowledge('SUCCESSFUL')
    await shop.laterWithoutServer(DAY)
    await shop.later(HOUR)
    answers = 'slowly'
    for (let second = 0; second < 600 && !isAsked; second++) {
      await shop.later(1_000)
    }

    await shop.api('/charges/C-1/resolve', { says: 'paid', ...BY })
    await shop.later(HOUR)
    expect(await shop.shares()).toMatchObject({ 'partner/PARTNER-001': '600' })
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', fulfilment: { stage: 'confirmed' } })
  })
})
