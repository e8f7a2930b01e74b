/**
 * The server's side of the explorer: the verbs by which a letter of the alphabet reaches the rules, and what the rules
 * say of a row. Everything that knows how the server's core is put together is in this file, in `shelf.ts` (its store)
 * and in `gateway.ts` (its client).
 *
 * The verbs call the real shells (`initiate`, the submits of the API, the synchronizer with its commits,
 * `takeDecisionOnDelivery`), one after the other: what interleaves two processes is not explored here.
 */

import { submitAirtime } from '../../server/airtime/submit.ts'
import { submitCharge } from '../../server/charges/submit.ts'
import { initiate } from '../../server/checkouts/initiate.ts'
import { readConfig } from '../../server/config/config.ts'
import { Secret } from '../../server/config/secret.ts'
import { FEATURES } from '../../server/features.ts'
import { GatewayError } from '../../server/gateway/errors.ts'
import { loadKind } from '../../server/load-kind.ts'
import { silentLog } from '../../server/log/log.ts'
import { trackedFulfilmentOf } from '../../server/payins/fulfilment.ts'
import { takeDecision, takeDecisionOnDelivery } from '../../server/payins/merchant-decision.ts'
import { LONGEST_IN_FLIGHT_MS } from '../../server/payins/outcome.ts'
import { submitPayout } from '../../server/payouts/submit.ts'
import { createFingerprints } from '../../server/privacy/personal.ts'
import { StoreError } from '../../server/store/errors.ts'
import { accountOf } from '../../server/store/merchant.ts'
import { FOR_A_PERSON } from '../../server/store/transactions.ts'
import { Commits } from '../../server/transactions/commits.ts'
import { Kinds } from '../../server/transactions/kinds.ts'
import { lastSendOf } from '../../server/transactions/recovery.ts'
import {
  DAY,
  LAST_DEADLINE_MS,
  LAST_QUERY_AFTER_MS,
  MINUTE,
  SECOND,
  REPORT_LAG_MS,
} from '../../server/transactions/schedule.ts'
import { Sender } from '../../server/transactions/sender.ts'
import { Synchronizer } from '../../server/transactions/synchronizer.ts'
import { LEAST } from '../support/least-config.ts'
import { CHARGE } from '../support/worlds/chargeable.ts'
import { PAYOUTS } from '../support/worlds/payable.ts'
import { Gateway } from './gateway.ts'
import { Shelf } from './shelf.ts'

import type { Visit } from '../../server/checkouts/record.ts'
import type { Config } from '../../server/config/config.ts'
import type { Fingerprints } from '../../server/privacy/personal.ts'
import type { Transaction } from '../../server/store/transactions.ts'
import type { Says } from '../../server/transactions/resolution.ts'
import type { Clock } from '../../server/work/clock.ts'
import type { Randomness } from '../../server/work/randomness.ts'
import type { Chooser } from './choice.ts'
import type { Manner } from './gateway.ts'
import type { ShelvedEvent, State } from './state.ts'

/** What the explorer follows: an order of a shopper, or a request of the merchant's backend. */
export type Subject = 'hosted' | 'splits' | 'prompt' | 'charge' | 'payout' | 'b2b' | 'airtime'

export const ORDER = 'A-1'
const PAYER = { name: 'Asha Otieno', email: 'asha@example.com', msisdn: '254700000001' }
const SPLITS = [{ account: 'PARTNER-001', amount: 100, reason: 'Cloth' }]
const VISIT: Visit = {
  launch: 'redirect',
  return_url: null,
  is_order_url: false,
  links: [],
  origin: null,
  lang: null,
  order_digests: [],
}
/** The only phone number that anybody asked to pay. */
export const PHONE = '254700000001'
const AIRTIME = { reference: 'T-1', recipients: [{ phone_number: '254700000001', amount: '100' }] }

const kinds = new Kinds(
  FEATURES.flatMap(({ kind }) => kind ?? []),
  loadKind,
)

/** What a press or a request gets. */
export interface Given {
  kind: string
  /** The code of a refusal. */
  code: string | null
}

