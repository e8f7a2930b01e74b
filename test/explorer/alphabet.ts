/** The letters of a story: what the shopper, the merchant, the operator and the world can do in a state. */

import { limitsOf, standingOf } from './machine.ts'
import { withTrouble } from './state.ts'
import {
  DAY,
  FORGETS_AFTER_MS,
  HOUR,
  isLagging,
  isPayable,
  LAG_MS,
  LONGEST_MOVE_MS,
  moved,
  MINUTE,
  nextMoney,
  paidAgain,
  SECOND,
} from './truth.ts'

import type { Transaction } from '../../server/store/transactions.ts'
import type { Subject, Verbs } from './machine.ts'
import type { ShelvedEvent, State } from './state.ts'
import type { Money, Thing } from './truth.ts'

export interface Letter {
  name: string
  /** Changes the world before the server acts. */
  world?: (state: State) => State
  /** What the server is asked to do. */
  server?: (verbs: Verbs) => Promise<unknown>
}

/** The letters, and the groups of letters, that an exploration can have. */
export type Part =
  | 'start' // a press, or a request
  | 'query'
  | 'wait'
  | 'accept'
  | 'full' // the money arrives at once
  | 'decline'
  | 'stuck' // the money is on its way, or stuck
  | 'part' // a part of the money arrives
  | 'return' // the money goes back
  | 'again' // what was reversed is paid again
  | 'late' // a payment of the last minute arrives after the session
  | 'money' // all that can happen to money
  | 'decide'
  | 'day' // a day passes
  | 'details' // reports say more of the same payments
  | 'contradict' // the gateway reports no payment any more
  | 'give up'
  | 'change'
  | 'clock'
  | 'forget'
  | 'disown'
  | 'back up'
  | 'restore'
  | 'rotate'
  | 'sweep'
  | 'resolve'

/** @param attempts The number of attempts of an order after which nobody presses any more. */
export function lettersOf(
  state: State,
  subject: Subject,
  parts: ReadonlySet<Part>,
  attempts: number,
): Letter[] {
  return [
    ...(parts.has('start') ? starts(state, subject, attempts) : []),
    ...(parts.has('query') ? state.rows.map(query) : []),
    ...moves(state, parts),
    ...ofMerchant(state, parts),
    ...ofOperator(state, parts),
    ...ofWorld(state, parts),
    ...(parts.has('wait') ? [wait(state, parts)] : []),
  ]
}

export function isOrder(subject: Subject): boolean {
  return subject === 'hosted' || subject === 'splits' || subject === 'prompt'
}

function starts(state: State, subject: Subject, attempts: number): Letter[] {
  if (!isOrder(subject)) {
    return [{ name: 'request', server: (verbs) => verbs.request() }]
  }
  if (Math.max(state.rows.length, state.things.length) >= attempts) {
    return []
  }
  return [{ name: 'press', server: (verbs) => verbs.press() }]
}

export function query({ id }: { id: string }, place: number): Letter {
  return { name: `query ${nameAt(place)}`, server: (verbs) => verbs.query(id) }
}

function nameAt(place: number): string {
  return 'ABCDEFGH'.charAt(place)
}

const MOVES: Partial<Record<Money, Part>> = {
  full: 'full',
  declined: 'decline',
  moving: 'stuck',
  stuck: 'stuck',
  part: 'part',
  reversed: 'return',
  refunded: 'return',
}

function isLate({ money: before, expiresAt }: Thing, money: Money, now: number): boolean {
  if (money === 'moving') {
    return now >= expiresAt - LAST_PART_MS && now < expiresAt
  }
  return before === 'moving' && money === 'full' && now >= expiresAt
}

function moves(state: State, parts: ReadonlySet<Part>): Letter[] {
  return state.things.flatMap((thing, place) =>
    nextMoney(thing, state.now)
      .filter(
        (money) =>
          parts.has('money') ||
          parts.has(MOVES[money] ?? 'money') ||
          (parts.has('late') && isLate(thing, money, state.now)),
      )
      .map((money) => ({
        name: `${nameAt(place)} is ${money}`,
        world: (before: State) => moveMoney(before, thing, money),
      })),
  )
}

function moveMoney(state: State, thing: Thing, money: Thing['money']): State {
  const next = put(state, moved(thing, money, state.now))
  if (money === 'stuck') {
    return withTrouble(next, 'money is stuck')
  }
  if (money === 'part') {
    return withTrouble(next, 'a part was paid')
  }
  return next
}

function put(state: State, thing: Thing): State {
  return { ...state, things: state.things.map((each) => (each.reference === thing.reference ? thing : each)) }
}

