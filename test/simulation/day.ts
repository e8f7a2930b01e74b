import { mkdtempSync, rmSync } from 'node:fs'

import { createTimeline } from '../../demo/sandbox/index.ts'
import { readConfig } from '../../server/config/config.ts'
import { accountOf } from '../../server/store/merchant.ts'
import { openStore } from '../../server/store/open.ts'
import { backUp, recover } from '../../server/store/sqlite/backup.ts'
import { createPortalAddress } from '../../server/transactions/callback-address.ts'
import { NEW_SUBMISSION } from '../../server/transactions/submission.ts'
import { SCRATCH } from '../support/scratch.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { counting } from '../support/worlds/counting-store.ts'
import { BACKEND, BFF, ENVIRONMENT, GATEWAY } from '../support/worlds/environment.ts'
import { createNetwork } from '../support/worlds/network.ts'
import { PAYOUTS } from '../support/worlds/payable.ts'
import { START } from '../support/worlds/world.ts'
import { createBackend } from './backend.ts'
import { createEvidence } from './evidence.ts'
import { createFreshness } from './freshness.ts'
import { createGateway } from './gateway.ts'
import { environmentOf } from './markets.ts'
import { createReplica } from './replica.ts'
import { createStory } from './story.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { FetchInit } from '../../server/http/exchange.ts'
import type { OrderInput } from '../../server/orders/order.ts'
import type { NewTransaction } from '../../server/store/transactions.ts'
import type { Clock } from '../../server/work/clock.ts'
import type { Markets } from './markets.ts'
import type { Mishap } from './mishaps.ts'
import type { Replica } from './replica.ts'

export type Day = Awaited<ReturnType<typeof createDay>>

const SERVER = { ...ENVIRONMENT, CHECKOUT_EXPIRES_MINUTES: '10', GATEWAY_CHARGE_METHODS: 'MOMO_KEN' }
const CONFIG = readConfig(SERVER)
const PORTAL = {
  charge_callback_url: createPortalAddress('charges', CONFIG).url,
  airtime_callback_url: createPortalAddress('airtime', CONFIG).url,
}
const ACCOUNT = accountOf(CONFIG)
/** Another host name of the same gateway, whose hosted pages keep their host. */
const RENAMED = { GATEWAY_BASE_URL: 'http://localhost:4010', GATEWAY_PAGE_HOSTS: new URL(GATEWAY).host }
const CLOCK_SPREADS_MS = [0, 20_000, 20_000, 100_000]
/**
 * The replicas count as idle after this number of successive turns of the event loop without network traffic and store
 * calls.
 */
const QUIET_TURNS = 2
/**
 * If the clocks of two replicas differ by at least this time, in milliseconds, an event may be delivered twice: the
 * replica whose clock is ahead may treat the other replica's lease as expired.
 */
const LEASE_CLOCKS_MS = 30_000

interface Answer {
  status: number
  body: Partial<CheckoutView> & { code?: string; stage?: string }
  by: string
}

