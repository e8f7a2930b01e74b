import type { Store, StoredEvent } from '../../server/store/store.ts'
import type { Kind } from '../../server/transactions/kind.ts'
import type { Ladder, TrackedEvent } from '../../server/transactions/transition.ts'
import type { Stored } from '../../server/transactions/record.ts'
import type { Work } from '../../server/work/work-loop.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  reportStatus,
  standingOn,
  Alarm,
  announce,
  changed,
  standing,
  told,
  unchanged,
} from '../../server/transactions/transition.ts'
import { createReader } from '../../server/transactions/record.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { TRACKED_OUTCOMES } from '../../server/api/tracked.ts'
import { readConfig } from '../../server/config/config.ts'
import { Secret } from '../../server/config/secret.ts'
import { GatewayError } from '../../server/gateway/errors.ts'
import { QueryQueue } from '../../server/gateway/query-queue.ts'
import { silentLog } from '../../server/log/log.ts'
import { noMetrics } from '../../server/metrics/metrics.ts'
import { createDeliveries } from '../../server/outbox/deliver.ts'
import { declareResource } from '../../server/routes/api/transactions.ts'
import { refuse } from '../../server/api/refusal.ts'
import { openStore } from '../../server/store/open.ts'
import { createReconciliation } from '../../server/transactions/reconciliation.ts'
import { progressSince } from '../../server/transactions/schedule.ts'
import {
  alarmIfMissing,
  countMissing,
  NEW_SUBMISSION,
  submissionProgress,
  submissionState,
} from '../../server/transactions/submission.ts'
import { newTransaction, submitOnce } from '../../server/transactions/submit.ts'
import { Synchronizer } from '../../server/transactions/synchronizer.ts'
import { LEAST } from '../support/least-config.ts'
import { createScriptedGateway, silence } from '../support/scripted-gateway.ts'
import { createFingerprints } from '../../server/privacy/personal.ts'

const SEEDS = process.env.FULL ? 200 : 10
const START = Date.UTC(2026, 10, 21, 9)
const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR
// The kind makes its requests itself: no other endpoint of the gateway is asked.
const { client } = createScriptedGateway(silence)
const FINGERPRINTS = createFingerprints([new Secret('the secret of the vouchers')])
const REUSED = refuse('reference_reused', 'Another voucher has this reference.')
const VOUCHERS = ['V-1', 'V-2', 'V-3']

// A kind of its own: vouchers, which the gateway makes, and which are then either used or returned. They are stored
// under the name of payouts, whose submission policy they have: the gateway refuses duplicates.
const Reported = z.object({ status: z.literal([1, 2, 3]) })
type Reported = z.output<typeof Reported>
const Voucher = z.discriminatedUnion('phase', [
  z.object({ phase: z.literal('intended'), told, ...submissionState }),
  z.object({
    phase: z.literal('accepted'),
    reported: Reported.nullable(),
    settled_at: z.number().nullable(),
    alarm: Alarm.nullable(),
    told,
  }),
])
type Voucher = z.output<typeof Voucher>
type Row = Stored<Voucher>
const readVoucher = createReader(Voucher)
type Observation = { kind: 'accepted' | 'unknown' } | { kind: 'status'; reported: Reported }

const LADDER: Ladder<1 | 2 | 3, Reported> = {
  statusOf: ({ status }) => status,
  statuses: {
    1: { outcome: 'pending', next: [2, 3] },
    2: { outcome: 'succeeded', next: [3] },
    3: { outcome: 'refunded', next: [] },
  },
}

function acceptedOf(record: Voucher): Extract<Voucher, { phase: 'accepted' }> {
  if (record.phase === 'accepted') return record
  return { phase: 'accepted', reported: null, settled_at: null, alarm: null, told: record.told }
}

const standingOf = (record: Voucher) =>
  record.phase === 'accepted' ? standingOn(LADDER, record) : standing('sending', record.stuck)

function createKind(gateway: Gateway): Kind<Row, Observation, TrackedEvent> {
  return {
    read: readVoucher,
    transition(row, observation, askedAt) {
      const { record } = row
      switch (observation.kind) {
        case 'accepted':
          return record.phase === 'intended' ? changed(acceptedOf(record), 'Accepted.') : unchanged(record)
        case 'status': {
          const { record: next, historyEntry } = reportStatus(
            LADDER,
            acceptedOf(record),
            observation.reported,
          )
          const settled_at = standingOf(next).settled ? (next.settled_at ?? askedAt) : null
          return historyEntry === null ? unchanged(record) : changed({ ...next, settled_at }, historyEntry)
        }
        case 'unknown':
        case 'overdue': {
          if (record.phase === 'accepted')
            return alarmIfMissing({ ...row, record }, askedAt, observation.kind)
          const result = countMissing({ ...row, record }, askedAt, observation.kind)
          return typeof result === 'string' ? unchanged(record) : result
        }
      }
    },
    announce: (before, { record }) => announce(record, standingOf(before.record), standingOf(record)),
    outcomeOf: ({ record }) => standingOf(record).outcome,
    progressOf: ({ record, ...row }) =>
      record.phase === 'accepted' ? progressSince(row, record.settled_at) : submissionProgress(record, row),
    requestOf: () => ({ amount: '1 voucher', fingerprint: FINGERPRINTS.of('terms', 'null') }),
    describeEvent: (event, { reference }) => ({ type: `payout.${event}`, data: { reference } }),
    familyOf: () => 'payout',
    erase: () => null,
    send: async ({ reference }) => (await gateway.ask(() => gateway.make(reference)), { kind: 'accepted' }),
    async queryStatus({ reference }) {
      const status = await gateway.ask(() => gateway.vouchers.get(reference))
      return status === undefined ? { kind: 'unknown' } : { kind: 'status', reported: { status } }
    },
  }
}