function ofMerchant(state: State, parts: ReadonlySet<Part>): Letter[] {
  const letters: Letter[] = []
  const event = nextEvent(state)
  if (event && parts.has('accept')) {
    letters.push({ name: `accept ${event.type}`, server: (verbs) => verbs.accept(event) })
  }

  const waiting = state.events.filter(({ finish }) => finish === null)
  if (parts.has('give up') && waiting.length > 0) {
    letters.push({
      name: 'the backend is away for 5 days',
      world: (before) => ({ ...before, now: before.now + 5 * DAY + HOUR }),
      server: async (verbs) => waiting.forEach(({ id }) => verbs.giveUp(id)),
    })
  }
  if (!parts.has('decide')) {
    return letters
  }

  const decidable = state.rows.filter((row) => standingOf(row).confirmation !== null)
  for (const { reference } of decidable) {
    for (const status of ['SUCCESSFUL', 'FAILED'] as const) {
      letters.push({
        name: `decide ${status}`,
        server: (verbs) => verbs.decide(reference, status),
      })
    }
  }

  return letters
}

/** Events are delivered in order. */
export function nextEvent({ events }: State): ShelvedEvent | undefined {
  return events.find(({ finish }) => finish === null)
}

function ofOperator(state: State, parts: ReadonlySet<Part>): Letter[] {
  const letters: Letter[] = []

  const once = (name: Part, letter: Omit<Letter, 'name'> & { name?: string }) => {
    if (parts.has(name) && !state.used[name]) {
      letters.push({ name, ...letter })
    }
  }

  if (state.rows.length > 0) {
    once('back up', { name: 'back up', world: backUp })
    once('restore', { name: 'restore the backup', world: restore })
    once('rotate', { name: 'rotate the secret', world: rotate })
  }

  const isOld = state.rows.some(({ due_at }) => due_at === null)
  if (parts.has('sweep') && isOld) {
    letters.push({ name: 'sweep', server: async (verbs) => verbs.sweep() })
  }

  const isStuck = (row: Transaction) => standingOf(row).isForPerson
  // The support does not say that nothing was paid while it can be paid. What is on its way, it may take for nothing.
  const isOver = state.things.every((thing) => !isPayable(thing, state.now))
  if (parts.has('resolve') && isOver) {
    for (const [place, row] of state.rows.entries()) {
      if (isStuck(row)) {
        letters.push({
          name: `resolve ${nameAt(place)}`,
          world: (before) => resolveThing(before, row),
          server: (verbs) => verbs.resolve(row),
        })
      }
    }
  }
  return letters
}

function resolveThing(state: State, { reference }: Transaction): State {
  const thing = state.things.find((each) => each.reference === reference)
  return thing ? put(state, { ...thing, isResolved: true }) : state
}

const use = (state: State, name: Part): State => ({ ...state, used: { ...state.used, [name]: 1 } })

/** How long the server is down until the backup is in place: no answer lags any more. */
const RESTORE_MS = 10 * MINUTE

function backUp(state: State): State {
  const { rows, events } = state
  return use({ ...state, backup: { rows, events } }, 'back up')
}

/**
 * Without a backup in the story, it is one from before. The merchant remembers what it was told. A decision that never
 * arrived at the gateway is lost.
 */
function restore(state: State): State {
  const { rows, events } = state.backup ?? { rows: [], events: [] }
  const told = state.events.flatMap(({ type, finish }) => (finish === 'delivered' ? [type] : []))
  const now = state.now + RESTORE_MS
  const recovered = rows.map((row) => ({ ...row, recovered_at: now }))
  const arrived = state.things.filter(({ decisions }) => decisions.length > 0)
  const isArrived = ([name]: [string, string]) => arrived.some(({ reference }) => reference === name)
  const said = Object.fromEntries(Object.entries(state.said).filter(isArrived))
  const restored = { ...state, now, rows: recovered, events, said, recoveredAt: now, toldBefore: told }
  return withTrouble(use({ ...restored, backup: null }, 'restore'), 'the store was restored')
}

/** By the book: the previous value is removed after a month. */
function rotate(state: State): State {
  return withTrouble(use({ ...state, secrets: ['the second secret'] }, 'rotate'), 'the secret was rotated')
}

function ofWorld(state: State, parts: ReadonlySet<Part>): Letter[] {
  const letters: Letter[] = []
  if (parts.has('change') && !state.used['change']) {
    letters.push({
      name: 'the order changes',
      world: (before) => use({ ...before, amount: '2000' }, 'change'),
    })
  }
  if (parts.has('clock')) {
    letters.push(...ofClock(state))
  }

  if (parts.has('day')) {
    letters.push({ name: 'a day passes', world: (before) => ({ ...before, now: before.now + DAY + HOUR }) })
  }

  for (const [place, thing] of state.things.entries()) {
    letters.push(...laterReports(state, parts, thing, nameAt(place)))
    const world = (before: State) => put(before, { ...thing, isForgotten: true })
    const row = state.rows.find(({ reference }) => reference === thing.reference)
    const isSeen = row !== undefined && standingOf(row).settled
    if (parts.has('forget') && mayForget(thing, state.now)) {
      letters.push({
        name: `the gateway forgets ${nameAt(place)}`,
        world: isSeen
          ? world
          : (before) => withTrouble(world(before), 'nobody asked before the gateway forgot'),
      })
    }
    if (parts.has('disown') && !thing.isForgotten) {
      letters.push({
        name: `the gateway disowns ${nameAt(place)}`,
        world: (before) => withTrouble(world(before), 'the gateway disowns what it has'),
      })
    }
  }

  return letters
}

