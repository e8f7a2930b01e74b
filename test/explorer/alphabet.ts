/** The letters of a story: what the shopper, the merchant, the operator and the world can do in a state. */

import type { Given, Subject, Verbs } from './machine.ts'
import type { ShelvedEvent, State } from './state.ts'
import type { Thing } from './truth.ts'
import { limitsOf, resolve, standingOf } from './machine.ts'
import { withTrouble } from './state.ts'
import {
  DAY,
  FORGETS_AFTER_MS,
  HOUR,
  isLagging,
  LAG_MS,
  LONGEST_MOVE_MS,
  moved,
  MINUTE,
  nextMoney,
  SECOND,
} from './truth.ts'

export interface Letter {
  name: string
  /** Changes the world before the server acts. */
  world?: (state: State) => State
  /** What the server is asked to do. */
  server?: (verbs: Verbs) => Promise<unknown>
  /** What a press or a request got is of interest to the invariants. */
  isStart?: boolean
}

/** The letters that not every exploration has. */
export type Extra =
  | 'money' // all that can happen to money; without it, only what pays at once
  | 'decide'
  | 'give up'
  | 'change'
  | 'clock'
  | 'forget'
  | 'restore'
  | 'rotate'
  | 'sweep'

export function lettersOf(state: State, subject: Subject, extras: ReadonlySet<Extra>): Letter[] {
  return [
    ...starts(state, subject),
    ...state.rows.map(query),
    ...moves(state, extras),
    ...ofMerchant(state, extras),
    ...ofOperator(state, extras),
    ...ofWorld(state, extras),
    wait(state),
  ]
}

export function isOrder(subject: Subject): boolean {
  return subject === 'hosted' || subject === 'splits' || subject === 'prompt'
}

/** No story has more attempts of an order. */
const MOST_ATTEMPTS = 5

export function starts(state: State, subject: Subject): Letter[] {
  // Each request takes a second.
  const later = (next: State) => ({ ...next, now: next.now + SECOND })
  if (!isOrder(subject))
    return [{ name: 'request', world: later, server: (verbs) => verbs.request(), isStart: true }]
  if (Math.max(state.rows.length, state.things.length) >= MOST_ATTEMPTS) return []
  return [{ name: 'press', world: later, server: (verbs) => verbs.press(), isStart: true }]
}

export function query({ id }: { id: string }, place: number): Letter {
  return { name: `query ${nameAt(place)}`, server: (verbs) => verbs.query(id) }
}

function nameAt(place: number): string {
  return 'ABCDEFGH'.charAt(place)
}

function moves(state: State, extras: ReadonlySet<Extra>): Letter[] {
  return state.things.flatMap((thing, place) =>
    nextMoney(thing, state.now)
      .filter((money) => extras.has('money') || money === 'full')
      .map((money) => ({
        name: `${nameAt(place)} is ${money}`,
        world: (before: State) => moveMoney(before, thing, money),
      })),
  )
}

function moveMoney(state: State, thing: Thing, money: Thing['money']): State {
  const next = put(state, moved(thing, money, state.now))
  if (money === 'stuck') return withTrouble(next, 'money is stuck')
  if (money === 'part') return withTrouble(next, 'a part was paid')
  return next
}

function put(state: State, thing: Thing): State {
  return { ...state, things: state.things.map((each) => (each.reference === thing.reference ? thing : each)) }
}

function ofMerchant(state: State, extras: ReadonlySet<Extra>): Letter[] {
  const letters: Letter[] = []
  const event = nextEvent(state)
  if (event) letters.push({ name: `accept ${event.type}`, server: (verbs) => verbs.accept(event) })
  const waiting = state.events.filter(({ finish }) => finish === null)
  if (extras.has('give up') && waiting.length > 0)
    letters.push({
      name: 'the backend is away for 5 days',
      world: (before) => ({ ...before, now: before.now + 5 * DAY + HOUR }),
      server: async (verbs) => waiting.forEach(({ id }) => verbs.giveUp(id)),
    })
  if (!extras.has('decide')) return letters
  const decidable = state.rows.filter((row) => standingOf(row).confirmation !== null)
  for (const { reference } of decidable)
    for (const status of ['SUCCESSFUL', 'FAILED'] as const)
      letters.push({ name: `decide ${status}`, server: (verbs) => verbs.decide(reference, status) })
  return letters
}

/** Events are delivered in order. */
export function nextEvent({ events }: State): ShelvedEvent | undefined {
  return events.find(({ finish }) => finish === null)
}