class Gateway {
  readonly vouchers = new Map<string, 1 | 2 | 3>()
  readonly #random: SeededRandom

  constructor(random: SeededRandom) {
    this.#random = random
  }

  /** Answers a request. The request or the answer may be lost. */
  async ask<T>(answer: () => T): Promise<T> {
    if (this.#random.happens(0.2)) throw new GatewayError('gateway_timeout', 'The request was lost.')
    const given = answer()
    if (this.#random.happens(0.2)) throw new GatewayError('gateway_timeout', 'The answer was lost.')
    return given
  }

  make(reference: string): void {
    if (!this.vouchers.has(reference)) this.vouchers.set(reference, 1)
  }

  /** Uses vouchers, and returns some of those that were used. */
  pass(): void {
    for (const [reference, status] of this.vouchers)
      if (status !== 3 && this.#random.happens(0.005)) this.vouchers.set(reference, status === 1 ? 2 : 3)
  }
}

class Killed extends Error {}

/** Starts a server on the store. It dies before or after one of its writes, after `life` of these moments. */
function startServer(shared: Store, gateway: Gateway, now: () => number, random: SeededRandom, life: number) {
  let steps = life
  const step = () => {
    steps -= 1
    if (steps <= 0) throw new Killed()
  }
  const store = new Proxy(shared, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'insert' && name !== 'commit' && name !== 'finishEvent') return value.bind(target)
      return async (...given: unknown[]) => {
        step()
        const result: unknown = await Reflect.apply(value, target, given)
        step()
        return result
      }
    },
  })
  const kind = createKind(gateway)
  const shares = {
    store,
    account: 'sandbox' as const,
    clock: { now, sleep: () => new Promise<void>(() => {}) },
    log: silentLog,
    randomness: random,
    metrics: noMetrics,
    fingerprints: FINGERPRINTS,
    queries: new QueryQueue({ clock: { now, sleep: async () => {} }, log: silentLog, perSecond: 1_000 }),
    kinds: { checkout: kind, payout: kind, charge: kind, airtime: kind },
    client: { ...client, authenticate: async () => {}, isAuthenticated: () => random.happens(0.5) },
    config: readConfig(LEAST),
    newEventId: () => `evt_${random.token()}`,
  }
  const synchronizer = new Synchronizer(shares)
  const app = new Hono()
  declareResource(app, { ...shares, synchronizer }, '/api/vouchers', {
    kind: 'payout',
    tag: 'Records',
    key: ['reference', 'The reference.', 'V-1'],
    schema: z.object({ outcome: z.enum(TRACKED_OUTCOMES) }),
    show: ({ reference, outcome }) => ({ reference, outcome }),
    unknown: 'No voucher has this reference.',
  })
  return { ...shares, synchronizer, kind, app }
}

async function workOff<Item>(work: Work<Item>): Promise<void> {
  for (const item of await work.claim(10)) await work.run(item)
}

const Body = z.object({ data: z.object({ reference: z.string() }) })

async function simulate(seed: number) {
  const random = createSeededRandom(seed, 'toy kind')
  const gateway = new Gateway(random)
  const shared = openStore('sqlite::memory:')
  const events: { id: string; type: string; reference: string }[] = []
  let now = START
  let kills = 0
  const start = (life = random.between(3, 60)) => startServer(shared, gateway, () => now, random, life)

  async function deliver({ id, type, body }: StoredEvent): Promise<void> {
    events.push({ id, type, reference: Body.parse(JSON.parse(body)).data.reference })
  }

  async function live(server: ReturnType<typeof start>): Promise<void> {
    for (const reference of VOUCHERS.filter(() => random.happens(0.05))) {
      const record: Voucher = { phase: 'intended', told: [], ...NEW_SUBMISSION }
      const row = newTransaction(server, { kind: 'payout', reference, record })
      await submitOnce(server, [row], server.kind, [null], REUSED)
    }
    await workOff(createReconciliation(server))
    for (const queue of createDeliveries({ ...server, destinations: [deliver], onDelivered: async () => {} }))
      await workOff(queue)
  }

  let server = start()
  for (; now < START + 35 * DAY; now += now < START + HOUR ? 10 * SECOND : 3 * HOUR) {
    if (now < START + 2 * DAY) gateway.pass()
    try {
      await live(server)
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      kills += 1
      server = start()
    }
  }
  const { app } = start(Infinity)
  const shown = await Promise.all(
    VOUCHERS.map(async (reference) => (await app.request(`/api/vouchers/${reference}`)).json()),
  )
  await shared.close()
  return { gateway, events, shown, kills }
}

// A voucher that is not used for 30 days needs a person.
const OUTCOMES = { 1: 'needs_attention', 2: 'succeeded', 3: 'refunded' } as const

test(
  'a kind of its own keeps every guarantee over random days and kills',
  { timeout: 60_000 + SEEDS * 4_000 },
  async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { gateway, events, shown, kills } = await simulate(seed)
      expect(kills).toBeGreaterThan(3)
      for (const [index, reference] of VOUCHERS.entries()) {
        const told = events.filter((event) => event.reference === reference)
        const types = [...new Set(told.map(({ type }) => type))]
        const ids = new Set(told.map(({ id }) => id))
        const outcome = OUTCOMES[gateway.vouchers.get(reference) ?? 1]
        expect({ seed, shown: shown[index], last: types.at(-1), ids: ids.size }).toEqual({
          seed,
          shown: { reference, outcome },
          last: `payout.${outcome}`,
          ids: types.length,
        })
      }
    }
  },
)
