/** The scenarios that the explorer runs: what sends, commits and confirms, entered as users enter it. */

import { airtime } from '../support/spec/airtime.ts'
import { CHARGE } from '../support/worlds/chargeable.ts'
import { PAYOUTS } from '../support/worlds/payable.ts'
import { NOTIFY_URL } from './world.ts'

import type { Scenario } from './scenario.ts'
import type { Answer, World } from './world.ts'

const TWO = ['A', 'B'] as const
const SECOND = 1_000
const PROMPTS = { GATEWAY_CHARGE_METHODS: 'MOMO_KEN=MoMo:25470' }
const SPLITS = { splits: [{ account: 'PARTNER-001', amount: '600', reason: 'Cloth' }] }

/** Opens a checkout on the first replica, long enough ago that a page asks for its status. */
async function opened(world: World): Promise<void> {
  await world.press('A')
  await world.later(3 * SECOND)
}

/** Opens and pays a checkout, and stores it as paid. */
async function paid(world: World): Promise<void> {
  await opened(world)
  await world.report(801)
  await world.callback('A')
  await world.later(2 * SECOND)
}

export const TWO_TASKS: readonly Scenario[] = [
  {
    name: 'a press and another press',
    tasks: (world) => ({ 'A press': () => world.press('A'), 'A second press': () => world.press('A') }),
  },
  {
    name: 'a press on each of two replicas',
    replicas: TWO,
    tasks: (world) => ({ 'A press': () => world.press('A'), 'B press': () => world.press('B') }),
  },
  {
    name: 'a prompt on each of two replicas',
    replicas: TWO,
    env: PROMPTS,
    tasks: (world) => ({
      'A press': () => world.press('A', { method: 'prompt' }),
      'B press': () => world.press('B', { method: 'prompt' }),
    }),
  },
  {
    name: 'a prompt and a page on two replicas',
    replicas: TWO,
    env: PROMPTS,
    tasks: (world) => ({
      'A press': () => world.press('A', { method: 'prompt' }),
      'B press': () => world.press('B'),
    }),
  },
  {
    name: 'a prompt whose answer is lost, and a press before the gateway shows it',
    env: PROMPTS,
    fails: /POST .*charge/,
    failures: 1,
    withinMs: 300 * SECOND,
    before: async ({ gateway }) => {
      gateway.lagMs = 600 * SECOND
    },
    tasks: (world) => ({
      'A press': () => world.press('A', { method: 'prompt' }),
      'A second press': async () => {
        await world.wait(30 * SECOND)
        await world.press('A', { method: 'prompt' })
      },
    }),
  },
  {
    name: 'a press on each of two replicas after a checkout without an answer was paid and refunded',
    replicas: TWO,
    isSettled: true,
    before: async (world) => {
      world.gateway.losesAnswers = true
      const pressed = world.press('A')
      await world.later(20 * SECOND)
      await pressed
      world.gateway.losesAnswers = false
      await world.report(801)
      await world.report(841)
    },
    tasks: (world) => ({ 'A press': () => world.press('A'), 'B callback': () => world.callback('B') }),
  },
  {
    name: 'a prompt whose request or answer is lost, and another press',
    env: PROMPTS,
    fails: /charge/,
    failures: 1,
    withinMs: 300 * SECOND,
    tasks: (world) => ({
      'A press': () => world.press('A', { method: 'prompt' }),
      'A second press': () => world.press('A', { method: 'prompt' }),
    }),
  },
  {
    name: 'a payment with its callback, and a poll',
    before: opened,
    tasks: (world) => ({
      gateway: () => world.report(801).then(() => world.callback('A')),
      'A poll': () => world.poll('A'),
    }),
  },
  {
    name: 'a payment with its callback on one replica, and a poll on the other',
    replicas: TWO,
    before: opened,
    tasks: (world) => ({
      gateway: () => world.report(801).then(() => world.callback('A')),
      'B poll': () => world.poll('B'),
    }),
  },
  {
    name: 'one payment that is reported for two orders, each polled on its replica',
    replicas: TWO,
    before: async (world) => {
      await world.press('A')
      await world.press('A', { order: 'A-2' })
      await world.later(3 * SECOND)
      world.gateway.payment = 'PAY-1'
      for (const reference of world.gateway.entries.keys()) {
        await world.report(801, reference)
      }
    },
    tasks: (world) => ({ 'A poll': () => world.poll('A'), 'B poll': () => world.poll('B', 1) }),
  },
  {
    name: 'a payment and its refund, whose callbacks two replicas receive within a second',
    replicas: TWO,
    before: opened,
    tasks: (world) => ({
      gateway: async () => {
        await world.report(801)
        world.notify('B')
        await world.report(841)
        await world.callback('A')
      },
    }),
  },
  {
    name: 'a payment and its refund, whose callbacks one replica receives within a second',
    before: opened,
    tasks: (world) => ({
      gateway: async () => {
        await world.report(801)
        world.notify('A')
        await world.report(841)
        await world.callback('A')
      },
    }),
  },
  {
    name: 'a refund with its callback, and the query of an earlier callback on the other replica',
    replicas: TWO,
    before: paid,
    tasks: (world) => ({
      'B callback': () => world.callback('B'),
      refund: () => world.report(841).then(() => world.callback('A')),
    }),
  },
  {
    name: 'a callback and a shopper who comes back',
    before: opened,
    tasks: (world) => ({
      gateway: () => world.report(801).then(() => world.callback('A')),
      'A return': () => world.comeBack('A'),
    }),
  },
  {
    name: 'a press after a refund, and its callback',
    replicas: TWO,
    before: paid,
    tasks: (world) => ({
      refund: () => world.report(841).then(() => world.callback('A')),
      'B press': () => world.press('B'),
    }),
  },
  {
    name: 'a charge that is created twice',
    tasks: (world) => ({
      'A create': () => world.api('A', '/charges', CHARGE),
      'A second create': () => world.api('A', '/charges', CHARGE),
    }),
  },
  {
    name: 'a charge that is created on two replicas',
    replicas: TWO,
    tasks: (world) => ({
      'A create': () => world.api('A', '/charges', CHARGE),
      'B create': () => world.api('B', '/charges', CHARGE),
    }),
  },
  {
    name: 'a stored charge that two replicas send',
    replicas: TWO,
    // A second send needs two forced switches at one pair of steps: the 48th run reaches it.
    runs: 60,
    before: async (world) => {
      world.gateway.isAway = true
      const created = world.api('A', '/charges', CHARGE)
      await world.later(20 * SECOND)
      await created
      world.gateway.isAway = false
    },
    tasks: (world) => ({
      'A create': () => world.api('A', '/charges', CHARGE),
      'B create': () => world.api('B', '/charges', CHARGE),
    }),
  },
  {
    name: 'an order with splits that two replicas send, after it could not be sent',
    replicas: TWO,
    order: SPLITS,
    before: async (world) => {
      world.gateway.isAway = true
      const pressed = world.press('A')
      await world.later(20 * SECOND)
      await pressed
      world.gateway.isAway = false
    },
    tasks: (world) => ({ 'A press': () => world.press('A'), 'B press': () => world.press('B') }),
  },
  {
    name: 'a payout that is created on two replicas',
    replicas: TWO,
    tasks: (world) => ({
      'A create': () => world.api('A', '/payouts', PAYOUTS.local),
      'B create': () => world.api('B', '/payouts', PAYOUTS.local),
    }),
  },
  {
    name: 'airtime that is created on two replicas',
    replicas: TWO,
    tasks: (world) => ({
      'A create': () => world.api('A', '/airtime', airtime),
      'B create': () => world.api('B', '/airtime', airtime),
    }),
  },
  {
    name: 'an accepted payment, and the decision FAILED by the API',
    order: SPLITS,
    confirms: true,
    before: async (world) => {
      await opened(world)
      await world.report(801)
      await world.callback('A')
    },
    workers: ['A'],
    tasks: (world) => ({
      'A decision': () =>
        world.api('A', `/charges/${world.gateway.only().reference}/acknowledge`, {
          status: 'FAILED',
          narration: 'Sold out',
        }),
    }),
  },
  {
    name: 'the decisions SUCCESSFUL and FAILED on two replicas',
    replicas: TWO,
    order: SPLITS,
    confirms: true,
    before: async (world) => {
      await opened(world)
      await world.report(801)
      await world.callback('A')
    },
    tasks: (world) =>
      Object.fromEntries(
        (['SUCCESSFUL', 'FAILED'] as const).map((status, index) => [
          `${TWO[index]} ${status}`,
          () =>
            world.api(TWO[index]!, `/charges/${world.gateway.only().reference}/acknowledge`, {
              status,
              narration: 'Said',
            }),
        ]),
      ),
  },
  {
    name: 'one decision on each of two replicas, of which an answer is lost, and then another decision',
    replicas: TWO,
    fails: /acknowledge/,
    failures: 1,
    before: async (world) => {
      world.gateway.confirmsOnce = true
      await world.api('A', '/charges', CHARGE)
      await world.report(801)
      await world.callback('A')
      await world.later(2 * SECOND)
    },
    tasks: (world) => {
      const decide = (replica: string, status: string) =>
        world.api(replica, '/charges/C-1/acknowledge', { status, narration: 'Said' })
      return {
        'A decision': () => decide('A', 'SUCCESSFUL'),
        'B decisions': async () => {
          await decide('B', 'SUCCESSFUL')
          await decide('B', 'FAILED')
        },
      }
    },
  },
  {
    name: 'a charge found only by its id, while the store is away for one call',
    env: {
      GATEWAY_CHARGE_PATH: '/v1/mobile-money/charge',
      GATEWAY_CHARGE_STATUS_PATH: '/v1/transaction/:charge_request_id/status',
    },
    fails: /store commit/,
    failures: 1,
    isPersonEnough: false,
    withinMs: 300 * SECOND,
    tasks: (world) => ({ 'A create': () => world.api('A', '/charges', CHARGE) }),
  },
]

