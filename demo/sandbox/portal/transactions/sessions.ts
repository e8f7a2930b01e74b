// Payments (checkouts) and charges: both are sessions that a payer pays into.

import { compare } from '../../../../server/contract/decimal.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../../../../server/contract/status.ts'
import { display } from '../../money/amounts.ts'
import { giveBack, resolveJam } from '../../sessions/movements.ts'
import { failureOf, paymentStatusOf, receiptOf, resultOf } from '../../sessions/payment.ts'
import { openPaymentOf, receivedBy, statusOf } from '../../sessions/session.ts'
import { joined } from '../card.ts'
import { pathIn } from '../page.ts'
import { badgeIn, badgesOf, kindList, phoneOf, transactionPage, wordsOf } from './every-kind.ts'

import type { Payment } from '../../sessions/payment.ts'
import type { CheckoutSession, Custody, SessionEntry } from '../../sessions/session.ts'
import type { Badge, Facts, Moment, Tone } from '../card.ts'
import type { Content, Visit } from '../page.ts'
import type { Zone } from '../zone.ts'
import type { Row, Transaction } from './every-kind.ts'

// The specification has one status for three things: nobody has tried, the payer is asked, every attempt has failed.
const unpaid = (label: string, tone: Tone): Badge => ({ label, tone, code: CHECKOUT_STATUS.unpaid })
const UNPAID = {
  untried: unpaid('Never tried', 'plain'),
  waiting: unpaid('Waiting', 'wait'),
  failed: unpaid('Failed', 'bad'),
}
const BADGES = [
  ...Object.values(UNPAID),
  ...badgesOf(CHECKOUT_STATUS).filter(({ code }) => code !== CHECKOUT_STATUS.unpaid),
]
const PAYMENT_BADGES = badgesOf(PAYMENT_STATUS)

export const PAYMENTS = listOf('checkout', 'A payment appears here when a checkout is created.')
export const CHARGES = listOf('charge', 'A charge appears here when it is posted.')

export const payment = pageOf('checkout')
export const charge = pageOf('charge')

type Kind = CheckoutSession['instruction']['kind']

function listOf(kind: Kind, empty: string) {
  const all = (visit: Visit) => {
    const sessions = [...visit.world.sessions.values()].filter(({ instruction }) => instruction.kind === kind)
    return sessions.map((session) => transactionOf(session, visit))
  }

  return kindList({ badges: BADGES, all, hint: 'Reference, payer, phone, e-mail, narration, receipt', empty })
}

function pageOf(kind: Kind): Content {
  const find = ({ world, params }: Visit) => {
    const id = params['merchant_transaction_id'] ?? params['external_reference'] ?? ''
    const session = world.sessions.get(id)
    return session?.instruction.kind === kind ? session : undefined
  }

  return transactionPage(find, transactionOf, (world, session, action) =>
    action === 'refund' || action === 'reverse'
      ? giveBack(world, session, GIVEN_BACK[action])
      : resolveJam(world, session, RESOLVED[action]),
  )
}

function transactionOf(session: CheckoutSession, { now }: Visit): Transaction {
  const { id, reference, chargeRequestId, narration, msisdn, createdAt, instruction, payments } = session
  const { kind, request } = instruction
  const last = payments.at(-1)
  return {
    id,
    path: pathIn(kind === 'charge' ? '/charges' : '/payments', id),
    party: request.payer_name ?? phoneOf(msisdn),
    phone: request.payer_name === undefined ? null : phoneOf(msisdn),
    about: narration,
    amount: amountOf(session, session.amount),
    badge: badgeOf(session, now),
    remark: remarkOf(session, now),
    at: createdAt,
    result: last ? resultOf(last) : null,
    fields: { ...request, checkout_reference: reference, charge_request_id: chargeRequestId },
    texts: [msisdn, ...payments.flatMap(textsOf)],
    facts: ({ zone }) => factsOf(session, now, zone),
    attempts: () => payments.map((attempt) => attemptRow(session, attempt)),
    states: () => statesOf(session, now),
    hasMoney: compare(receivedBy(session), '0') > 0,
  }
}