/** What the gateway may say later of money that it has reported as paid. */
function laterReports(state: State, parts: ReadonlySet<Part>, thing: Thing, name: string): Letter[] {
  const { money, isPaidAgain, isDetailed, isContradicted } = thing
  const letters: Letter[] = []
  if (parts.has('again') && money === 'reversed') {
    letters.push({
      name: `${name} is paid again`,
      world(before) {
        const { [thing.reference]: _, ...said } = before.said
        const now = before.now + SECOND
        const next = { ...put(before, paidAgain(thing, now)), said, now }
        return withTrouble(next, 'money was paid again')
      },
    })
  }

  const isTold = money === 'full' && state.events.some(({ type }) => type === 'charge.succeeded')
  if (parts.has('details') && isTold && !isDetailed) {
    letters.push({
      name: `the gateway says more of ${name}`,
      world: (before) => put(before, { ...thing, isDetailed: true }),
    })
  }
  if (parts.has('contradict') && isTold && !isPaidAgain && !isContradicted) {
    letters.push({
      name: `the gateway reports no payment of ${name}`,
      // Later than answers lag.
      world(before) {
        const next = { ...put(before, { ...thing, isContradicted: true }), now: before.now + HOUR }
        return withTrouble(next, 'the gateway contradicts itself')
      },
    })
  }

  return letters
}

function forgottenFrom({ changedAt, expiresAt }: Thing): number {
  return Math.max(changedAt, expiresAt) + FORGETS_AFTER_MS
}

const AHEAD_MS = 40 * MINUTE

function ofClock(state: State): Letter[] {
  if (state.ahead !== 0) {
    return [
      {
        name: 'our clock is right again',
        world: (before) => ({ ...before, ahead: 0 }),
        server: async (verbs) => verbs.correctClock(),
      },
    ]
  }
  if (state.used['clock']) {
    return []
  }

  const wrong = (ahead: number) => (before: State) =>
    withTrouble(use({ ...before, ahead }, 'clock'), 'a clock was wrong')
  return [
    { name: 'our clock is 40 minutes ahead', world: wrong(AHEAD_MS) },
    { name: 'our clock is 40 minutes behind', world: wrong(-AHEAD_MS) },
  ]
}

/** A gateway may forget what has long ended. */
function mayForget(thing: Thing, now: number): boolean {
  const { isForgotten, money, chapter } = thing
  const isOpen = money === 'moving' || money === 'stuck' || money === 'part'
  const isUntouched = money === 'none' && (chapter === 'payout' || chapter === 'airtime')
  return !isForgotten && !isOpen && !isUntouched && now >= forgottenFrom(thing)
}

/** Time passes to the next limit that a rule or the truth reads, and nobody acts. */
function wait(state: State, parts: ReadonlySet<Part>): Letter {
  const now = nextLimit(state, parts)
  return { name: 'wait', world: (before) => ({ ...before, now }) }
}

/** Limits that are closer than this are passed at once. */
const TOGETHER_MS = 5 * SECOND
const LONGEST_WAIT_MS = 31 * DAY

/** Returns the time just after the next limit. */
function nextLimit({ now, ahead, rows, things }: State, parts: ReadonlySet<Part>): number {
  const limits = [
    ...rows.flatMap(limitsOf).map((at) => at - ahead),
    ...things.flatMap((thing) => limitsOfThing(thing, now)),
    ...(parts.has('forget') ? things.map(forgottenFrom) : []),
  ]
  const later = limits.filter((at) => at + SECOND > now).toSorted((a, b) => a - b)
  const [first = now + LONGEST_WAIT_MS] = later
  return (later.findLast((at) => at <= first + TOGETHER_MS) ?? first) + SECOND
}

/** Before the end of a session, there is a last minute in which a shopper may pay. */
const LAST_PART_MS = MINUTE

function limitsOfThing(thing: Thing, now: number): number[] {
  const { changedAt, arrivedAt, expiresAt, chapter, money } = thing
  const ofAnswers = [arrivedAt + LAG_MS, ...(isLagging(thing, now) ? [changedAt + LAG_MS] : [])]
  if (chapter === 'payout' || chapter === 'airtime') {
    return ofAnswers
  }

  const ofMove = money === 'moving' ? [expiresAt + LONGEST_MOVE_MS] : []
  return [...ofAnswers, expiresAt - LAST_PART_MS, expiresAt, ...ofMove]
}