/** What the rules say of a row, or of the recipient of airtime. */
export interface Standing {
  outcome: string
  settled: boolean
  /** Whether a person has to look. */
  isForPerson: boolean
  /** Whether the money of a paid service waits for the merchant's decision, or for the gateway to take it. */
  confirmation: string | null
}

export class Machine {
  readonly #shelf = new Shelf()
  readonly #gateway = new Gateway()
  readonly #config: Config
  readonly #servers = new Map<string, Server>()

  constructor() {
    this.#config = readConfig({
      ...LEAST,
      CHECKOUT_EXPIRES_MINUTES: '10',
      GATEWAY_CHARGE_PATH: '/v1/charges',
      GATEWAY_CHARGE_METHODS: 'MOMO_KEN=MoMo:25470',
    })
  }

  /** Runs `work` on a state. Resolves with the state after it, even if the store failed meanwhile. */
  async step(
    state: State,
    subject: Subject,
    { chooser, manner }: { chooser: Chooser; manner: Manner },
    work: (verbs: Verbs) => Promise<unknown>,
  ): Promise<State> {
    const shelf = this.#shelf
    const gateway = this.#gateway
    const server = this.#serverOf(state, manner.isById)
    shelf.load(state)
    gateway.begin({
      state,
      chooser,
      manner,
      queryMeanwhile: async (reference) => {
        const row = shelf.contents().rows.find((each) => each.reference === reference)
        if (row) {
          await server.other.synchronize(row.id, 'probe')
        }
      },
      sendStoreAway: () => void (shelf.isAway = true),
    })
    try {
      await work(verbsOf(subject, server, shelf, gateway))
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error
      }
    }

    return afterSend(withErasedFacts(state, { ...gateway.state, ...shelf.contents() }))
  }

  #serverOf(state: State, isById: boolean): Server {
    const name = `${state.secrets.join(' ')} ${isById}`
    const known = this.#servers.get(name)
    if (known) {
      return known
    }

    const [first, ...others] = state.secrets
    const fingerprints = createFingerprints([new Secret(first), ...others.map((each) => new Secret(each))])
    const server = this.#createServer(fingerprints, isById)
    this.#servers.set(name, server)
    return server
  }

  #createServer(fingerprints: Fingerprints, isById: boolean) {
    const shelf = this.#shelf
    const gateway = this.#gateway
    const config = this.#config
    const clock: Clock = {
      now: () => gateway.state.now + gateway.state.ahead,
      // A pause passes at once. A deadline, which has a signal, never comes: no call of a step takes long.
      async sleep(ms, signal) {
        if (signal) {
          await new Promise(() => {})
        }

        gateway.state = { ...gateway.state, now: gateway.state.now + ms }
      },
    }
    const randomness = {
      uuid: () => `uuid ${shelf.nextSerial()}`,
      token: () => `t${shelf.nextSerial()}`,
      fraction: () => 0.5,
    }
    const queries = {
      admit: () => true,
      isAway: () => false,
      admitUnstored: async () => true,
      postpone: () => false,
      promote: () => false,
      onBack: () => {},
      waiting: 0,
      perSecond: 100,
    }
    const shared = {
      // The shelf has the methods that the rules call, and the synchronizer needs only these of the queue.
      store: shelf.store as unknown as Server['store'],
      queries: queries as unknown as Server['queries'],
      account: accountOf(config),
      client: gateway.clientOf(isById),
      config,
      clock,
      log: silentLog,
      metrics: undefined,
      randomness,
      fingerprints,
      zone: null,
      kinds,
      callbacks: { urlOf: (chapter: string) => `https://pay.shop.example/callbacks/${chapter}/x` },
    }
    const { sender, synchronizer } = createProcess(shared)
    return { ...shared, sender, synchronizer, other: createProcess(shared).synchronizer }
  }
}

/** One process of the server, with its own sends and queries in flight. */
function createProcess(deps: SynchronizerDeps) {
  const commits = new Commits(deps)
  const sender = new Sender(deps, commits)
  return { sender, synchronizer: new Synchronizer(deps, commits, sender) }
}

