/** What no story may contain. */

import { MAX_UNKNOWN_IN_A_ROW } from '../../server/checkouts/plan.ts'
import { isOrder } from './alphabet.ts'
import { hasResolution, PHONE, standingOf } from './machine.ts'
import { DAY, isHeld, isLagging, isPayable } from './truth.ts'

import type { Transaction } from '../../server/store/transactions.ts'
import type { Given, Subject } from './machine.ts'
import type { ShelvedEvent, State } from './state.ts'
import type { Thing } from './truth.ts'

/** The name of the invariant, and what breaks it. */
export interface Breach {
  invariant: string
  what: string
}

const PAID = ['paid', 'paid_late', 'succeeded']
const WITHOUT_MONEY = ['failed', 'unpaid', 'expired']
const RETURNED = ['reversed', 'refunded']
const ENDED = ['unpaid', 'expired', 'failed', 'partial', 'reversed', 'refunded']
const ALARMS = ['needs_attention', 'review']
/** Facts that are told once of a transaction. */
const ONCE = [...PAID, 'failed', 'unpaid', 'expired']

export const outcomeIn = ({ type }: Pick<ShelvedEvent, 'type'>) => type.slice(type.indexOf('.') + 1)

/** Returns what a step has broken. */
export function breachesOf(before: State, after: State, subject: Subject): Breach[] {
  const always = sentTwice(after, subject)
  // Of what was declined by a lie, another is sent.
  if (after.troubles.includes('the gateway lies')) {
    return [...always]
  }

  const rings = subject === 'prompt' ? twoWays(before, after) : []
  if (isLying(after)) {
    return [...always, ...rings]
  }

  return [
    ...always,
    ...(isOrder(subject) ? twoWays(before, after) : []),
    ...after.events
      .slice(before.events.length)
      .flatMap((event, index) => [
        ...wronglyTold(event, after.events.slice(0, before.events.length + index), after),
        ...toldToServe(event, before),
      ]),
    ...lostReplays(before, after),
    ...undecided(before, after),
    ...overruled(before, after),
    ...forgotten(before, after),
    ...reopened(before, after),
    ...strangers(after),
  ]
}

function isLying({ troubles }: State): boolean {
  return troubles.includes('the gateway lies') || troubles.includes('the gateway disowns what it has')
}

/** What the gateway does not recognize as a repetition, it does twice. */
function* sentTwice({ things }: State, subject: Subject): Generator<Breach> {
  const isSentOnce = subject !== 'hosted' && subject !== 'payout' && subject !== 'b2b'
  if (isSentOnce && things.some(({ arrivals }) => arrivals > 1)) {
    yield { invariant: 'nothing once is sent twice', what: `the ${subject} arrived twice` }
  }
}

/** An order is not payable in two ways, nor while money for it is or may be at the gateway. */
function* twoWays(before: State, { things, rows, now }: State): Generator<Breach> {
  // A person's word counts, until the gateway can be heard to say otherwise.
  const isResolved = (thing: Thing) =>
    thing.isResolved ||
    (isLagging(thing, now) && rows.some((row) => row.reference === thing.reference && hasResolution(row)))
  const isOpen = (thing: Thing) => (isHeld(thing) && !isResolved(thing)) || isPayable(thing, now)
  const wasOpen = (thing: Thing) =>
    before.things.some((each) => each.reference === thing.reference && isOpen(each))
  const open = things.filter(isOpen)
  if (open.length < 2 || open.every(wasOpen)) {
    return
  }

  const states = open.map((thing) => (isHeld(thing) ? `has ${thing.money} money` : 'can be paid'))
  yield { invariant: 'no second way to pay', what: states.join(', and another ') }
}

function* wronglyTold(
  event: ShelvedEvent,
  earlier: readonly ShelvedEvent[],
  state: State,
): Generator<Breach> {
  const outcome = outcomeIn(event)
  const own = earlier.filter(
    ({ transactionId, about }) => transactionId === event.transactionId && about === event.about,
  )
  const told = own.map(outcomeIn)
  const row = state.rows.find(({ id }) => id === event.transactionId)
  const thing = state.things.find(({ reference }) => reference === row?.reference)
  if (PAID.includes(outcome) && !wasFull(thing)) {
    yield { invariant: 'no paid without money', what: `${event.type}, and the money is ${thing?.money}` }
  }
  if (PAID.includes(outcome) && thing?.money !== 'full' && told.some((each) => RETURNED.includes(each))) {
    yield { invariant: 'what went back is not paid again', what: `${event.type} after ${told.join(', ')}` }
  }
  if (WITHOUT_MONEY.includes(outcome) && thing?.isShown && isHeld(thing)) {
    yield { invariant: 'money does not vanish', what: `${event.type}, and there is ${thing.money} money` }
  }
  const isAlarmed = ALARMS.includes(told.at(-1) ?? '')
  if (ONCE.includes(outcome) && told.includes(outcome) && !(outcome === 'failed' && isAlarmed)) {
    yield { invariant: 'one id per fact', what: `${event.type} twice` }
  }

  const hasCause =
    state.troubles.length > 0 || told.some((each) => ENDED.includes(each)) || isLong(row, thing, state)
  if (ALARMS.includes(outcome) && !hasCause) {
    yield {
      invariant: 'no alarm where nothing is wrong',
      what: `${event.type}, and the money is ${thing?.money}`,
    }
  }
}

