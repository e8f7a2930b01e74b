import { play } from '../../demo/sandbox/money-out/operator.ts'
import { SCENARIOS } from '../../demo/sandbox/scenarios.ts'
import { playScenario as playCheckout } from '../../demo/sandbox/sessions/customer.ts'
import { payloadOf } from '../../demo/sandbox/sessions/session.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { CHARGE } from '../support/worlds/chargeable.ts'
import { API_KEY, SHOP } from '../support/worlds/environment.ts'
import { RELIABLE } from '../support/worlds/network.ts'
import { PAYOUT_PATHS, PAYOUTS, RECIPIENT } from '../support/worlds/payable.ts'
import { posted } from '../support/worlds/sandbox-line.ts'
import { PAYER } from '../support/worlds/world.ts'
import { BEHAVIOURS } from './backend.ts'
import { isAnsweredPrompt } from './gateway.ts'
import { ELSEWHERE } from './markets.ts'
import { payoutMoney } from './payout-money.ts'

import type { CheckoutScenario } from '../../demo/sandbox/scenarios.ts'
import type { CheckoutSession } from '../../demo/sandbox/sessions/session.ts'
import type { CheckoutView } from '../../server/api/view.ts'
import type { Reliability } from '../support/worlds/network.ts'
import type { PayoutType } from '../support/worlds/payable.ts'
import type { Day } from './day.ts'
import type { Market } from './markets.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

const ONLY_OVERTAKEN: Reliability = { ...RELIABLE, overtaken: 0.2 }
const ORDERS = ['A', 'B']
const PAYMENTS = [
  'approve',
  'approve',
  'approve',
  'wrong_pin',
  'ignore',
  'partial',
  'overpay',
  'slow',
  'jam',
] as const
const PAYOUT_ENDS = ['0001', '0001', '0001', '9007', '9008', '9009', '9010', '9101', '9102', '9108']
const CHARGE_ENDS = ['0001', '0001', '0001', '9001', '9005', '9006', '9007', '9008', '9009', '9010']
const AIRTIME_ENDS = ['0001', '0001', '0002', '9007', '9009', '9010', '9101', '9113']

interface Request {
  path: string
  body: object
}

export type Acts = ReturnType<typeof createActs>
/** The acts that take no arguments. */
export type ActName = { [Name in keyof Acts]: Acts[Name] extends () => void ? Name : never }[keyof Acts]

