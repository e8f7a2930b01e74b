/**
 * Computes the next record of a checkout from an observation, and the events about a new record. The gateway's
 * responses may arrive late, twice or out of order. Pure.
 */

import { compare } from '../contract/decimal.ts'
import { whyUnserved } from '../payins/fulfilment.ts'
import { payInOutcome } from '../payins/outcome.ts'
import { whyElsewhere } from '../payins/payment.ts'
import { UNREPORTED } from '../payins/record.ts'
import { moneyOf } from '../payins/reported-money.ts'
import { isServiceRefused } from '../payins/service-confirmation.ts'
import { createPayInTransition } from '../payins/transition.ts'
import { UNDECIDED } from '../transactions/kind.ts'
import { answeredAt } from '../transactions/observation.ts'
import { mayHaveLostSend } from '../transactions/recovery.ts'
import { isNewResolution } from '../transactions/resolution.ts'
import { DAY, MINUTE } from '../transactions/schedule.ts'
import { hasEnded, isKnown, tell } from '../transactions/told.ts'
import { changed, unchanged } from '../transactions/transition-result.ts'
import { isSameOrder } from './plan.ts'
import { addStart, determineOutcome, isCharge, isPayable, isUnsent } from './record.ts'

import type { EventType } from '../api/kind-table.ts'
import type { PayInObservation } from '../payins/rules.ts'
import type { StatusAnswer } from '../payins/status-answer.ts'
import type { Overdue } from '../transactions/observation.ts'
import type { SendRule } from '../transactions/submission.ts'
import type { TransitionResult } from '../transactions/transition-result.ts'
import type {
  Call,
  Checkout,
  CheckoutRecord,
  ClosedCheckout,
  IntendedCheckout,
  OpenCheckout,
  Opened,
  Visit,
} from './record.ts'

/**
 * An input of {@link transition}: a report of the gateway, the merchant's decision about the service confirmation, or a
 * shopper's request to start a checkout that already exists.
 */
export type Observation =
  | PayInObservation<Opened>
  /**
   * A shopper started the checkout again, for example in a second tab. `visit` (how the shopper opens the hosted page,
   * and where the return page sends the shopper) is merged into the stored visit.
   */
  | { kind: 'visit'; visit: Visit }
  /**
   * A shopper started the order again, whose last checkout was never sent: it was given up, or is to be paid in another
   * way, by another phone or on a page.
   */
  | { kind: 'restarted'; record: IntendedCheckout }
  /**
   * The gateway knows a checkout that the store has as unsent, because the store was restored. `record` has the form in
   * which the gateway knows it: of a checkout on a page, or of a prompt.
   */
  | { kind: 'recovered'; record: OpenCheckout; answer: StatusAnswer }

/** The type of an event about a checkout, without the prefix `checkout.`. */
export type CheckoutEvent = SuffixOf<EventType>
type SuffixOf<Type> = Type extends `checkout.${infer Suffix}` ? Suffix : never

const transitionPayIn = createPayInTransition<IntendedCheckout, OpenCheckout, ClosedCheckout, Opened>({
  currencyOf: ({ requested }) => requested.currency,
  sendRuleOf: ({ call }) => sendRuleOf(call),
  lostPageOf({ record, ...row }) {
    const { call, requested, refused } = record
    if (call.variant === 'prompt') {
      return { kind: 'none' }
    }
    if (call.variant === 'standard' && call.request !== null && refused === null) {
      return { kind: 'recoverable', lifetimeMs: requested.expires_in * MINUTE }
    }
    // Where the store has lost the answer, the payer may have the page.
    return { kind: mayHaveLostSend(row) ? 'none' : 'unreachable' }
  },
  open: (record, answer, at) => openRecord(keptOf(record), answer ?? NO_ANSWER, at),
  isIdentified: (record) => !isCharge(record) || record.session.charge_request_id !== null,
  withAnswer(record, answer) {
    const { session } = record
    if (session.charge_request_id !== null || session.redirect_url !== null) {
      return record
    }

    const expires_at = answer.expires_at === null ? session.expires_at : Date.parse(answer.expires_at)
    return { ...record, session: { ...answer, expires_at } }
  },
  close: (record, closing) => ({ ...keptOf(record), ...closing }),
  clear: (record) => record,
  meaningOf({ record, ...row }) {
    return determineOutcome({ ...row, record: { ...record, alarm: null, resolution: null } })
  },
  standingOf: (checkout) => ({
    ...determineOutcome(checkout),
    attention: attentionOf(checkout),
  }),
  isPayable,
  sessionEndOf: ({ record }) => (record.prompt === undefined ? record.session.expires_at : null),
  describe({ prompt }, { checkout_reference, charge_request_id }) {
    if (prompt) {
      return `The gateway prompts the payer under ${charge_request_id}.`
    }
    return `The gateway opened ${checkout_reference === null ? 'it' : `checkout ${checkout_reference}`}.`
  },
})