/** The merchant remembers the events that it accepted, also once they are deleted. */
function withErasedFacts(before: State, after: State): State {
  const kept = new Set(after.events.map(({ id }) => id))
  const erased = before.events.filter(({ id, finish }) => finish === 'delivered' && !kept.has(id))
  if (erased.length === 0) {
    return after
  }
  return { ...after, toldBefore: [...new Set([...after.toldBefore, ...erased.map(({ type }) => type)])] }
}

/** A request takes a second: what follows does not have the same time. */
function afterSend(state: State): State {
  const { now, ahead, rows } = state
  return rows.some(({ sent_at }) => sent_at === now + ahead) ? { ...state, now: now + SECOND } : state
}

type SynchronizerDeps = ConstructorParameters<typeof Synchronizer>[0]
type Server = Omit<SynchronizerDeps, 'config' | 'randomness'> & {
  config: Config
  randomness: Randomness
  sender: Sender
  synchronizer: Synchronizer
  /** Another process of the server. */
  other: Synchronizer
  callbacks: { urlOf: (chapter: string) => string }
}

export type Verbs = ReturnType<typeof verbsOf>

function verbsOf(subject: Subject, server: Server, shelf: Shelf, gateway: Gateway) {
  const state = () => gateway.state
  return {
    /** The shopper presses the button of the order. */
    async press(): Promise<Given> {
      const order = {
        order: ORDER,
        amount: state().amount,
        currency: 'KES',
        narration: 'Two kangas',
        ...(subject === 'splits' && { splits: SPLITS }),
      }
      const prompt = subject === 'prompt' ? { method: undefined, network: null } : null
      const given = await initiate(server, { ...order, payer: PAYER }, { payer: PAYER, visit: VISIT, prompt })
      return { kind: given.kind, code: 'code' in given ? given.code : null }
    },

    /** The merchant's backend requests a charge, a payout or airtime, or repeats the request. */
    async request(): Promise<Given> {
      const given = await submitted()
      return { kind: given.kind, code: 'code' in given ? given.code : null }
    },

    /**
     * The decision about the row is sent, if one is to be sent, however soon after the last time. Without an answer to it,
     * the status of the row is queried, for any reason.
     */
    async query(id: string): Promise<void> {
      const row = shelf.contents().rows.find((each) => each.id === id)
      const sent = row ? await server.sender.sendDecision(row) : null
      if (!sent?.isAnswered) {
        await server.synchronizer.synchronize(id, 'probe')
      }
    },

    /** The worker looks at the row if it is due. */
    work: (id: string) => server.synchronizer.synchronize(id, 'due'),

    /** The merchant's backend accepts an event. */
    async accept({ id, transactionId, type, at, received }: ShelvedEvent): Promise<void> {
      const body = JSON.stringify({ data: { amount_paid: received } })
      const event = { id, type, about: '', transaction_id: transactionId, body, sequence: 0 }
      const unread = { trace_id: null, created_at: at, failures: 0, finish: null, due_at: 0 }
      try {
        await takeDecisionOnDelivery(server, { ...event, ...unread, last_status: null, last_answer: null })
      } catch (error) {
        if (!(error instanceof GatewayError)) {
          throw error
        }
        // It is delivered again later.
        return
      }

      shelf.finish(id, 'delivered')
    },

    giveUp: (id: string) => shelf.finish(id, 'given_up'),

    async decide(reference: string, status: 'SUCCESSFUL' | 'FAILED'): Promise<void> {
      const given = await takeDecision(server, reference, { status, narration: 'A decision.' })
      if (given.kind === 'decided') {
        gateway.state = { ...state(), said: { ...state().said, [reference]: status } }
      }
    },

    /** A person records what the gateway's support said: the truth. */
    async resolve({ id, kind, record }: Transaction): Promise<void> {
      const at = server.clock.now()
      const resolution = { says: saidOf(state()), by: 'Asha', note: 'Ticket 1.', at }
      const parts = kind === 'airtime' ? fingerprintsIn(record) : [null]
      for (const part of parts) {
        await server.synchronizer.applyWithoutQuery<Transaction, object, unknown>(kinds.of(kind), id, {
          kind: 'resolved',
          resolution,
          part,
        })
      }
    },

    sweep: () => shelf.erasePersonal(server.clock.now()),
    correctClock: () => shelf.correctFutureTimes(server.clock.now()),
  }

  async function submitted() {
    switch (subject) {
      case 'charge':
        return submitCharge(server, { ...CHARGE, amount: 1500 }, null)
      case 'payout':
        return submitPayout(server, 'local', PAYOUTS.local, null)
      case 'b2b':
        return submitPayout(server, 'b2b', PAYOUTS.b2b, null)
      case 'airtime':
        return submitAirtime(server, AIRTIME, new AbortController().signal, null)
      case 'hosted':
      case 'splits':
      case 'prompt':
        throw new Error('A shopper presses.')
    }
  }
}

