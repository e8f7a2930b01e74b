import { setPaymentState, statusOf } from '../../demo/sandbox/sessions/session.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { DOWN, RELIABLE } from '../support/worlds/network.ts'
import { HOUR, MINUTE, SECOND } from './acts.ts'
import { subjectOf } from './backend.ts'

import type { CheckoutSession } from '../../demo/sandbox/sessions/session.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Acts } from './acts.ts'
import type { Day } from './day.ts'

/** The share of the days on which each mishap happens, from 0 to 1. */
export const SHARES = {
  renamed: 0.05,
  restored: 0.04,
  late: 0.05,
  stopped: 0.05,
  rejected: 0.05,
  odd: 0.05,
  dead: 0.02,
  clock: 0.03,
}
export type Shares = Partial<typeof SHARES>
export type Mishap = keyof typeof SHARES

/** A mishap happens after one of these steps of the day. */
const STEPS = [0, 11] as const
/** The number of requests that wait for a dead endpoint. */
const WAITING = 32

/** Draws the mishaps of a day. Each has a random stream of its own, so that the days without it stay the same. */
export function drawMishaps(seed: number, shares: Shares) {
  return (Object.keys(SHARES) as Mishap[])
    .map((name) => ({ name, random: createSeededRandom(seed, name) }))
    .filter(({ name, random }) => random.happens(shares[name] ?? 0))
    .map((mishap) => ({ ...mishap, step: mishap.random.between(...STEPS) }))
}