/**
 * Returns the next record of a checkout, with the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
export function transition(
  checkout: Checkout,
  observation: Observation | Overdue,
  askedAt: number,
): TransitionResult<CheckoutRecord> {
  const { record } = checkout
  if (observation.kind === 'restarted') {
    return restart(checkout, observation.record)
  }
  if (observation.kind === 'recovered') {
    return recover(checkout, observation.record, observation.answer, askedAt)
  }
  if (observation.kind !== 'visit') {
    return transitionPayIn(checkout, observation, askedAt)
  }

  const visit = addStart(record.visit, observation.visit)
  if (visit === record.visit) {
    return unchanged(record)
  }
  return { record: { ...record, visit }, historyEntry: null }
}

/**
 * Returns the transition result of another start of the order. What was never sent binds nobody, and the last of several
 * starts at once is the one that is sent; each of them gets this checkout, unless their terms differ.
 */
function restart(checkout: Checkout, asked: IntendedCheckout): TransitionResult<CheckoutRecord> {
  const { record, sent_at } = checkout
  if (isUnsent(checkout)) {
    return changed(asked, 'It is started again.')
  }

  const isUnbound = record.phase === 'intended' && sent_at === null && record.stuck === null
  if (!isUnbound || !isSameOrder(record.requested, asked.requested)) {
    return unchanged(record)
  }
  // A row keeps what it cannot decrypt, so the order's next attempt has a row of its own.
  if (record.requested.narration === null) {
    return changed({ phase: 'abandoned', ...keptOf(record) }, 'It was not sent, and no longer can be.')
  }

  const visit = addStart(record.visit, asked.visit)
  return changed({ ...asked, visit }, 'It was not sent, and is paid in another way.')
}

/** Returns the transition result of a report about a checkout that was sent before the store was restored. */
function recover(
  checkout: Checkout,
  known: OpenCheckout,
  answer: StatusAnswer,
  askedAt: number,
): TransitionResult<CheckoutRecord> {
  const { record, sent_at } = checkout
  const isIntended = record.phase === 'intended'
  const isUnsentHere = sent_at === null && (isIntended || record.phase === 'abandoned')
  if (!isUnsentHere || record.resolution !== null) {
    return unchanged(record)
  }
  // The address of its page can be learned by its request.
  if (isIntended && isCharge(record) === isCharge(known)) {
    return transitionPayIn(checkout, answer, askedAt)
  }

  const { people, told, named_id, link } = record
  const requested = { ...known.requested, narration: record.requested.narration }
  const visit = addStart(record.visit, known.visit)
  const stored = { people, told, named_id, ...(link && { link }) }
  const opened = openRecord({ ...known, ...stored, requested, visit }, NO_ANSWER, answeredAt(answer, askedAt))
  return transitionPayIn({ ...checkout, record: opened }, answer, askedAt)
}

/**
 * Returns how often the request of a checkout may be sent. The gateway would create a second charge under the same
 * reference, and report one of them.
 *
 * [assumed] Nobody is charged by a charge without a payment method before the payer opens its hosted page.
 */
export function sendRuleOf({ variant }: Pick<Call, 'variant'>): SendRule {
  switch (variant) {
    case 'standard':
      return 'idempotent'
    case 'charge':
      return 'once_unseen'
    case 'prompt':
      return 'once'
  }
}

/** Returns why a person has to check the checkout, apart from its outcome; `null` if nobody has to. */
export function attentionOf(checkout: Checkout): string | null {
  const { record } = checkout
  if (record.resolution) {
    return null
  }
  if (record.phase === 'intended') {
    return record.stuck
  }
  if (record.phase === 'refused') {
    return record.refusal ? null : record.why
  }
  if (record.phase === 'abandoned') {
    return null
  }

  const elsewhere = record.reported && whyElsewhere(record.reported)
  const isPaid = determineOutcome(checkout).outcome === 'paid'
  return record.alarm?.why ?? elsewhere ?? whyUnserved(record, isPaid)
}

/** Returns the events about a new record, in the order of delivery, and the record with what the merchant was told. */
export function announce(
  before: Checkout,
  after: Checkout,
): { record: CheckoutRecord; events: CheckoutEvent[] } {
  const { record } = after
  if (isNewResolution(before.record, record)) {
    return {
      record: tell(record, ['resolved', determineOutcome(after).outcome]),
      events: ['resolved'],
    }
  }

  const attention = attentionOf(after)
  const news = eventsOf(before, after)
  // What a person has to check is another thing if more or less was paid, of which nothing else tells.
  const isOtherMoney = news.length === 0 && compare(receivedIn(before), receivedIn(after)) !== 0
  const isNewAttention = attention !== null && (attention !== attentionOf(before) || isOtherMoney)
  const alarms: CheckoutEvent[] = isNewAttention ? ['needs_attention'] : []
  const events = [...new Set([...alarms, ...news])]
  const { outcome, settled } = determineOutcome(after)
  // What is paid after a partial end, or after an end that is in doubt, is late.
  const isDoubted = outcome === 'review' && record.phase === 'open' && record.alarm !== null
  const isEnd = settled && (outcome === 'partial' || isDoubted)
  return { record: tell(record, isEnd ? [...events, 'ended'] : events), events }
}