/** What became of the money, as the gateway's support says it. */
function saidOf({ things }: State): Says {
  if (things.some(({ money }) => money === 'full')) {
    return 'paid'
  }
  return things.some(({ money }) => money === 'reversed' || money === 'refunded') ? 'returned' : 'not_paid'
}

function fingerprintsIn(record: unknown): string[] {
  const recipients = fieldOf(record, 'recipients')
  if (!Array.isArray(recipients)) {
    throw new Error('The record has no recipients.')
  }
  return recipients.map((recipient) => String(fieldOf(recipient, 'fingerprint')))
}

/** Returns whether the gateway has neither acknowledged nor refused the transaction. */
export function isUnacknowledged(row: Transaction): boolean {
  return kinds.of(row.kind).read(row).record.phase === 'intended'
}

/** Returns what the rules say of a row. */
export function standingOf(row: Transaction): Standing {
  const kind = kinds.of(row.kind)
  const stored = kind.read(row)
  const outcome = kind.outcomeOf(stored)
  const { stage } = kind.progressOf(stored)
  const confirmation = kind.confirmationOf?.(stored) ?? null
  return {
    outcome,
    settled: stage === 'settled' || stage === 'ended',
    isForPerson: FOR_A_PERSON.some((each) => each === outcome) || hasAlarm(row),
    confirmation: confirmation && trackedFulfilmentOf(confirmation, null).stage,
  }
}

/** Returns whether an alarm stands, which the outcome of a checkout does not show. What a person resolved has none. */
function hasAlarm(row: Transaction): boolean {
  return row.kind === 'checkout' && !hasResolution(row) && (fieldOf(row.record, 'alarm') ?? null) !== null
}

/** Returns whether what a person said of a row still counts. */
export function hasResolution({ record }: Transaction): boolean {
  return (fieldOf(record, 'resolution') ?? null) !== null
}

/** Returns the times at which a rule may read a row otherwise than before, by the server's clock. */
export function limitsOf(row: Transaction): number[] {
  const { created_at, updated_at } = row
  const since = lastSendOf(row) ?? created_at
  const isSession = row.kind === 'checkout' || row.kind === 'charge'
  return [
    since + 2 * MINUTE,
    since + DAY,
    since + LAST_DEADLINE_MS,
    updated_at + LAST_QUERY_AFTER_MS,
    ...(isSession ? sessionLimitsOf(row) : []),
  ]
}

/** Returns the end of the session, of its grace, and of the longest time in flight. */
export function sessionLimitsOf({ record, created_at }: Transaction): number[] {
  const end = expiryIn(record) ?? created_at + DAY
  return [end, end + REPORT_LAG_MS, end + LONGEST_IN_FLIGHT_MS]
}

/** Reads the end of a session from the record of a checkout or a charge; `null` if there is none yet. */
function expiryIn(record: unknown): number | null {
  const session = fieldOf(record, 'session')
  const answer = fieldOf(record, 'answer')
  const end = fieldOf(session, 'expires_at') ?? fieldOf(answer, 'expires_at')
  if (typeof end === 'number') {
    return end
  }
  return typeof end === 'string' ? Date.parse(end) : null
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
