import { describe, expect, test } from 'vitest'
import { createChargeWorld } from '../support/charge-world.ts'
import { CHARGE } from '../support/chargeable.ts'
import { DAY, HOUR, MINUTE } from '../support/observed.ts'
import { PAYOUTS } from '../support/payable.ts'

const PHONES = ['254700000001', '254700000002'] as const
const AIRTIME = {
  reference: 'T-1',
  recipients: PHONES.map((phone_number) => ({ phone_number, amount: '10' })),
}
const BY = { by: 'Asha', note: 'Ticket 4711 of the support.' }

interface Problem {
  code: string
  errors?: { path: string; message: string }[]
}

/** A shop whose gateway loses its answers, and does not find what it has received, until `finds` is called. */
async function openShop() {
  let isLost = false
  const shop = await createChargeWorld({
    env: { GATEWAY_CHARGE_METHODS: 'MOMO_KEN=MoMo:25470', RETENTION_DAYS: '31' },
    async gateway(url, init) {
      if (!isLost || url.endsWith('/auth')) return undefined
      if (init.method === 'GET')
        return shop.sandbox.app.request(url.replace(/P-1|C-1|T-1|[\da-f]{8}(-[\da-f]+){4}/, 'NOBODY'), init)
      await shop.sandbox.app.request(url, init)
      return new Response(null, { status: 503 })
    },
  })
  shop.order('A-1')
  return {
    ...shop,
    loses: () => (isLost = true),
    finds: () => (isLost = false),

    async resolve(path: string, says: string, fields: object = {}) {
      const answer = await shop.api(`/${path}/resolve`, { says, ...BY, ...fields })
      const body: Record<string, unknown> & Partial<Problem> = await answer.json()
      return { status: answer.status, body }
    },

    async get(path: string): Promise<Record<string, unknown>> {
      return (await shop.api(`/${path}`)).json()
    },

    async history(reference: string): Promise<string[]> {
      const { transactions } = await (await shop.api(`/history/${reference}`)).json()
      return transactions[0].history.map(({ what }: { what: string }) => what)
    },
  }
}

type Shop = Awaited<ReturnType<typeof openShop>>

/** For each kind: how a transaction comes to need a person, and what is resolved. */
const STUCK = {
  payout: {
    path: async (shop: Shop) => {
      shop.loses()
      await shop.payOut('local')
      await shop.later(DAY + HOUR)
      return 'payouts/P-1'
    },
    reference: 'P-1',
    fields: {},
    outcomes: { paid: 'succeeded', not_paid: 'failed', returned: 'refunded' },
  },
  charge: {
    path: async (shop: Shop) => {
      shop.loses()
      await shop.charge()
      await shop.later(10 * MINUTE)
      return 'charges/C-1'
    },
    reference: 'C-1',
    fields: {},
    outcomes: { paid: 'succeeded', not_paid: 'failed', returned: 'refunded' },
  },
  airtime: {
    path: async (shop: Shop) => {
      shop.loses()
      await shop.api('/airtime', AIRTIME)
      await shop.later(10 * MINUTE)
      return 'airtime/T-1'
    },
    reference: 'T-1',
    fields: { phone_number: '+254 700 000001' },
    outcomes: { paid: 'succeeded', not_paid: 'failed', returned: 'refunded' },
  },
  checkout: {
    path: async (shop: Shop) => {
      const { merchant_transaction_id } = await shop.start('A-1', { method: 'prompt' })
      shop.loses()
      await shop.later(10 * MINUTE)
      return `checkouts/${merchant_transaction_id}`
    },
    reference: 'A-1',
    fields: {},
    outcomes: { paid: 'paid', not_paid: 'unpaid', returned: 'refunded' },
  },
} as const
const KINDS = ['payout', 'charge', 'airtime', 'checkout'] as const
const SAYS = ['paid', 'not_paid', 'returned'] as const

async function openStuck(kind: (typeof KINDS)[number]) {
  const shop = await openShop()
  const stuck = STUCK[kind]
  const path = await stuck.path(shop)
  const told = shop.delivered.length
  return {
    ...shop,
    ...stuck,
    path,
    says: (says: string, fields: object = {}) => shop.resolve(path, says, { ...stuck.fields, ...fields }),
    news: () => shop.delivered.slice(told),
  }
}

describe.each(KINDS)('a %s that needs a person', (kind) => {
  test.each(SAYS)('that is resolved as %s has this end, one event, and no request is sent', async (says) => {
    const shop = await openStuck(kind)
    const sent = shop.gatewayRequests().filter((request) => request.startsWith('POST'))
    const outcome = shop.outcomes[says]
    expect(await shop.says(says)).toMatchObject({ status: 200, body: { outcome, settled: true } })
    await shop.later(2 * DAY)
    expect(shop.news()).toMatchObject([{ type: `${kind}.resolved`, data: { outcome, settled: true } }])
    expect(shop.gatewayRequests().filter((request) => request.startsWith('POST'))).toEqual(
      expect.arrayContaining(sent),
    )
    expect(shop.confirmations()).toEqual([])
    expect(shop.posts()).toBe(kind === 'charge' || kind === 'checkout' ? 1 : 0)
  })

  test('is resolved once: the same again is answered alike, and another is refused', async () => {
    const shop = await openStuck(kind)
    await shop.says('not_paid')
    expect(await shop.says('not_paid', { by: 'Musa', note: 'Again.' })).toMatchObject({
      status: 200,
      body: { outcome: shop.outcomes.not_paid },
    })
    expect(await shop.says('paid')).toMatchObject({ status: 409, body: { code: 'resolved_otherwise' } })
    await shop.later(MINUTE)
    expect(shop.news()).toHaveLength(1)
    const resolutions = (await shop.history(shop.reference)).filter((what) => what.includes('esolved'))
    expect(resolutions).toEqual(['Resolved as not_paid by Asha: Ticket 4711 of the support.'])
  })

  test('needs one again when the gateway contradicts the resolution, and is then resolved otherwise', async () => {
    const shop = await openStuck(kind)
    await shop.says('not_paid')
    shop.finds()
    await shop.later(2 * HOUR)
    const { outcomes } = shop
    const types = shop.news().map(({ type }) => type)
    expect(types.slice(0, 2)).toEqual(expect.arrayContaining([`${kind}.resolved`, `${kind}.needs_attention`]))
    const why = (await shop.history(shop.reference)).join(' ')
    expect(why).toContain('The gateway')
    expect(await shop.says('paid')).toMatchObject({ status: 200, body: { outcome: outcomes.paid } })
    await shop.later(2 * DAY)
    expect(shop.news().map(({ type }) => type).slice(types.length)).toEqual([`${kind}.resolved`])
    expect(shop.confirmations()).toEqual([])
  })

  test('keeps the outcome when the gateway agrees, without another event', async () => {
    const shop = await openStuck(kind)
    await shop.says('paid')
    shop.finds()
    await shop.later(2 * HOUR)
    expect(shop.news().map(({ type }) => type)).toEqual([`${kind}.resolved`])
    expect(shop.confirmations()).toEqual([])
    const { outcome, recipients } = await shop.get(shop.path.replace(/checkouts.*/, 'checkouts/A-1'))
    expect(recipients ?? [{ outcome }]).toMatchObject([{ outcome: shop.outcomes.paid }, {}].slice(0, kind === 'airtime' ? 2 : 1))
  })
})
