/**
 * The server as the explorer sees it: replicas on one store, a gateway and the merchant's backend, on one clock. This
 * file alone knows how a server is created and entered; scenarios and checks know only what it offers.
 */

import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'

import { readConfig } from '../../server/config/config.ts'
import { createApp } from '../../server/every-feature.ts'
import { StoreAwayError } from '../../server/store/errors.ts'
import { createPortalAddress } from '../../server/transactions/callback-address.ts'
import { API_KEY, BFF, ENVIRONMENT, SHOP } from '../support/worlds/environment.ts'
import { formOf, START } from '../support/worlds/world.ts'
import { createVirtualClock } from './clock.ts'
import { createGateway, json } from './gateway.ts'
import { currentTask, Scheduler } from './scheduler.ts'

import type { App } from '../../server/app.ts'
import type { Environment } from '../../server/config/variables.ts'
import type { FetchInit } from '../../server/http/exchange.ts'
import type { OrderInput } from '../../server/orders/order.ts'
import type { Store } from '../../server/store/store.ts'
import type { Change, Transaction } from '../../server/store/transactions.ts'
import type { Place } from './places.ts'
import type { Process } from './scheduler.ts'

/** The calls of the store at which a task waits. The others read or change nothing that tasks share. */
const READS: readonly string[] = ['find', 'findByReference', 'list']
const WRITES: readonly string[] = [
  'insert',
  'commit',
  'requestQuery',
  'claimTransactions',
  'claimEvents',
  'finishEvent',
  'claimNotices',
  'finishNotice',
]

/** The address of a service that sends messages to the seller. */
export const NOTIFY_URL = 'http://127.0.0.1:4050/notices'

const SECOND = 1_000
/** Each call takes a millisecond, so that no two have the same time. */
const CALL_MS = 1

export interface WorldOptions {
  replicas: readonly string[]
  env: Environment
  /** The order of every checkout in the world. */
  order: Partial<OrderInput>
  /** The names of the calls that may fail. */
  fails: RegExp | null
  /** The replicas that may die after each of their changes, and are started again at once. */
  mortals: readonly string[]
}

export interface DeliveredEvent {
  id: string
  type: string
  transaction: string
}

export interface Answer {
  task: string
  status: number
  body: string
}

/** A running process of a replica. */
interface Server {
  app: App
  /** Resolves when the process dies. */
  death: Promise<null>
}

export type World = Awaited<ReturnType<typeof createWorld>>