/** Who had refused a service before is not told to provide it. What was paid late is for a person. */
function* toldToServe(event: ShelvedEvent, { rows, said }: State): Generator<Breach> {
  const row = rows.find(({ id }) => id === event.transactionId)
  const outcome = outcomeIn(event)
  if (row && said[row.reference] === 'FAILED' && PAID.includes(outcome) && outcome !== 'paid_late') {
    yield { invariant: 'who refuses a service is not told to provide it', what: event.type }
  }
}

function wasFull(thing: Thing | undefined): boolean {
  return (
    thing !== undefined &&
    (thing.money === 'full' || thing.money === 'reversed' || thing.money === 'refunded')
  )
}

/** What has no end until then needs a person. */
const LONGEST_OPEN_MS = 30 * DAY
/** What could not be sent until then is not sent any more, and needs a person. */
const LONGEST_UNSENT_MS = DAY

function isLong(row: Transaction | undefined, thing: Thing | undefined, { now }: State): boolean {
  const age = row === undefined ? 0 : now - row.created_at
  const isUnsent = row?.sent_at === null && age >= LONGEST_UNSENT_MS
  return isUnsent || age >= LONGEST_OPEN_MS || (thing?.money === 'moving' && now >= thing.expiresAt)
}

/**
 * Only the merchant decides about a service: through the API, whose last word counts, or by accepting the event about
 * money that has not gone back since, as far as the merchant can know.
 */
function* undecided(before: State, after: State): Generator<Breach> {
  for (const thing of after.things) {
    const earlier = before.things.find(({ reference }) => reference === thing.reference)?.sent ?? []
    const said = after.said[thing.reference]
    const isBackTold = thing.isPaidAgain && after.events.some(({ type }) => type === 'charge.reversed')
    const isAccepted = after.events.some(
      ({ type, finish, at }) =>
        finish === 'delivered' && CONFIRMING.includes(type) && !(isBackTold && at < thing.changedAt),
    )
    const decision = said ?? (isAccepted ? 'SUCCESSFUL' : undefined)
    const others = thing.sent.filter((each) => !earlier.includes(each) && each !== decision)
    if (others[0] !== undefined) {
      yield {
        invariant: 'only the merchant decides about a service',
        what: `${others[0]} is sent, and the merchant said ${decision ?? 'nothing'}`,
      }
    }
  }
}

/** About what the gateway has taken a decision, no other one is sent, unless the gateway has said that it took none. */
function* overruled(before: State, after: State): Generator<Breach> {
  if (after.recoveredAt !== null || after.troubles.includes('a refusal followed an arrival')) {
    return
  }

  for (const { reference, decisions, sent } of before.things) {
    const thing = after.things.find((each) => each.reference === reference)
    const others = thing?.sent.filter((each) => !sent.includes(each) && !decisions.includes(each)) ?? []
    if (decisions.length > 0 && !thing?.isPaidAgain && others[0] !== undefined) {
      yield { invariant: 'what was taken is not overruled', what: `${others[0]} after ${decisions.join()}` }
    }
  }
}

/** What the merchant has decided is not forgotten before the money goes back. */
function* forgotten(before: State, after: State): Generator<Breach> {
  for (const row of after.recoveredAt === before.recoveredAt ? after.rows : []) {
    const earlier = before.rows.find(({ id }) => id === row.id)
    const stage = earlier && standingOf(earlier).confirmation
    const thing = after.things.find(({ reference }) => reference === row.reference)
    const isThere = thing !== undefined && isHeld(thing) && !thing.isPaidAgain
    if (isThere && stage && stage !== 'open' && standingOf(row).confirmation === 'open') {
      yield { invariant: 'a decision is not forgotten', what: `it was ${stage}` }
    }
  }
}

/** What a person has resolved asks nobody again, while the gateway repeats its contradiction. */
function* reopened(before: State, after: State): Generator<Breach> {
  for (const row of after.rows) {
    const earlier = before.rows.find(({ id }) => id === row.id)
    const thing = after.things.find(({ reference }) => reference === row.reference)
    const isKnown = earlier !== undefined && hasResolution(earlier) && thing?.isContradicted
    if (isKnown && !hasResolution(row) && standingOf(row).isForPerson) {
      yield { invariant: 'what was resolved stays resolved', what: `it is ${standingOf(row).outcome}` }
    }
  }
}

/** An event that was given up can be replayed. */
function* lostReplays(before: State, after: State): Generator<Breach> {
  const isRestored = before.recoveredAt !== after.recoveredAt
  const lost = before.events.filter(
    ({ id, finish }) => finish === 'given_up' && !after.events.some((event) => event.id === id),
  )
  if (lost[0] && !isRestored) {
    yield { invariant: 'what may be replayed exists', what: `${lost[0].type} is deleted` }
  }
}

