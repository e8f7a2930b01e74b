/**
 * One random day: shoppers click, leave and come back; the network loses, delays and repeats messages; the BFF crashes;
 * payments take every course. Then the network recovers, and the merchant's records are compared with the gateway's.
 */

import type { CheckoutView } from '../../server/api/view.ts'
import type { Weather } from '../support/network.ts'
import { compare } from '../../server/contract/decimal.ts'
import { readCheckout } from '../../server/checkouts/record.ts'
import { viewOf } from '../../server/checkouts/view.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { CALM } from '../support/network.ts'
import { createWorld } from '../support/world.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

const STEPS = 40
const ORDERS = ['A', 'B', 'C', 'D'] as const
const SCENARIOS = [
  'approve',
  'approve',
  'wrong_pin',
  'cancel',
  'ignore',
  'partial',
  'overpay',
  'slow',
  'jam',
  'reverse',
  'refund',
] as const

/** Relative frequencies of the actions. */
const WEIGHTS = {
  initiate: 2,
  pay: 3,
  poll: 1,
  later: 3,
  weather: 1,
  crash: 1,
  leave: 1,
  change: 1,
  forge: 1,
}

/** Event types that no transaction may have under two ids. */
const ONCE = ['checkout.paid', 'checkout.paid_late', 'checkout.reversed', 'checkout.refunded']

export interface Report {
  seed: number
  /** Each broken guarantee, as a sentence. */
  broken: string[]
  /** Every action in order, to read when a guarantee is broken. */
  diary: string[]
  told: number
}