export function createMishaps(day: Day, acts: Acts, drawn: ReturnType<typeof drawMishaps>) {
  const { gateway, story, timeline, network, backend, replicas } = day

  const mishaps: Record<Mishap, (random: SeededRandom) => void | Promise<void>> = {
    // The gateway gets another host name, and the replicas restart one after another.
    renamed(random) {
      story.fault('gateway renamed', 'The gateway gets another host name')
      day.rename()
      for (const replica of replicas) {
        timeline.after(random.between(0, 2 * MINUTE), () => (replica.crash(), replica.start()))
      }
    },

    // A checkout is paid that is missing in the backup, or not acknowledged. Then the backup is restored.
    async restored(random) {
      calm()
      acts.price('restored', random.happens(0.5))
      if (random.happens(0.5)) {
        gateway.state = 'refusing'
        void acts.click('restored')
        await day.later(random.between(SECOND, 4 * SECOND))
        gateway.state = 'up'
      }

      day.backUp()
      const session = await start('restored')
      if (random.happens(0.7)) {
        acts.play(session, random.pick(['approve', 'approve', 'partial', 'jam']))
      }

      await day.later(random.between(0, MINUTE))
      story.fault('store restored', 'The store goes back to its backup')
      day.restore()
      for (const replica of replicas) {
        timeline.after(random.between(0, 10 * SECOND), () => replica.start())
      }

      for (let clicks = 0; clicks < 3; clicks++) {
        await clickAgain('restored', session, random.between(SECOND, 2 * MINUTE))
      }
    },

    // The operator completes a payment of an attempt that has ended, mostly while a later attempt is live.
    async late(random) {
      calm()
      const session = await start('late')
      acts.play(session, 'wrong_pin')
      await day.later(random.between(13 * MINUTE, 20 * MINUTE))
      const isLive = random.happens(0.7)
      if (isLive) {
        await start('late')
      } else {
        acts.look(session)
      }

      await day.later(5 * SECOND)
      const payment = session?.payments[0]
      if (!session || !payment) {
        return
      }

      network.reliability.callbacks = random.pick([RELIABLE, DOWN])
      setPaymentState(session, payment, { kind: 'jammed' }, timeline.now())
      const scenario = random.pick(['approve', 'partial', 'overpay', 'slow', 'jam'] as const)
      acts.play(session, scenario)
      story.fault('late money', `The operator plays ${scenario} on ${session.id} after all`)
      // A live attempt is resumed without a query if the last one is not older than a minute.
      await clickAgain('late', session, isLive ? 95 * SECOND + day.clocks.spreadMs : 35 * SECOND)
      await clickAgain('late', session, 3 * MINUTE)
    },

    // A replica stops between the mark in the store and the request, and goes on later.
    async stopped(random) {
      random.pick(replicas).stopBeforeSend(random.between(20 * SECOND, 10 * MINUTE))
      for (const create of ['payOut', 'charge', 'airtime', 'initiate'] as const) {
        if (random.happens(0.5)) {
          acts[create]()
        }

        await day.later(SECOND)
      }
    },

    rejected: () => void (gateway.rejectProbability = 0.3),

    async odd(random) {
      gateway.oddProbability = 0.8
      acts.play(await start('odd'), random.pick(['approve', 'partial']))
    },

    // A family of endpoints is dead, many requests wait for it, and a single replica serves the others.
    async dead(random) {
      calm()
      for (const replica of replicas.slice(1)) {
        replica.crash()
      }

      const families = { payOut: '/v1/payouts/', charge: '/v1/charges', airtime: '/v1/gw/airtime/' } as const
      const create = random.pick(['payOut', 'charge', 'airtime'] as const)
      for (let created = 0; created < WAITING; created++) {
        acts[create]()
      }

      await day.later(2 * SECOND)
      gateway.deadPath = families[create]
      story.fault('dead endpoints', `${gateway.deadPath} answers 503`)
      await day.later(random.between(5 * SECOND, MINUTE))
      const session = await start('dead')
      acts.play(session, 'approve')
      await expectTold(session, 20 * SECOND, `while ${gateway.deadPath} was dead`)
      gateway.deadPath = null
      calm()
    },

    // All clocks step back by an hour while a query or a delivery waits, and go right again later.
    async clock(random) {
      day.clocks.spreadMs = HOUR
      calm()
      await day.later(MINUTE)
      const isDelivery = random.happens(0.5)
      if (isDelivery) {
        backend.behaviour = 'refuses'
      } else {
        network.reliability.callbacks = DOWN
      }

      const session = await start('clock')
      if (isDelivery) {
        acts.play(session, 'approve')
      }

      await day.later(random.between(SECOND, 10 * SECOND))
      story.fault('clocks step back', 'The clocks step back by an hour')
      for (const { clock } of replicas) {
        clock.skewMs -= HOUR
      }

      if (!isDelivery) {
        acts.play(session, 'approve')
      }

      backend.behaviour = 'accepts'
      await expectTold(session, MINUTE, 'after the clocks had stepped back')
      await day.later(random.between(0, 10 * MINUTE))
      for (const { clock } of replicas) {
        clock.skewMs += HOUR
      }
    },
  }

  return async function strike(step: number): Promise<void> {
    for (const mishap of drawn) {
      if (mishap.step === step) {
        await mishaps[mishap.name](mishap.random)
      }
    }
  }

  // Ends everything that keeps a healthy server from doing its work at once.
  function calm(): void {
    acts.calm()
    network.reliability.gateway = RELIABLE
    gateway.longestLagMs = 0
    for (const replica of replicas) {
      replica.start()
      replica.crashAfter(Infinity)
    }
  }

  /** Starts a checkout of the order. Resolves with its session at the gateway. */
  async function start(order: string): Promise<CheckoutSession | undefined> {
    if (!day.orders.has(order)) {
      acts.price(order, false)
    }

    const click = { id: '' }
    void acts.click(order).then((view) => (click.id = view.merchant_transaction_id ?? ''))
    await day.later(10 * SECOND)
    return gateway.world.sessions.get(click.id)
  }

  /** Clicks after a pause, and expects no page beside a session that has money, or may still get some. */
  async function clickAgain(order: string, session: CheckoutSession | undefined, pauseMs: number) {
    await day.later(pauseMs)
    void acts.click(order).then(({ merchant_transaction_id: id, redirect_url }) => {
      if (!session || redirect_url === undefined) {
        return
      }

      const status = statusOf(session, timeline.now())
      const isOver = status === 840 || status === 841 || (status === 803 && !gateway.isPayable(session.id))
      if (id === session.id ? status === 801 : !isOver) {
        story.violation(
          `Order ${order} can be paid as ${id}, while ${session.id} is ${status} at the gateway.`,
        )
      }
    })
  }

  async function expectTold(session: CheckoutSession | undefined, withinMs: number, when: string) {
    await day.later(withinMs)
    const isTold = [...backend.accepted.values()].some((event) => subjectOf(event) === session?.id)
    if (session && !isTold) {
      story.violation(`${session.id} was paid, and the merchant was not told within ${withinMs} ms, ${when}.`)
    }
  }
}