export async function createWorld(place: Place, { replicas, env, order, fails, mortals }: WorldOptions) {
  const config = readConfig({ ...ENVIRONMENT, MERCHANT_WEBHOOK_URL: '', MERCHANT_WEBHOOK_SECRET: '', ...env })
  const clock = createVirtualClock(START)
  const scheduler = new Scheduler()
  const gateway = createGateway(clock.now)
  const stores = await place.open(replicas, clock)
  const stopping = new AbortController()
  // Each worker of each replica listens.
  setMaxListeners(0, stopping.signal)
  const working = new Set<string>()
  const answers: Answer[] = []
  const delivered: DeliveredEvent[] = []
  /** The ids of what the seller was told, once for each arrival. */
  const told: string[] = []
  /** Each stored state of a transaction, in the order of the commits. */
  const commits: { row: Transaction; change: Change | null }[] = []
  const errors: string[] = []
  const backend = { accepts: (_type: string) => true, decides: async (_event: DeliveredEvent) => {} }
  const random = createRandomness()
  const servers: Record<string, Server> = {}
  for (const replica of replicas) {
    servers[replica] = boot(replica)
  }

  const canFail = (what: string) => fails?.test(what) ?? false

  function boot(replica: string): Server {
    const end = new AbortController()
    const death = new Promise<null>((resolve) => {
      end.signal.addEventListener('abort', () => resolve(null))
    })
    const process: Process = { isDead: false, die: mortals.includes(replica) ? startAgain : null }
    return { app: createServer(stores[replica]!, process), death }

    function startAgain(): void {
      stores[replica] = place.reopen(replica, clock)
      servers[replica] = boot(replica)
      end.abort()
      if (working.delete(replica)) {
        scheduler.start(`${replica} works again`, () => work(replica), true)
      }
    }
  }

  function createServer(store: Store, process: Process): App {
    return createApp({
      config,
      store: observed(store, process),
      fetch: (url, init) => toNetwork(url, init, process),
      onEvent: (event) =>
        toMerchant({ id: event.id, type: event.type, transaction: referenceIn(event.data) }, process),
      orders: (reference) => ({
        order: reference,
        amount: '1500',
        currency: 'KES',
        narration: 'Two kangas',
        ...order,
      }),
      clock,
      randomness: random,
      log: {
        debug() {},
        info() {},
        warn() {},
        error: (facts, message) => void errors.push(`${message} ${said(facts)}`),
      },
      longestSleepMs: 24 * 3_600 * SECOND,
    })
  }

  function observed(store: Store, process: Process): Store {
    return new Proxy(store, {
      get(_, name: keyof Store) {
        const method: unknown = store[name]
        if (typeof method !== 'function') {
          return method
        }

        const isStopped = READS.includes(name) || WRITES.includes(name)
        return (...args: unknown[]) => {
          const work = () => method.apply(store, args)
          if (isStopped) {
            return callStore(name, args, work, process)
          }

          const result: unknown = work()
          return result instanceof Promise ? scheduler.track(result) : result
        }
      },
    })
  }

  function callStore(
    name: string,
    args: unknown[],
    method: () => Promise<unknown>,
    process: Process,
  ): Promise<unknown> {
    const what = `store ${name}`

    const away = () => {
      throw new StoreAwayError('The store cannot be used.')
    }

    return scheduler.call({
      what,
      details: args,
      isWrite: WRITES.includes(name),
      async work() {
        clock.advance(CALL_MS)
        const result = await method()
        if (name === 'insert' && result === true) {
          for (const row of args as Transaction[]) {
            commits.push({ row, change: null })
          }
        }
        if (name === 'commit' && result !== null) {
          commits.push({ row: result as Transaction, change: args[2] as Change })
        }
        return result
      },
      failures: canFail(what) ? { refused: away, ...(WRITES.includes(name) && { lost: away }) } : {},
      process,
    })
  }

  function toNetwork(url: string, init: FetchInit, process: Process) {
    return url === NOTIFY_URL ? toSeller(init, process) : toGateway(url, init, process)
  }

  function toSeller({ body }: FetchInit, process: Process) {
    const id = String(JSON.parse(body ?? '{}').id)
    return scheduler.call({
      what: 'the seller is told',
      details: id,
      isWrite: true,
      async work() {
        told.push(id)
        return json({})
      },
      failures: {},
      process,
    })
  }

  function toGateway(url: string, init: FetchInit, process: Process) {
    const path = new URL(url).pathname
    const what = `${init.method} ${path.replace(/[^/]{30,}/, ':id')}`
    const isWrite = init.method !== 'GET'

    const work = async () => {
      clock.advance(CALL_MS)
      return gateway.fetch(url, init)
    }

    if (path === '/v1/auth') {
      return work()
    }

    const lost = () => {
      throw new TypeError('fetch failed')
    }

    const failures = canFail(what) ? { refused: lost, ...(isWrite && { lost }) } : {}
    return scheduler.call({ what, details: [url, init.body], isWrite, work, failures, process })
  }

  async function toMerchant(event: DeliveredEvent, process: Process): Promise<void> {
    const what = `the merchant receives ${event.type}`
    const isAccepted = await scheduler.call({
      what,
      details: event,
      isWrite: true,
      async work() {
        await backend.decides(event)
        return backend.accepts(event.type)
      },
      failures: canFail(what) ? { refused: () => false } : {},
      process,
    })
    if (!isAccepted) {
      throw new Error('The merchant does not accept the event.')
    }

    delivered.push(event)
  }

  /** Sends a request to a replica, and keeps the answer; `null` if the replica dies before it answers. */
  async function ask(replica: string, path: string, init: RequestInit = {}): Promise<Answer | null> {
    const { app, death } = servers[replica]!
    const response = await Promise.race([app.request(`${BFF}${path}`, init), death])
    if (response === null) {
      return null
    }

    const answer = { task: currentTask(), status: response.status, body: await response.text() }
    answers.push(answer)
    return answer
  }

  /** Starts the workers of a replica. Never resolves. */
  async function work(replica: string): Promise<void> {
    if (working.has(replica)) {
      return
    }

    working.add(replica)
    await servers[replica]!.app.work(stopping.signal)
  }

  return {
    clock,
    scheduler,
    gateway,
    backend,
    answers,
    delivered,
    told,
    commits,
    errors,
    replicas,
    work,

    press: (replica: string, fields: Record<string, string> = {}) =>
      ask(
        replica,
        '/checkout/initiate',
        formOf('A-1', { return_url: `${SHOP}/basket`, ...fields }, { origin: SHOP }),
      ),

    /** A page asks for the status of a checkout, the first one by default. */
    poll: (replica: string, place = 0) => ask(replica, `/checkout/status/${idOf(place)}`),

    /** The shopper returns from the hosted page of the first checkout. */
    comeBack: (replica: string) => ask(replica, `/checkout/return/${idOf(0)}`),

    /** The gateway's truth about a reference changes. */
    report: (status: number, reference = gateway.only().reference) =>
      scheduler.call({
        what: `the gateway reports ${status}`,
        details: [reference, status],
        isWrite: true,
        work: async () => gateway.report(reference, status),
        failures: {},
      }),

    callback,

    api: (replica: string, path: string, body: object) =>
      ask(replica, `/api${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),

    /** The replica logs in at the gateway, as it does for its first request. */
    logIn: (replica: string) =>
      ask(replica, '/api/fx?base_currency=KES', { headers: { authorization: `Bearer ${API_KEY}` } }),

    /** The gateway sends a callback, as a task of its own, and does not wait for the answer. */
    notify(replica: string): void {
      scheduler.start(`${replica} callback`, () => callback(replica))
    },

    /** Time passes, as a step of a schedule. */
    wait: (ms: number) =>
      scheduler.call({
        what: `${ms} ms pass`,
        details: ms,
        isWrite: true,
        work: async () => clock.advance(ms),
        failures: {},
      }),

    /** Advances the clock while no call is stopped, and lets everything happen in its order. */
    async later(ms: number): Promise<void> {
      const end = clock.now() + ms
      await scheduler.settle()
      while (clock.now() < end) {
        clock.advance(Math.min(clock.untilNext ?? Infinity, end - clock.now()))
        await scheduler.settle()
      }
    },

    rows: async (): Promise<Transaction[]> => {
      const ids = [...new Set(commits.map(({ row }) => row.id))]
      const store = stores[replicas[0]!]!
      return (await Promise.all(ids.map((id) => store.find(id)))).filter((row) => row !== null)
    },

    events: async (id: string) => stores[replicas[0]!]!.listEventsOf(id),

    async close(): Promise<void> {
      stopping.abort()
      clock.advance(0)
    },
  }

  async function callback(replica: string, reference = gateway.only().reference): Promise<void> {
    const entry = gateway.entries.get(reference)!
    const address = entry.body['callback_url']
    const { name } = entry
    const portal = createPortalAddress(name === 'airtime' ? 'airtime' : 'charges', config).url
    const { pathname } = new URL(typeof address === 'string' ? address : portal)
    const body = JSON.stringify({ external_reference: reference })
    const headers = { 'content-type': 'application/json' }
    const arrived = { kind: 'callback' as const, reference, isAccepted: false }
    gateway.sights.push(arrived)
    const answer = await ask(replica, pathname, { method: 'POST', headers, body })
    arrived.isAccepted = answer?.status === 200
  }

  /** Returns the id of the checkout that was stored as the first (0), the second (1) and so on. */
  function idOf(place: number): string {
    const ids = new Set(commits.map(({ row }) => row.id))
    return [...ids][place]!
  }
}

function said(facts: object): string {
  const error: unknown = 'err' in facts ? facts.err : null
  return error instanceof Error ? `${error.name}: ${error.message}` : ''
}

function referenceIn(data: object): string {
  for (const field of ['merchant_transaction_id', 'external_reference', 'payout_reference', 'reference']) {
    if (field in data) {
      return String(Object.entries(data).find(([name]) => name === field)?.[1])
    }
  }

  return '?'
}

/** Random values that depend only on the task and on how many it has drawn: they are equal in every order. */
function createRandomness() {
  const counts = new Map<string, number>()

  const next = () => {
    const task = currentTask()
    const count = counts.get(task) ?? 0
    counts.set(task, count + 1)
    return createHash('sha256').update(`${task} ${count}`).digest()
  }

  return {
    token: () => next().subarray(0, 18).toString('base64url'),
    uuid: () =>
      next()
        .toString('hex')
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5'),
    fraction: () => 0.5,
  }
}