/** Opens a checkout long enough ago that a query is due. */
const due = async (world: World) => {
  await opened(world)
  await world.later(30 * SECOND)
}

export const MORE_TASKS: readonly Scenario[] = [
  {
    name: 'three presses on two replicas',
    replicas: TWO,
    tasks: (world) => ({
      'A press': () => world.press('A'),
      'B press': () => world.press('B'),
      'A second press': () => world.press('A'),
    }),
  },
  {
    name: 'a payment with its callback, a poll and the worker of the other replica',
    replicas: TWO,
    before: due,
    workers: ['B'],
    tasks: (world) => ({
      gateway: () => world.report(801).then(() => world.callback('A')),
      'A poll': () => world.poll('A'),
    }),
  },
  {
    name: 'two workers, and a payment with its callback',
    replicas: TWO,
    before: due,
    workers: ['A', 'B'],
    tasks: (world) => ({
      gateway: () => world.report(801).then(() => world.callback('A')),
    }),
  },
  {
    name: 'a payment, its refund, and a poll, on two replicas',
    replicas: TWO,
    before: opened,
    tasks: (world) => ({
      gateway: async () => {
        await world.report(801)
        world.notify('B')
        await world.report(841)
        await world.callback('A')
      },
      'B poll': () => world.poll('B'),
    }),
  },
  {
    name: 'a charge that is created three times on two replicas',
    replicas: TWO,
    tasks: (world) => ({
      'A create': () => world.api('A', '/charges', CHARGE),
      'B create': () => world.api('B', '/charges', CHARGE),
      'A second create': () => world.api('A', '/charges', CHARGE),
    }),
  },
  {
    name: 'an accepted payment, the decision FAILED, and a refund with its callback',
    replicas: TWO,
    order: SPLITS,
    confirms: true,
    before: async (world) => {
      await opened(world)
      await world.report(801)
      await world.callback('A')
    },
    workers: ['A'],
    tasks: (world) => ({
      'B decision': () =>
        world.api('B', `/charges/${world.gateway.only().reference}/acknowledge`, {
          status: 'FAILED',
          narration: 'Sold out',
        }),
      gateway: () => world.report(841).then(() => world.callback('B')),
    }),
  },
  {
    name: 'two presses, a payment with its callback, and a worker',
    replicas: TWO,
    before: due,
    workers: ['A'],
    tasks: (world) => ({
      'A press': () => world.press('A'),
      'B press': () => world.press('B'),
      gateway: () => world.report(801).then(() => world.callback('B')),
    }),
  },
]

