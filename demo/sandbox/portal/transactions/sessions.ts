// Payments (checkouts) and charges: both are sessions that a payer pays into.

import { compare } from '../../../../server/contract/decimal.ts'
import { CHECKOUT_STATUS } from '../../../../server/contract/status.ts'
import { display } from '../../money/amounts.ts'
import { giveBack, resolveJam } from '../../sessions/customer.ts'
import { paymentStatusOf, receiptOf, resultOf } from '../../sessions/payment.ts'
import { openPaymentOf, receivedBy, statusOf } from '../../sessions/session.ts'
import { CHECKOUT_BADGES, PAYMENT_BADGES } from './badge.ts'
import { callbackFact } from './kind.ts'
import { timelineOf } from './moment.ts'
import type { Decimal } from '../../../../server/contract/decimal.ts'
import type { CheckoutStatus } from '../../../../server/contract/status.ts'
import type { Payment } from '../../sessions/payment.ts'
import type { CheckoutSession, SessionEntry } from '../../sessions/session.ts'
import type { Failure } from '../../wire/failure.ts'
import type { World } from '../../world.ts'
import type { Detail, Fact, MoneyAction, Part, Row, TransactionList, TransactionPage } from './kind.ts'
import type { Moment } from './moment.ts'

export const payments: TransactionList<CheckoutSession> = {
  ...listOf('checkout'),
  path: '/payments',
  title: 'Payments',
  empty: 'A payment appears here when a checkout is created.',
}

export const payment: TransactionPage<CheckoutSession> = {
  ...pageOf('checkout'),
  path: '/payments/:merchant_transaction_id',
  title: 'Payment',
}

export const charges: TransactionList<CheckoutSession> = {
  ...listOf('charge'),
  path: '/charges',
  title: 'Charges',
  empty: 'A charge appears here when it is posted.',
}

export const charge: TransactionPage<CheckoutSession> = {
  ...pageOf('charge'),
  path: '/charges/:external_reference',
  title: 'Charge',
}

type Kind = CheckoutSession['instruction']['kind']

const ID_OF = { checkout: 'merchant_transaction_id', charge: 'external_reference' } as const

function listOf(kind: Kind) {
  return {
    searched: 'Reference, payer, phone, e-mail, narration or receipt',
    badges: Object.values(CHECKOUT_BADGES),
    all: ({ sessions }: World) =>
      [...sessions.values()].filter(({ instruction }) => instruction.kind === kind),
    searchable: ({ clock }: World) => ({
      textsOf,
      statusKeyOf: (session: CheckoutSession) => CHECKOUT_BADGES[statusOf(session, clock.now())].key,
    }),
    rowOf: ({ clock }: World, session: CheckoutSession) => rowOf(session, clock.now()),
  }
}

function pageOf(kind: Kind) {
  return {
    find({ sessions }: World, params: Readonly<Record<string, string>>) {
      const session = sessions.get(params[ID_OF[kind]] ?? '')
      return session?.instruction.kind === kind ? session : undefined
    },
    detailOf,
    act,
  }
}

function textsOf(session: CheckoutSession): readonly (string | null | undefined)[] {
  const { id, reference, chargeRequestId, narration, accountNumber, service, msisdn, payments } = session
  const { payer_name, payer_email } = session.instruction.request
  const ofPayments = payments.flatMap((payment) => [
    payment.transactionId,
    payment.msisdn,
    payment.methodCode,
    receiptOf(payment),
  ])
  const own = [id, reference, chargeRequestId, narration, accountNumber, service.code, msisdn]
  return [...own, payer_name, payer_email, ...ofPayments]
}

function rowOf(session: CheckoutSession, now: number): Row {
  const { id, narration, msisdn, createdAt } = session
  return {
    id,
    path: `/${session.instruction.kind === 'charge' ? 'charges' : 'payments'}/${encodeURIComponent(id)}`,
    party: session.instruction.request.payer_name ?? `+${msisdn}`,
    about: narration,
    amount: amountOf(session, session.amount),
    badge: CHECKOUT_BADGES[statusOf(session, now)],
    createdAt,
  }
}

function detailOf(world: World, session: CheckoutSession): Detail {
  const now = world.clock.now()
  const { id } = session
  const last = session.payments.at(-1)
  const mine = world.deliveries.list().filter(({ reference }) => reference === id)
  const entries = world.ledger.entries().filter(({ reference }) => reference === id)
  return {
    row: rowOf(session, now),
    result: last ? resultOf(last) : null,
    facts: factsOf(session, now),
    parts: {
      title: 'Attempts',
      empty: 'Nobody has tried to pay yet.',
      rows: session.payments.map((attempt) => partOf(session, attempt)),
    },
    moments: timelineOf(statesOf(session, now), entries, mine),
    actions: actionsOf(session),
    isSettled: !openPaymentOf(session) && (now >= session.expiresAt || isOver(statusOf(session, now))),
  }
}