/** Of people that nobody asked to pay, nothing is stored. */
function* strangers({ rows }: State): Generator<Breach> {
  for (const { kind, record } of rows) {
    if (kind !== 'airtime') {
      continue
    }

    const text = JSON.stringify(record)
    const isErased = text.includes('"phone_number":null')
    if (isErased && text.includes(PHONE)) {
      yield { invariant: 'no number is stored that nobody asked for', what: 'an erased number is back' }
    }
  }
}

/** Returns what is broken at the end of a story, when nobody acts any more and all answers are honest. */
export function breachesAtEnd(state: State, subject: Subject): Breach[] {
  return state.rows.flatMap((row) => {
    const standing = standingOf(row)
    const thing = state.things.find(({ reference }) => reference === row.reference)
    const own = state.events.filter(({ transactionId }) => transactionId === row.id)
    const told = [...own, ...state.toldBefore.map((type) => ({ type }))].map(outcomeIn)
    if (isLying(state)) {
      return [...misled(thing, told, subject)]
    }
    return [...unended(standing, told, subject), ...untold(standing, thing, told, subject, state)]
  })
}

/** After a lie, what the merchant was told may be wrong. Then a person was told, too. */
function* misled(thing: Thing | undefined, told: readonly string[], subject: Subject): Generator<Breach> {
  if (!thing || told.some((each) => ALARMS.includes(each))) {
    return
  }

  const isPaid = told.some((each) => PAID.includes(each))
  const isReturned = told.includes('reversed') || told.includes('refunded')
  const isUndone = isPaid && !isReturned && thing.money !== 'full'
  const isMissed = thing.money === 'full' && !isPaid
  if (isUndone || isMissed) {
    yield {
      invariant: 'a person is told where the gateway lies',
      what: `${subject}: the money is ${thing.money}, and the merchant was told ${told.join(', ') || 'nothing'}`,
    }
  }
}

/** Returns what is broken if a person has recorded the truth. */
export function breachesOfResolution(state: State, subject: Subject): Breach[] {
  const stuck = state.rows.map(standingOf).filter(({ isForPerson }) => isForPerson)
  return stuck.map(({ outcome }) => ({
    invariant: 'what calls a person can be closed',
    what: `${subject} that is ${outcome}`,
  }))
}

type Standing = ReturnType<typeof standingOf>

function* unended(
  { outcome, settled }: Standing,
  told: readonly string[],
  subject: Subject,
): Generator<Breach> {
  const isCalled = told.some((each) => ALARMS.includes(each))
  if (!settled && !isCalled) {
    yield { invariant: 'every state reaches an end or a person', what: `${subject} stays ${outcome}` }
  }
}

function* untold(
  { outcome, isForPerson, confirmation }: Standing,
  thing: Thing | undefined,
  told: readonly string[],
  subject: Subject,
  state: State,
): Generator<Breach> {
  if (!thing) {
    return
  }

  // What was told before a person resolved it does not count, unless the person knew the end.
  const since = thing.isResolved ? told : told.slice(told.lastIndexOf('resolved') + 1)
  const isTold = since.some((each) => PAID.includes(each) || ALARMS.includes(each))
  if (thing.money === 'full' && !isTold) {
    yield {
      invariant: 'no money without an event',
      what: `${subject} is ${outcome}, and the merchant was told ${told.join(', ') || 'nothing'}`,
    }
  }

  const isServed = state.events.some(
    ({ type, finish }) => finish === 'delivered' && CONFIRMING.includes(type),
  )
  // After a resolution, only the API confirms.
  const isConfirmed = thing.decisions.length > 0 || told.includes('resolved')
  const isCalled = isForPerson || (confirmation === 'refused' && told.some((each) => ALARMS.includes(each)))
  if (confirmation !== null && thing.money === 'full' && isServed && !isConfirmed && !isCalled) {
    yield {
      invariant: 'a merchant who accepts is confirmed or told',
      what: `${subject}: the confirmation is ${confirmation}, and the outcome ${outcome}`,
    }
  }
}

const CONFIRMING = ['charge.succeeded', 'checkout.paid']

/**
 * Returns what is broken if an order that never had money cannot be paid after its session and the grace, unless the
 * gateway took none of its attempts, or has said of one that its money went back: this ends the order.
 */
export function breachesOfPress(state: State, given: Given | null): Breach[] {
  const hadMoney = state.things.some(({ money }) => money !== 'none' && money !== 'declined')
  const isWaitingForPerson = state.rows.some(
    (row) => standingOf(row).isForPerson && state.troubles.length > 0,
  )
  const isSpent =
    state.rows.length >= MAX_UNKNOWN_IN_A_ROW && state.things.every(({ isReachable }) => !isReachable)
  const isReturned = state.events.some((event) => RETURNED.includes(outcomeIn(event)))
  if (hadMoney || isReturned || isWaitingForPerson || isSpent || !given) {
    return []
  }

  const canPay = state.things.some((thing) => isPayable(thing, state.now))
  if (canPay) {
    return []
  }

  return [
    {
      invariant: 'an order without money can be paid after its session',
      what: `a press gets ${given.code ?? given.kind}`,
    },
  ]
}