/** A server that may die after each of its changes, and is started again. */
const MORTAL = {
  mortals: ['A'],
  workers: ['A'],
  // With a token, what is new is stored and sent by one commit. The process after a death has none.
  before: (world) => world.logIn('A'),
  // A transaction that may have been sent is asked about for minutes, and a claim ends after one.
  withinMs: 240 * SECOND,
} satisfies Partial<Scenario>

/** Each runs once to its end, and once more with a death after each change. */
export const DEATHS: readonly Scenario[] = [
  {
    ...MORTAL,
    name: 'a checkout from the press to the message',
    env: { NOTIFY_URL, NOTIFY_BODY: '{"id":"{id}","title":"{title}"}' },
    tells: true,
    // Who has claimed a message may still wait for the answer of a slow service.
    withinMs: 1_800 * SECOND,
    tasks: (world) => ({
      shopper: () => untilPaid(world, () => world.press('A'), 801),
    }),
  },
  {
    ...MORTAL,
    name: 'an order with splits from the press to its confirmation',
    order: SPLITS,
    confirms: true,
    tasks: (world) => ({
      shopper: () => untilPaid(world, () => world.press('A'), 801),
    }),
  },
  {
    ...MORTAL,
    name: 'a prompt',
    env: PROMPTS,
    tasks: (world) => ({
      shopper: () => untilPaid(world, () => world.press('A', { method: 'prompt' }), 801),
    }),
  },
  {
    ...MORTAL,
    name: 'a charge',
    confirms: true,
    tasks: (world) => ({
      merchant: () => untilPaid(world, () => world.api('A', '/charges', CHARGE), 801),
    }),
  },
  {
    ...MORTAL,
    name: 'a payout',
    tasks: (world) => ({
      merchant: () => untilPaid(world, () => world.api('A', '/payouts', PAYOUTS.local), 700),
    }),
  },
  {
    ...MORTAL,
    name: 'airtime',
    tasks: (world) => ({
      merchant: () => untilPaid(world, () => world.api('A', '/airtime', airtime), 602),
    }),
  },
]

/** Asks until an answer comes, as a shopper or a merchant does after a lost connection. Then the payment ends. */
async function untilPaid(world: World, ask: () => Promise<Answer | null>, status: number): Promise<void> {
  while ((await ask()) === null) {
    await world.wait(5 * SECOND)
  }

  if (world.gateway.entries.size === 0) {
    return
  }

  await world.report(status)
  await world.callback('A')
}

/** What is explored on Postgres, where the database orders two changes that take place at the same time. */
export const ON_POSTGRES: readonly Scenario[] = [...TWO_TASKS, ...MORE_TASKS].filter(({ name }) =>
  [
    'a press on each of two replicas',
    'a prompt on each of two replicas',
    'a stored charge that two replicas send',
    'one payment that is reported for two orders, each polled on its replica',
    'a payment and its refund, whose callbacks two replicas receive within a second',
    'two workers, and a payment with its callback',
    'the decisions SUCCESSFUL and FAILED on two replicas',
  ].includes(name),
)