function actionsOf(session: CheckoutSession): readonly MoneyAction[] {
  const isJammed = session.payments.some(({ state }) => state.kind === 'jammed')
  const hasMoney = compare(receivedBy(session), '0') > 0
  return [
    ...(isJammed ? (['resolve_paid', 'resolve_failed'] as const) : []),
    ...(hasMoney ? (['refund', 'reverse'] as const) : []),
  ]
}

function act(world: World, session: CheckoutSession, action: MoneyAction): Failure | null {
  switch (action) {
    case 'refund':
      return giveBack(world, session, 'refunded')
    case 'reverse':
      return giveBack(world, session, 'reversed')
    case 'resolve_paid':
      return resolveJam(world, session, 'paid')
    case 'resolve_failed':
      return resolveJam(world, session, 'failed')
  }
}

function isOver(status: CheckoutStatus): boolean {
  const { paid, reversed, refunded, expired } = CHECKOUT_STATUS
  const ends: readonly CheckoutStatus[] = [paid, reversed, refunded, expired]
  return ends.includes(status)
}

function partOf(session: CheckoutSession, attempt: Payment): Part {
  const details = [`+${attempt.msisdn}`, receiptOf(attempt), resultOf(attempt)]
  return {
    title: attempt.methodCode,
    path: null,
    detail: details.filter((text) => text !== null).join(' · '),
    amount: amountOf(session, attempt.amount),
    badge: PAYMENT_BADGES[paymentStatusOf(attempt)],
    at: attempt.changedAt,
  }
}

function factsOf(session: CheckoutSession, now: number): Fact[] {
  const { instruction, id, reference, chargeRequestId, fee, service, splits } = session
  const { payer_name, payer_email } = instruction.request
  const isCharge = instruction.kind === 'charge'
  const shares = splits.map(({ account, amount, reason }) => ({
    label: `Share of ${account}`,
    value: [amountOf(session, String(amount)), reason].filter(Boolean).join(' · '),
  }))
  const facts: (Fact | null)[] = [
    { label: isCharge ? 'external_reference' : 'merchant_transaction_id', value: id, as: 'code' },
    { label: 'checkout_reference', value: reference, as: 'code' },
    { label: 'charge_request_id', value: chargeRequestId, as: 'code' },
    payer_name === undefined ? null : { label: 'Payer', value: payer_name },
    payer_email === undefined ? null : { label: 'E-mail', value: payer_email },
    { label: 'Phone', value: `+${session.msisdn}` },
    { label: 'Narration', value: session.narration },
    { label: 'Service', value: service.code, as: 'code' },
    { label: 'Account', value: session.accountNumber, as: 'code' },
    { label: 'Asked', value: amountOf(session, session.amount) },
    { label: 'Received', value: amountOf(session, receivedBy(session)) },
    compare(fee, '0') > 0 ? { label: 'Of it a fee of', value: amountOf(session, fee) } : null,
    ...shares,
    isCharge ? { label: 'Custody', value: custodyOf(session) } : null,
    { label: 'Created', value: String(session.createdAt), as: 'time' },
    { label: now < session.expiresAt ? 'Expires' : 'Expired', value: String(session.expiresAt), as: 'time' },
    callbackFact(session.callbackUrl, 'the address of charges'),
  ]
  return facts.filter((fact) => fact !== null)
}

// [spec: Split settlement flow]
function custodyOf({ custody }: CheckoutSession): string {
  switch (custody) {
    case 'merchant':
      return 'Credited at once'
    case 'held':
      return 'Held until the service is confirmed'
    case 'SUCCESSFUL':
      return 'Distributed: the service was confirmed'
    case 'FAILED':
      return 'Given back: the service failed'
  }
}

function statesOf(session: CheckoutSession, now: number): Moment[] {
  const states = session.history.map((entry) => momentOf(session, entry))
  const status = statusOf(session, now)
  if (now < session.expiresAt || status === CHECKOUT_STATUS.paid) return states
  const expired = { title: 'Session expired', detail: null, tone: 'plain', delivery: null } as const
  return [...states, { at: session.expiresAt, ...expired }]
}

function momentOf(session: CheckoutSession, entry: SessionEntry): Moment {
  const { at } = entry
  switch (entry.kind) {
    case 'created': {
      const title = session.instruction.kind === 'charge' ? 'Charge posted' : 'Checkout created'
      return { at, title, detail: amountOf(session, session.amount), tone: 'plain', delivery: null }
    }
    case 'confirmed': {
      const tone = entry.as === 'SUCCESSFUL' ? 'good' : 'plain'
      return { at, title: `Service confirmed as ${entry.as}`, detail: null, tone, delivery: null }
    }
    case 'payment': {
      const then = { ...entry.payment, state: entry.state, amount: entry.amount }
      const { label, tone, code } = PAYMENT_BADGES[paymentStatusOf(then)]
      const details = [amountOf(session, then.amount), then.methodCode, `+${then.msisdn}`]
      const detail = [...details, receiptOf(then), resultOf(then)].filter(Boolean).join(' · ')
      return { at, title: `Payment: ${label.toLowerCase()} (${code})`, detail, tone, delivery: null }
    }
  }
}

function amountOf({ service }: CheckoutSession, amount: Decimal): string {
  return display(amount, service.currency)
}
