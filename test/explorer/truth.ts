/**
 * What really happened to the money, and what an honest gateway may say of it. The server's code never reads this.
 *
 * What is said was true when it was said, or at most {@link LAG_MS} before. A refusal may follow an arrival.
 */

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The longest time for which an honest answer is older than the truth. */
export const LAG_MS = 2 * MINUTE
/** The longest time for which a payment is on its way after the session has ended. */
export const LONGEST_MOVE_MS = DAY
/** The time after the end of a thing from which an honest gateway may have forgotten it. */
export const FORGETS_AFTER_MS = 2 * HOUR
/** The lifetime of a session, as the gateway answers it. */
export const SESSION_MS = 10 * MINUTE

/** Where the money of one session, payout or recipient is. */
export type Money =
  | 'none'
  /** A payment was tried and failed. */
  | 'declined'
  | 'moving'
  | 'stuck'
  /** Only a part of the amount was paid. */
  | 'part'
  | 'full'
  | 'reversed'
  | 'refunded'

/** What may happen next to the money of a thing that a shopper pays, and to money that is sent. */
const PAID_IN: Readonly<Record<Money, readonly Money[]>> = {
  none: ['full', 'moving', 'declined', 'part'],
  declined: ['full', 'moving'],
  moving: ['full', 'declined', 'stuck'],
  stuck: ['full', 'declined', 'moving'],
  part: ['full', 'refunded'],
  full: ['reversed', 'refunded'],
  reversed: [],
  refunded: [],
}
const PAID_OUT: Readonly<Record<Money, readonly Money[]>> = {
  ...PAID_IN,
  none: ['moving', 'full', 'declined'],
  declined: [],
  part: [],
}

/** A session, a payout or an airtime request that arrived at the gateway. */
export interface Thing {
  reference: string
  /** The amount that was asked for. */
  amount: string
  isPrompt: boolean
  chapter: 'checkout' | 'charge' | 'payout' | 'airtime'
  /** How many requests for it arrived. */
  arrivals: number
  arrivedAt: number
  /** When it can no longer be paid. */
  expiresAt: number
  /** Whether somebody can pay it: the phone rings, or the address of the page arrived at the server. */
  isReachable: boolean
  money: Money
  /** What an answer that lags says. */
  before: Money
  changedAt: number
  isForgotten: boolean
  /** Whether a gateway that leaves money out has reported the money. */
  isShown: boolean
  /** Whether a person has said what became of the money, and it has not moved since. */
  isResolved: boolean
  /** The decisions about the service that arrived. */
  decisions: readonly string[]
  /** The decisions about the money that is there now that the server sent, whether they arrived or not. */
  sent: readonly string[]
  /** Whether the payer has paid again, after the first payment was reversed. */
  isPaidAgain: boolean
  /** Whether reports say more than before of the same payments. */
  isDetailed: boolean
  /** Whether the gateway reports no payment any more, of money that it has reported. */
  isContradicted: boolean
}

export function arrived(
  sent: Pick<Thing, 'reference' | 'amount' | 'isPrompt' | 'chapter'>,
  now: number,
): Thing {
  return {
    ...sent,
    arrivals: 1,
    arrivedAt: now,
    expiresAt: now + SESSION_MS,
    isReachable: sent.isPrompt,
    money: 'none',
    before: 'none',
    changedAt: now,
    isForgotten: false,
    isShown: false,
    isResolved: false,
    decisions: [],
    sent: [],
    isPaidAgain: false,
    isDetailed: false,
    isContradicted: false,
  }
}

/** Returns whether money of a session is at the gateway, or may arrive there. */
export function isHeld({ money }: Thing): boolean {
  return money === 'full' || money === 'part' || money === 'moving' || money === 'stuck'
}

/** Returns whether a shopper can still begin to pay. The payer of a prompt answers once. */
export function isPayable({ isReachable, isPrompt, expiresAt, money }: Thing, now: number): boolean {
  const isOpen = money === 'none' || (money === 'declined' && !isPrompt)
  return isReachable && isOpen && now < expiresAt
}

export function isLagging({ changedAt }: Thing, now: number): boolean {
  return now - changedAt < LAG_MS
}

/** What can happen to the money of a session now, by the shopper and the operator. */
export function nextMoney(thing: Thing, now: number): readonly Money[] {
  const { money, isPrompt, chapter, isReachable, expiresAt } = thing
  if (chapter === 'payout' || chapter === 'airtime') {
    return PAID_OUT[money]
  }

  switch (money) {
    case 'none':
      return isPayable(thing, now) ? PAID_IN.none.filter((next) => next !== 'part' || !isPrompt) : []
    case 'declined':
      return isPayable(thing, now) ? PAID_IN.declined : []
    case 'part':
      return isReachable && now < expiresAt ? PAID_IN.part : ['refunded']
    case 'moving':
      return now < expiresAt + LONGEST_MOVE_MS ? PAID_IN.moving : []
    case 'full':
      return thing.isPaidAgain ? [] : PAID_IN.full
    case 'stuck':
    case 'reversed':
    case 'refunded':
      return PAID_IN[money]
  }
}

export function moved(thing: Thing, money: Money, now: number): Thing {
  return { ...thing, money, before: thing.money, changedAt: now, isResolved: false }
}

/** The payer pays again what was reversed: nobody has decided about this money. */
export function paidAgain(thing: Thing, now: number): Thing {
  return { ...moved(thing, 'full', now), isPaidAgain: true, decisions: [], sent: [] }
}

/** The first decision about a service counts. FAILED refunds the payer. */
export function decided(thing: Thing, status: string, now: number): Thing {
  const next = { ...thing, decisions: [...thing.decisions, status] }
  return status === 'FAILED' && isHeld(thing) ? moved(next, 'refunded', now) : next
}