export function createActs(day: Day) {
  const { random, story, gateway, network, replicas, backend } = day
  const { world } = gateway
  // A stream of its own, so that the days without prompts stay the same.
  const prompts = createSeededRandom(day.seed, 'prompts')
  const isPromptDay = prompts.happens(0.2)
  const sessions = new Map<string, string>()
  const versions = new Map<string, number>()
  const requests: Request[] = []
  let made = 0
  const pickMarket = (): Market => (day.markets.length === 1 ? day.markets[0] : random.pick(day.markets))
  const splitsIn = ({ partner }: Market) => [{ account: partner, amount: '20', reason: 'Cloth' }]

  const acts = {
    initiate() {
      const order = random.pick(ORDERS)
      if (!day.orders.has(order)) {
        price(order)
      }

      const clicks = random.pick([1, 1, 2, 3])
      const line = `A shopper clicks ${clicks} times on order ${order}`
      if (clicks === 1) {
        story.tell(line)
      } else {
        story.fault('repeated click', line)
      }

      for (let click = 0; click < clicks; click++) {
        void acts.click(order)
      }
    },
    pay() {
      const session = world.sessions.get(random.pick([...sessions.keys(), '']))
      const id = sessions.get(session?.id ?? '')
      if (!session || id === undefined) {
        return
      }

      const payAt = random.between(0, 3 * SECOND)
      // The responses to the first queries may be overtaken by those that follow the callback.
      for (let pages = random.pick([0, 1, 2, 4]); pages > 0; pages--) {
        day.timeline.after(Math.max(0, payAt + random.between(-SECOND, SECOND)), () => void query(id))
      }

      const scenario = random.pick(PAYMENTS)
      day.timeline.after(payAt, () => {
        if (isAnsweredPrompt(session)) {
          return
        }

        const isPlayed = acts.play(session, scenario)
        story.tell(`A shopper plays ${scenario} on ${session.id}${isPlayed ? '' : ', which is refused'}`)
      })
    },
    poll() {
      const id = random.pick([...sessions.values(), null])
      if (id === null) {
        return
      }

      for (let pages = random.pick([1, 2]); pages > 0; pages--) {
        void query(id)
      }
    },
    change() {
      price(random.pick(ORDERS))
    },
    payOut() {
      const type = random.pick(Object.keys(PAYOUT_PATHS) as PayoutType[])
      const amount = String(random.between(10, 500))
      const market = pickMarket()
      // Half of the payouts of a merchant with several currencies go to another country.
      const to = type !== 'b2b' && day.markets.length > 1 && random.happens(0.5) ? pickMarket() : market
      const money = payoutMoney(world, { type, from: market, to, amount })
      const payout_reference = `P-${++made}`
      const recipient = { [RECIPIENT[type]]: `${market.phones}${random.pick(PAYOUT_ENDS)}` }
      create(
        `/api${PAYOUT_PATHS[type]}`,
        { ...PAYOUTS[type], ...money, payout_reference, ...recipient },
        payout_reference,
      )
    },
    charge() {
      const external_reference = `C-${++made}`
      const market = pickMarket()
      const currency_code = market.currency
      const extra_data = random.happens(0.5) ? { split_settlements: splitsIn(market) } : undefined
      const payment_method_code = random.happens(0.8) ? `MOMO_${market.country}` : undefined
      const payer_msisdn = `${market.phones}${random.pick(CHARGE_ENDS)}`
      const amount = random.between(100, 500)
      const terms = { external_reference, currency_code, amount }
      const body = { ...CHARGE, ...terms, extra_data, payment_method_code, payer_msisdn }
      create('/api/charges', body, external_reference)
    },
    airtime() {
      const reference = `T-${++made}`
      const recipients = [1, 2].map((digit) => {
        const { phones, fraction } = pickMarket()
        return {
          phone_number: `${phones.slice(0, 4)}${digit}000${random.pick(AIRTIME_ENDS)}`,
          amount: `${random.between(10, 500)}${fraction}`,
        }
      })
      if (day.markets.length > 1) {
        recipients.push({ phone_number: `${ELSEWHERE}${random.pick(AIRTIME_ENDS)}`, amount: '700' })
      }

      create('/api/airtime', { reference, recipients }, reference)
    },
    repeat() {
      const request = random.pick([...requests, null])
      if (!request) {
        return
      }

      story.fault('repeated request', `The merchant repeats ${referenceOf(request.body)}`)
      for (let copy = 0; copy < random.pick([1, 2]); copy++) {
        void send(request)
      }
    },
    acknowledge() {
      const charge = random.pick([...requests.filter(({ path }) => path === '/api/charges'), null])
      if (!charge) {
        return
      }

      const status = random.pick(['SUCCESSFUL', 'FAILED'])
      const reference = referenceOf(charge.body)
      story.tell(`The merchant acknowledges ${reference} as ${status}`)
      void send({ path: `/api/charges/${reference}/acknowledge`, body: { status, narration: 'Decided.' } })
    },
    operate() {
      const scenario = random.pick(['reverse', 'refund', 'jam', 'slow'] as const)
      const open = [...world.sessions.values()]
      const payouts = [...world.payouts.values()]
      const recipients = [...world.airtime.values()].flatMap((airtime) => [...airtime.recipients.values()])
      const what = random.pick(['session', 'payout', 'airtime'])
      if (what === 'session' && open.length > 0) {
        const session = random.pick(open)
        if (isAnsweredPrompt(session) && (scenario === 'jam' || scenario === 'slow')) {
          return
        }
        if (acts.play(session, scenario)) {
          story.tell(`An operator plays ${scenario} on ${session.id}`)
        }
      } else if (what === 'payout' && payouts.length > 0) {
        const payout = random.pick(payouts)
        if (!play(world, payout, SCENARIOS[scenario].payout)) {
          story.tell(`An operator plays ${scenario} on ${payout.funds.reference}`)
        }
      } else if (recipients.length > 0) {
        const recipient = random.pick(recipients)
        if (!play(world, recipient, SCENARIOS[scenario].airtime)) {
          story.tell(`An operator plays ${scenario} on ${recipient.reference}/${recipient.phoneNumber}`)
        }
      }
    },
    forge() {
      const session = random.pick([...world.sessions.values(), null])
      if (!session?.callbackUrl) {
        return
      }

      const now = day.timeline.now()
      const [payment = {}] = payloadOf(session, now).payments
      const full = {
        amount: session.amount,
        currency_code: session.service.currency,
        external_reference: session.id,
      }
      const paid = { ...payment, ...full, payment_status: 700, transaction_id: 'forged' }
      const body = { ...payloadOf(session, now), status: 801, amount: session.amount, payments: [paid] }
      story.fault('forged callback', `Somebody forges a callback of ${session.id}`)
      void send({ path: new URL(session.callbackUrl).pathname, body })
    },
    reliability() {
      const reliability = (): Reliability => ({
        requestLost: random.pick([0, 0.1, 0.3]),
        answerLost: random.pick([0, 0.1, 0.3]),
        late: random.pick([0, 0.2, 0.5]),
        overtaken: random.pick([0.3, 0.6]),
        repeated: random.pick([0, 0.2]),
      })
      network.reliability = { gateway: reliability(), callbacks: reliability(), merchant: reliability() }
      story.tell('The reliability of the network changes')
    },
    recover() {
      network.reliability = { gateway: ONLY_OVERTAKEN, callbacks: RELIABLE, merchant: RELIABLE }
      story.tell('The network recovers')
    },
    outage() {
      const what = random.pick(['refusing', 'lags', 'misreports'] as const)
      if (what === 'lags') {
        gateway.longestLagMs = random.pick([20 * SECOND, 4 * MINUTE, 20 * MINUTE])
      } else if (what === 'misreports') {
        gateway.misreportProbability = 0.5
      } else {
        gateway.state = 'refusing'
        const ms = random.pick([30 * SECOND, 10 * MINUTE, 3 * HOUR])
        day.timeline.after(ms, () => void (gateway.state = 'up'))
      }

      story.fault(`gateway ${what}`, `The gateway: ${what}`)
    },
    backend() {
      backend.behaviour = random.pick(BEHAVIOURS)
      const line = `The merchant's backend: ${backend.behaviour}`
      if (backend.behaviour === 'accepts') {
        story.tell(line)
      } else {
        story.fault(`backend ${backend.behaviour}`, line)
      }
    },
    database() {
      day.storeTrouble.failing = random.pick([0, 0, 0.02, 0.1])
      day.storeTrouble.slow = random.pick([0, 0.1, 0.3])
      const { failing, slow } = day.storeTrouble
      story.tell(`Of the store calls, ${failing * 100} % fail and ${slow * 100} % are slow`)
    },
    crash() {
      const replica = random.pick(replicas)
      if (random.happens(0.3)) {
        replica.crash()
      } else {
        const steps = random.between(1, 40)
        replica.crashAfter(steps)
        story.tell(`${replica.name} will crash after ${steps} steps`)
      }

      day.timeline.after(random.pick([3 * SECOND, MINUTE, 20 * MINUTE]), () => replica.start())
    },
    calm() {
      acts.recover()
      gateway.state = 'up'
      backend.behaviour = 'accepts'
      Object.assign(day.storeTrouble, { failing: 0, slow: 0 })
    },
    price,
    click,
    look(session: CheckoutSession | undefined): void {
      const id = sessions.get(session?.id ?? '')
      if (id !== undefined) {
        void query(id)
      }
    },
    /** Returns whether the scenario was possible. */
    play(session: CheckoutSession | undefined, scenario: CheckoutScenario): boolean {
      if (!session) {
        return false
      }

      const { methodCode, msisdn } = session
      return playCheckout(world, session, { methodCode, msisdn }, { scenario, amount: null }) === null
    },
  }
  network.reliability.gateway = ONLY_OVERTAKEN
  day.callbacks.received = (path) => {
    const session = [...world.sessions.values()].find(({ callbackUrl }) => callbackUrl?.endsWith(path))
    const id = sessions.get(session?.id ?? '')
    if (id === undefined || !random.happens(0.5)) {
      return
    }

    story.fault('page beside callback', `A page queries ${session?.id} while its callback is processed`)
    void query(id)
  }
  return acts

  function price(order: string, hasSplits?: boolean): void {
    const amount = random.between(100, 5_000)
    const market = pickMarket()
    const { currency } = market
    const splits = (hasSplits ?? random.happens(0.3)) ? { splits: splitsIn(market) } : {}
    day.orders.set(order, { order, amount, currency, narration: 'Two kangas', ...splits })
    story.tell(`Order ${order} now costs ${currency} ${amount}`)
  }

  async function query(id: string): Promise<void> {
    const least = versions.get(id) ?? 0
    const { status, body, by } = await day.ask(`/checkout/status/${id}`, {})
    const { version = 0, outcome } = body
    if (status !== 200) {
      return
    }
    if (version < least) {
      story.violation(`${by} showed version ${version} (${outcome}) of ${id} after version ${least}.`)
    }

    versions.set(id, Math.max(version, versions.get(id) ?? 0))
  }

  async function click(order: string): Promise<Partial<CheckoutView>> {
    const prompt = isPromptDay && ORDERS.includes(order) && prompts.happens(0.5) ? promptFields() : {}
    const body = new URLSearchParams({ order, ...PAYER, return_url: `${SHOP}/basket`, ...prompt }).toString()
    const headers = {
      accept: 'application/json',
      origin: SHOP,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const answer = await day.ask('/checkout/initiate', { method: 'POST', headers, body })
    const { code, outcome = code, merchant_transaction_id: reference, checkout_id } = answer.body
    story.tell(`${answer.by} answers the click on ${order} with ${answer.status} ${outcome}`)
    if (reference !== undefined && checkout_id !== undefined) {
      sessions.set(reference, checkout_id)
    }
    return answer.body
  }

  function promptFields() {
    const payer_msisdn = `2547${prompts.pick([0, 1, 2])}000${prompts.pick(CHARGE_ENDS)}`
    story.tell(`A shopper wants to be asked on the phone ${payer_msisdn}`)
    return { method: 'prompt', payer_msisdn }
  }

  function create(path: string, body: object, reference: string): void {
    requests.push({ path, body })
    story.tell(`The merchant creates ${reference}`)
    for (let copy = 0; copy < random.pick([1, 1, 2]); copy++) {
      void send({ path, body })
    }
  }

  async function send({ path, body }: Request): Promise<void> {
    const answer = await day.ask(path, posted(body, { authorization: `Bearer ${API_KEY}` }))
    const { code = '', outcome = code, stage = outcome } = answer.body
    story.tell(`${answer.by} answers ${path.slice(0, 40)} with ${answer.status} ${stage}`)
  }
}

function referenceOf(body: object): string {
  const { payout_reference, external_reference, reference }: Record<string, string> = { ...body }
  return payout_reference ?? external_reference ?? reference ?? ''
}