export async function simulate(seed: number): Promise<Report> {
  const random = createSeededRandom(seed, 'journey')
  const backend = () => new Response(null, { status: random.happens(0.2) ? 500 : 200 })
  const shop = await createWorld({ seed, backend, env: { CHECKOUT_EXPIRES_MINUTES: '10' } })
  const known = new Map<string, CheckoutView>()
  const broken: string[] = []
  const diary: string[] = []
  for (const order of ORDERS) shop.order(order, random.between(100, 5_000))

  const weather = (): Weather => ({
    requestLost: random.pick([0, 0.1, 0.3]),
    answerLost: random.pick([0, 0.1, 0.3]),
    late: random.pick([0, 0.2, 0.5]),
    repeated: random.pick([0, 0.2]),
  })

  const acts: Record<string, () => Promise<string>> = {
    async initiate() {
      const order = random.pick(ORDERS)
      const clicks = random.pick([1, 1, 2, 3])
      const answers = await Promise.all(Array.from({ length: clicks }, () => shop.initiate(order)))
      for (const answer of answers) {
        const body = await answer.json()
        if (answer.ok) known.set(body.merchant_transaction_id, body)
      }
      return `${order} × ${clicks}: ${answers.map(({ status }) => status).join(', ')}`
    },
    async pay() {
      const view = random.pick([...known.values(), null])
      if (!view?.redirect_url) return 'nothing to pay'
      const scenario = random.pick(SCENARIOS)
      const done = await shop.pay(view, scenario).then(
        ({ status }) => status,
        () => 'refused',
      )
      return `${view.order}/${view.attempt} ${scenario}: ${done}`
    },
    async poll() {
      const view = random.pick([...known.values(), null])
      if (!view) return 'nobody'
      return `${view.order}/${view.attempt}: ${(await shop.status(view.checkout_id)).outcome}`
    },
    async change() {
      const order = random.pick(ORDERS)
      const amount = random.between(100, 5_000)
      shop.order(order, amount)
      return `${order} is now worth ${amount}`
    },
    async forge() {
      const view = random.pick([...known.values(), null])
      if (!view) return 'nobody'
      const body = JSON.stringify({ ...view, status: 801, amount: view.amount })
      const answer = await shop.ask(shop.callbackPath(view), { method: 'POST', body })
      return `${view.order}/${view.attempt}: ${answer.status}`
    },
    async crash() {
      await shop.restart()
      return 'the BFF died and came back'
    },
    async leave() {
      const order = random.pick(ORDERS)
      void shop.initiate(order).catch(() => {})
      await shop.timeline.advance(random.between(0, 3_000))
      await shop.restart()
      return `${order}: the shopper left, and the BFF died and came back`
    },
    async weather() {
      shop.network.weather = { gateway: weather(), callbacks: weather(), merchant: weather() }
      return JSON.stringify(shop.network.weather)
    },
    async later() {
      const ms = random.pick([random.between(1, 30) * SECOND, random.between(1, 12) * MINUTE])
      await shop.later(ms)
      return `${ms / SECOND} s`
    },
  }
  const often = Object.entries(WEIGHTS).flatMap(([act, weight]) => Array<string>(weight).fill(act))

  for (let step = 0; step < STEPS; step++) {
    const act = random.pick(often)
    diary.push(`${step} ${act} ${await acts[act]!()}`)
    broken.push(...(await liveTwice()))
  }
  shop.network.weather = { gateway: CALM, callbacks: CALM, merchant: CALM }
  await shop.later(3 * DAY)
  broken.push(...(await compareBooks()))
  return { seed, broken, diary, told: shop.heard.length }

  /** Orders with more than one payable session. */
  async function liveTwice(): Promise<string[]> {
    const live = new Map<string, string[]>()
    for (const { order, reference, payable } of await sessions()) {
      if (payable) live.set(order, [...(live.get(order) ?? []), reference])
    }
    return [...live]
      .filter(([, all]) => all.length > 1)
      .map(([order]) => `Order ${order} has two live sessions.`)
  }

  async function sessions() {
    const found = []
    for (const row of await shop.rows()) {
      const payload = await shop.gatewayStatus(row.reference)
      if (!payload) continue
      const checkout = readCheckout(row)
      const { requested } = checkout.record
      const isOver = shop.timeline.now() >= row.created_at + requested.expires_in * MINUTE
      const payable = !isOver && (payload.status === 803 || payload.status === 802)
      found.push({ order: requested.order, requested, reference: row.reference, payload, payable, checkout })
    }
    return found
  }

  async function compareBooks(): Promise<string[]> {
    const wrong: string[] = []
    for (const { order, requested, reference, payload, checkout } of await sessions()) {
      // Delivery is at least once: an event whose response was lost is repeated under the same id.
      const heard = shop.heard.filter(({ data }) => data.merchant_transaction_id === reference)
      const told = new Map(heard.map((event) => [event.id, event]))
      const types = [...told.values()].map(({ type }) => type)
      const isPaid = types.some((type) => type === 'checkout.paid' || type === 'checkout.paid_late')
      const gatewayPaid = [801, 840, 841].includes(payload.status)
      const name = `${order} (${reference})`
      if (isPaid && !gatewayPaid) wrong.push(`${name} was told as paid; the gateway says ${payload.status}.`)
      if (isPaid && payload.status === 801 && compare(payload.amount, requested.amount) < 0)
        wrong.push(`${name} was told as paid with less money.`)
      for (const type of ONCE)
        if (types.filter((each) => each === type).length > 1) wrong.push(`${name} has two events ${type}.`)
      if (payload.status === 801 && !isPaid) wrong.push(`${name} was paid and nobody was told.`)
      const view = viewOf(checkout, shop.timeline.now())
      if (view.status !== payload.status)
        wrong.push(`${name} is ${view.status} here and ${payload.status} at the gateway.`)
      if (!view.settled && payload.status !== 850) wrong.push(`${name} never settled: ${view.outcome}.`)
      const last = [...told.values()].at(-1)
      if (view.settled && !last) wrong.push(`${name} ended as ${view.outcome} and nobody was told.`)
    }
    for (const row of await shop.rows()) {
      if (readCheckout(row).record.phase === 'intended')
        wrong.push(`${row.reference} is still only intended.`)
    }
    return wrong
  }
}