function ofOperator(state: State, extras: ReadonlySet<Extra>): Letter[] {
  const letters: Letter[] = []
  const once = (name: Extra, letter: Omit<Letter, 'name'> & { name?: string }) => {
    if (extras.has(name) && !state.used[name]) letters.push({ name, ...letter })
  }
  if (state.rows.length > 0) {
    once('restore', { name: 'restore a backup from before', world: restore })
    once('rotate', { name: 'rotate the secret', world: rotate })
  }
  const isOld = state.rows.some(({ due_at }) => due_at === null)
  if (extras.has('sweep') && isOld) letters.push({ name: 'sweep', server: async (verbs) => verbs.sweep() })
  if (resolve !== null)
    for (const [place, row] of state.rows.entries())
      if (standingOf(row).isForPerson)
        letters.push({
          name: `resolve ${nameAt(place)}`,
          server: (verbs) => resolve?.(verbs, row) ?? Promise.resolve(),
        })
  return letters
}

const use = (state: State, name: Extra): State => ({ ...state, used: { ...state.used, [name]: 1 } })

/** The backup has nothing of the story. The merchant remembers what it was told. */
function restore(state: State): State {
  const told = state.events.flatMap(({ type, finish }) => (finish === 'delivered' ? [type] : []))
  const restored = { ...state, rows: [], events: [], recoveredAt: state.now, toldBefore: told }
  return withTrouble(use(restored, 'restore'), 'the store was restored')
}

/** By the book: the previous value is removed after a month. */
function rotate(state: State): State {
  return withTrouble(use({ ...state, secrets: ['the second secret'] }, 'rotate'), 'the secret was rotated')
}

function ofWorld(state: State, extras: ReadonlySet<Extra>): Letter[] {
  const letters: Letter[] = []
  if (extras.has('change') && !state.used['change'])
    letters.push({
      name: 'the order changes',
      world: (before) => use({ ...before, amount: '2000' }, 'change'),
    })
  if (extras.has('clock')) letters.push(...ofClock(state))
  if (!extras.has('forget')) return letters
  for (const [place, thing] of state.things.entries())
    if (mayForget(thing, state.now))
      letters.push({
        name: `the gateway forgets ${nameAt(place)}`,
        world: (before) => put(before, { ...thing, isForgotten: true }),
      })
  return letters
}

const AHEAD_MS = 40 * MINUTE

function ofClock(state: State): Letter[] {
  if (state.ahead !== 0)
    return [
      {
        name: 'our clock is right again',
        world: (before) => ({ ...before, ahead: 0 }),
        server: async (verbs) => verbs.correctClock(),
      },
    ]
  if (state.used['clock']) return []
  const wrong = (ahead: number) => (before: State) =>
    withTrouble(use({ ...before, ahead }, 'clock'), 'a clock was wrong')
  return [
    { name: 'our clock is 40 minutes ahead', world: wrong(AHEAD_MS) },
    { name: 'our clock is 40 minutes behind', world: wrong(-AHEAD_MS) },
  ]
}

/** A gateway may forget what has long ended. */
function mayForget({ isForgotten, money, changedAt, expiresAt }: Thing, now: number): boolean {
  const isOver = now >= Math.max(changedAt, expiresAt) + FORGETS_AFTER_MS
  return !isForgotten && isOver && money !== 'moving' && money !== 'stuck' && money !== 'part'
}

/** Time passes to the next limit that a rule or the truth reads, and nobody acts. */
export function wait(state: State): Letter {
  return { name: 'wait', world: (before) => ({ ...before, now: nextLimit(state) }) }
}

/** Limits that are closer than this are passed at once. */
const TOGETHER_MS = 5 * SECOND
const LONGEST_WAIT_MS = 31 * DAY

/** Returns the time just after the next limit. */
export function nextLimit(state: State): number {
  const { now, ahead } = state
  const ofRules = state.rows.flatMap(limitsOf).map((at) => at - ahead)
  const ofTruth = state.things.flatMap((thing) => [
    ...(isLagging(thing, now) ? [thing.changedAt + LAG_MS] : []),
    thing.arrivedAt + LAG_MS,
    thing.expiresAt,
    Math.max(thing.expiresAt, thing.changedAt) + FORGETS_AFTER_MS,
    ...(thing.money === 'moving' ? [thing.expiresAt + LONGEST_MOVE_MS] : []),
  ])
  const ahead_ = [...ofRules, ...ofTruth].filter((at) => at + SECOND > now).toSorted((a, b) => a - b)
  const [first = now + LONGEST_WAIT_MS] = ahead_
  return (ahead_.findLast((at) => at <= first + TOGETHER_MS) ?? first) + SECOND
}

export type { Given }