/**
 * Returns the events about a new outcome. A new outcome causes an event, and so does a change of the received amount
 * of a partial, overpaid, reversed, refunded or doubted checkout. A partial checkout causes another event when it settles. The
 * outcomes `unpaid` and `expired` cause an event only when they settle the checkout; `waiting` and `pending` cause no
 * event.
 */
function eventsOf(before: Checkout, after: Checkout): CheckoutEvent[] {
  const { record } = after
  if (record.phase !== 'open') {
    return []
  }

  const { told } = record
  const isShown = before.record.phase === 'open' || before.record.resolution !== null
  const old = isShown ? determineOutcome(before) : payInOutcome('waiting', false)
  const { outcome, settled, discrepancy } = determineOutcome(after)
  const became = old.outcome !== outcome
  const becameSettled = settled && (became || !old.settled)
  const moneyChanged = compare(receivedIn(before), receivedIn(after)) !== 0
  switch (outcome) {
    case 'paid': {
      // `paid` is told once. What is paid after the merchant was told something else of the money is late.
      const last = told.findLast((event) => isPaidEvent(event) || UNPAID.includes(event))
      const isTold = last !== undefined && isPaidEvent(last)
      const isLate = hasEnded(told) || told.some(isPaidEvent)
      // Who has refused the service is not told to provide it, nor anybody what contradicts a person.
      const isDisputed = record.alarm?.until === 'resolved'
      if (!isTold && (isDisputed || isServiceRefused(record.confirmation))) {
        return []
      }

      const paid: CheckoutEvent[] = isTold ? [] : [isLate ? 'paid_late' : 'paid']
      // Also when the excess went back: who was told of it may return it, too.
      const isNew = became && !told.includes('overpaid')
      const isOverpaid = discrepancy === 'excess' || old.discrepancy === 'excess'
      return isOverpaid && (!isTold || moneyChanged || isNew) ? [...paid, 'overpaid'] : paid
    }
    case 'partial':
      return became || becameSettled || moneyChanged ? ['partial'] : []
    case 'unpaid':
    case 'expired':
      // The gateway may report these two by turns: that it ended without money is told once, until money is told.
      return becameSettled && !isEndWithoutMoney(told) ? [outcome] : []
    case 'reversed':
    case 'refunded':
      return (became && !isKnown(told, outcome)) || moneyChanged ? [outcome] : []
    case 'review':
      return became || moneyChanged ? [outcome] : []
    case 'jammed':
      return became ? ['needs_attention'] : []
    case 'waiting':
    case 'pending':
      return []
  }
}

/** What the merchant is told of money that is not there as requested. */
const UNPAID: readonly string[] = ['partial', 'unpaid', 'expired', 'reversed', 'refunded']
const isPaidEvent = (event: string) => event === 'paid' || event === 'paid_late'

/** Returns whether the last outcome that the merchant was told is an end without money. */
function isEndWithoutMoney(told: readonly string[]): boolean {
  const last = told.findLast((event) => event !== 'needs_attention' && event !== 'resolved')
  return last === 'unpaid' || last === 'expired'
}

function receivedIn({ record }: Checkout): string {
  return moneyOf(record.phase === 'open' ? record.reported : null).received
}

/** The part of the record that is kept when the call is deleted. */
type Kept = Omit<ClosedCheckout, 'phase' | 'why' | 'refusal'>

function keptOf({ requested, visit, people, told, resolution, named_id, ...record }: CheckoutRecord): Kept {
  const { prompt, link } = record
  const optional = { ...(prompt && { prompt }), ...(link && { link }) }
  return { requested, visit, people, told, resolution, named_id, ...optional }
}

/** The session of a checkout whose acknowledgement was lost. Its page is unknown. */
export const NO_ANSWER: Opened = {
  checkout_reference: null,
  charge_request_id: null,
  redirect_url: null,
  expires_at: null,
}

/**
 * Returns the record of a checkout that the gateway knows.
 *
 * @param at When the gateway answered, by its clock.
 */
export function openRecord(kept: Kept, answer: Opened, at: number): OpenCheckout {
  // [assumed] If the response contains no time of expiry, the session has the lifetime that was requested. The request
  // of a charge contains no lifetime: its page may take money for a day. A prompt is answered or not within a session's.
  const hasPage = kept.prompt === undefined && isCharge(kept)
  const lifetime = hasPage ? DAY : kept.requested.expires_in * MINUTE
  const expires_at = answer.expires_at === null ? at + lifetime : Date.parse(answer.expires_at)
  return {
    phase: 'open',
    ...kept,
    session: { ...answer, expires_at },
    answered_at: at,
    ...UNREPORTED,
    confirmation: isCharge(kept) ? UNDECIDED : null,
  }
}