/** @param storeUrl The store of all replicas. A day on which the store is restored has a file of its own. */
export async function createDay(
  seed: number,
  markets: Markets,
  mishaps: readonly Mishap[],
  storeUrl = 'sqlite::memory:',
) {
  let config = readConfig({ ...SERVER, ...environmentOf(markets) })
  const random = createSeededRandom(seed, 'day')
  const timeline = createTimeline({ wall: null, start: START, settle })
  const story = createStory(() => timeline.now())
  const network = createNetwork(timeline, createSeededRandom(seed, 'network'), story.fault)
  const clocks = { spreadMs: random.pick(CLOCK_SPREADS_MS) }
  const freshness = createFreshness(story)
  if (clocks.spreadMs > 0) {
    story.fault('clocks apart', `The clocks are up to ${clocks.spreadMs} ms apart`)
  }

  const evidence = createEvidence(story, freshness, () => timeline.now(), clocks)
  const backend = createBackend({ timeline, random: createSeededRandom(seed, 'backend'), story, evidence })
  const folder = mishaps.includes('restored') ? mkdtempSync(`${SCRATCH}/simulation-`) : null
  // The mark that tells stores apart is random, and references are derived from it.
  const calls = { running: 0 }

  const open = (file: string) => {
    // All replicas are in this process, so that the store need not look for changes by others.
    const clock: Clock = { now: () => timeline.now(), sleep: () => new Promise(() => {}) }
    const opened = openStore(folder === null ? storeUrl : `sqlite:${folder}/${file}`, { clock })
    return counting({ ...opened, marks: async () => ({ ...(await opened.marks()), store: seed }) }, calls)
  }

  const first = open('first')
  let store = first
  const orders = new Map<string, OrderInput>()
  const inserted: string[] = []
  const activity = { count: 0 }
  const storeTrouble = { failing: 0, slow: 0 }
  const callbacks = { received: (_path: string) => {} }
  const underway = new Map<string, { signal: AbortSignal; life: AbortSignal }>()

  const gateway = createGateway({
    url: GATEWAY,
    timeline,
    seed,
    random: createSeededRandom(seed, 'gateway'),
    story,
    portal: PORTAL,
    fetch: network.connect('callbacks', (url, init) => {
      const up = replicas.filter((replica) => replica.isUp())
      if (up.length === 0) {
        return new Promise<never>(() => {})
      }

      const receipt = random.pick(up).fetch(url, init)
      callbacks.received(new URL(url).pathname)
      return receipt
    }),
  })
  const toGateway = network.connect('gateway', async (url, init) => {
    const given = await gateway.receive(url, init)
    for (const [reference, { amount, service, expiresAt }] of gateway.world.sessions) {
      evidence.expect(reference, { amount, currency: service.currency, expiresAt })
    }

    evidence.answered(new URL(url).pathname, init, given.status, given.text)
    return given
  })
  const toBackend = network.connect('merchant', (_, init) => backend.receive(init))

  const fetch = (life: AbortSignal) => async (url: string, init: FetchInit) => {
    if (url === BACKEND) {
      deliver(life, init)
      return toBackend(url, init)
    }

    const path = new URL(url).pathname
    evidence.sending(path, init)
    const answer = await toGateway(url, init)
    evidence.arrived(path, init)
    return answer
  }

  await store.insert(foreignPayout())
  const replicas: Replica[] = Array.from({ length: random.pick([2, 2, 3, 4]) }, (_, index) =>
    createReplica(
      {
        name: `Replica ${index + 1}`,
        options: {
          randomness: createSeededRandom(seed, `replica ${index}`),
          orders: (reference) => orders.get(reference) ?? null,
          // Only after a step of the clocks, a worker may have to look although nothing has changed.
          longestSleepMs: mishaps.includes('clock') ? 600_000 : 24 * 3_600_000,
        },
        config: () => config,
        store: () => store,
        inserted,
        timeline,
        fetch,
        random: createSeededRandom(seed, `store ${index}`),
        story,
        activity,
        storeTrouble,
        committed: (row) => freshness.check(row),
        marked: (reference) => evidence.marked(reference),
      },
      random.between(-clocks.spreadMs / 2, clocks.spreadMs / 2),
    ),
  )
  await settle()

  return {
    seed,
    markets,
    random,
    timeline,
    story,
    network,
    evidence,
    backend,
    gateway,
    account: ACCOUNT,
    orders,
    inserted,
    storeTrouble,
    callbacks,
    replicas,
    clocks,

    get store() {
      return store
    },

    /** Gives the gateway another host name, which each replica uses from its next start on. */
    rename: () => void (config = readConfig({ ...SERVER, ...environmentOf(markets), ...RENAMED })),

    backUp: () => backUp(`${folder}/first`, `${folder}/backup`, timeline.now()),

    /** Ends all replicas, and replaces the store with its backup. */
    restore(): void {
      for (const replica of replicas) {
        replica.crash()
      }

      recover(`${folder}/backup`, timeline.now())
      store = open('backup')
      freshness.forget()
      evidence.forget()
    },

    async later(ms: number): Promise<void> {
      await settle()
      await timeline.advance(ms)
      await settle()
    },

    /**
     * Sends a request to a random running replica. The promise never resolves if no replica runs, or if the replica
     * crashes.
     */
    async ask(path: string, init: RequestInit): Promise<Answer> {
      const up = replicas.filter((replica) => replica.isUp())
      if (up.length === 0) {
        return new Promise<never>(() => {})
      }

      const replica = random.pick(up)
      const answer = await replica.fetch(`${BFF}${path}`, init)
      if (answer.status === 500) {
        story.violation(`${replica.name} answers ${path} with 500.`)
      }
      return { status: answer.status, body: await answer.json(), by: replica.name }
    },

    async close() {
      for (const replica of replicas) {
        replica.crash()
      }

      timeline.close()
      await first.close()
      if (store !== first) {
        await store.close()
      }
      if (folder !== null) {
        rmSync(folder, { recursive: true })
      }
    },
  }

  async function settle(): Promise<void> {
    for (let quiet = 0, seen = -1; quiet < QUIET_TURNS;) {
      await new Promise((resolve) => setImmediate(resolve))
      const now = activity.count + network.traffic()
      quiet = now === seen && calls.running === 0 ? quiet + 1 : 0
      seen = now
    }
  }

  function deliver(life: AbortSignal, init: FetchInit): void {
    const id = init.headers['webhook-id'] ?? ''
    const other = underway.get(id)
    // A replica that was stopped does not know that its lease has ended.
    const isLeased = clocks.spreadMs < LEASE_CLOCKS_MS && !story.faults.has('stopped replica')
    if (other && !other.signal.aborted && !other.life.aborted && isLeased) {
      story.violation(`Event ${id} is delivered twice at the same time.`)
    }

    underway.set(id, { signal: init.signal, life })
  }
}

// Servers of the sandbox environment must not touch a transaction of the production environment.
function foreignPayout(): NewTransaction {
  const payout_reference = 'FOREIGN-1'
  const request = { ...PAYOUTS.local, payout_reference, callback_url: `${BFF}/callbacks/payouts/none` }
  return {
    id: 'foreign',
    kind: 'payout',
    account: 'production',
    reference: payout_reference,
    group: payout_reference,
    attempt: 1,
    outcome: 'sending',
    record: {
      phase: 'intended',
      call: {
        variant: 'local',
        request,
        amounts: [{ amount: '1', currency: 'KES' }],
        fingerprint: '',
        recipient: {},
        people: [],
      },
      told: [],
      ...NEW_SUBMISSION,
    },
    created_at: START,
    sent_at: null,
    due_at: START,
    trace_id: null,
  }
}