function textsOf(attempt: Payment) {
  return [attempt.transactionId, attempt.methodCode, attempt.msisdn, attempt.amount, receiptOf(attempt)]
}

function badgeOf(session: CheckoutSession, now: number): Badge {
  const status = statusOf(session, now)
  if (status !== CHECKOUT_STATUS.unpaid) {
    return badgeIn(BADGES, status)
  }
  if (session.payments.length === 0) {
    return UNPAID.untried
  }
  return openPaymentOf(session) ? UNPAID.waiting : UNPAID.failed
}

function remarkOf(session: CheckoutSession, now: number): string {
  const received = receivedBy(session)
  const last = session.payments.at(-1)
  const isOtherAmount = compare(received, '0') > 0 && compare(received, session.amount) !== 0
  const untried = now < session.expiresAt ? null : 'Nobody tried to pay'
  return joined([
    isOtherAmount ? `${amountOf(session, received)} of ${amountOf(session, session.amount)} received` : null,
    last ? reasonOf(last) : untried,
  ])
}

function reasonOf(payment: Payment): string | null {
  if (payment.state.kind === 'prompted') {
    return 'Asked on the phone'
  }
  if (payment.state.kind !== 'failed') {
    return null
  }

  const reason = failureOf(payment)
  return reason === 'unknown' ? 'Reason not known' : wordsOf(reason)
}

// By the action of a person: the state of the payments.
const GIVEN_BACK = { refund: 'refunded', reverse: 'reversed' } as const
const RESOLVED = { success: 'paid', decline: 'failed' } as const

function attemptRow(session: CheckoutSession, attempt: Payment): Row {
  return {
    id: attempt.methodCode,
    party: phoneOf(attempt.msisdn),
    about: receiptOf(attempt),
    amount: amountOf(session, attempt.amount),
    badge: badgeIn(PAYMENT_BADGES, paymentStatusOf(attempt)),
    remark: reasonOf(attempt) ?? '',
    at: attempt.changedAt,
  }
}

function factsOf(session: CheckoutSession, now: number, zone: Zone): Facts {
  const { instruction, fee, splits, custody, expiresAt } = session
  const shares = splits.map(({ account, amount, reason }): Facts[number] => [
    `Share of ${account}`,
    joined([amountOf(session, String(amount)), reason]),
  ])
  return [
    ['Received', amountOf(session, receivedBy(session))],
    compare(fee, '0') > 0 ? ['Of it a fee of', amountOf(session, fee)] : null,
    ...shares,
    instruction.kind === 'charge' ? ['Custody', CUSTODY[custody]] : null,
    [now < expiresAt ? 'Expires' : 'Expired', zone.when(expiresAt)],
  ]
}

// [spec: Split settlement flow]
const CUSTODY = {
  merchant: 'Credited at once',
  held: 'Held until the service is confirmed',
  SUCCESSFUL: 'Distributed: the service was confirmed',
  FAILED: 'Given back: the service failed',
} as const satisfies Record<Custody, string>

function statesOf(session: CheckoutSession, now: number): readonly Moment[] {
  const moments = session.history.map((entry) => momentOf(session, entry))
  const isOver = now >= session.expiresAt && statusOf(session, now) !== CHECKOUT_STATUS.paid
  return isOver ? [...moments, { at: session.expiresAt, title: 'Session expired' }] : moments
}

function momentOf(session: CheckoutSession, entry: SessionEntry): Moment {
  const { at } = entry
  switch (entry.kind) {
    case 'created': {
      const title = session.instruction.kind === 'charge' ? 'Charge posted' : 'Checkout created'
      return { at, title, detail: [amountOf(session, session.amount)] }
    }
    case 'confirmed':
      return { at, title: `Service confirmed as ${entry.as}` }
    case 'payment': {
      const { payment, state, amount } = entry
      const { badge, ...row } = attemptRow(session, { ...payment, state, amount })
      const title = `Payment: ${badge.label.toLowerCase()} (${badge.code})`
      const result = resultOf({ ...payment, state })
      return { at, title, detail: [row.amount, row.id, row.party, row.about, result], tone: badge.tone }
    }
  }
}

const amountOf = ({ service }: CheckoutSession, amount: string) => display(amount, service.currency)
