import { display } from '../../money/amounts.ts'
import { playScenario } from '../../payouts/operator.ts'
import { payoutStatusOf } from '../../payouts/payout.ts'
import { resultOf } from '../../payouts/result.ts'
import { PAYOUT_BADGES } from './badge.ts'
import { callbackFact, SCENARIO_OF } from './kind.ts'
import { timelineOf } from './moment.ts'
import type { Payout, PayoutState } from '../../payouts/payout.ts'
import type { World } from '../../world.ts'
import type { Detail, Fact, MoneyAction, Row, TransactionList, TransactionPage } from './kind.ts'
import type { Moment } from './moment.ts'

export const payouts: TransactionList<Payout> = {
  path: '/payouts',
  title: 'Payouts',
  searched: 'Reference, recipient, phone, account, narration or receipt',
  empty: 'A payout appears here when it is accepted.',
  badges: Object.values(PAYOUT_BADGES),
  all: (world) => world.payouts.values(),
  searchable: () => ({ textsOf, statusKeyOf: (payout) => PAYOUT_BADGES[payoutStatusOf(payout)].key }),
  rowOf: (_, payout) => rowOf(payout),
}

export const payout: TransactionPage<Payout> = {
  path: '/payouts/:payout_reference',
  title: 'Payout',
  find: (world, { payout_reference = '' }) => world.payouts.get(payout_reference),
  detailOf,
  act: (world, payout, action) => playScenario(world, payout, SCENARIO_OF[action]),
}

const KINDS = { local: 'Local', transfer: 'International', b2b: 'To a business' } as const

function textsOf(payout: Payout): readonly (string | null | undefined)[] {
  const { request } = payout.instruction
  const { payout_reference, payment_description, service_code, recipient_account_number } = request
  const phone = 'recipient_phone_number' in request ? request.recipient_phone_number : null
  const own = [payout_reference, payout.paymentId, receiptOf(payout.state), payment_description]
  return [...own, service_code, recipient_account_number, recipientOf(payout), destinationOf(payout), phone]
}

function rowOf(payout: Payout): Row {
  const { instruction, funds, createdAt } = payout
  return {
    id: instruction.request.payout_reference,
    path: `/payouts/${encodeURIComponent(instruction.request.payout_reference)}`,
    party: recipientOf(payout),
    about: instruction.request.payment_description,
    amount: display(funds.amount, funds.currency),
    badge: PAYOUT_BADGES[payoutStatusOf(payout)],
    createdAt,
  }
}

function detailOf(world: World, payout: Payout): Detail {
  const { payout_reference } = payout.instruction.request
  const isMine = ({ reference }: { reference: string }) => reference === payout_reference
  const { state } = payout
  return {
    row: rowOf(payout),
    result: resultOf(payout),
    facts: factsOf(payout),
    parts: null,
    moments: timelineOf(
      payout.history.map((entry, index) => momentOf(payout, entry, index)),
      world.ledger.entries().filter(isMine),
      world.deliveries.list().filter(isMine),
    ),
    actions: actionsOf(state),
    isSettled: state.kind !== 'pending',
  }
}

function actionsOf({ kind }: PayoutState): readonly MoneyAction[] {
  switch (kind) {
    case 'paid':
      return ['refund', 'reverse']
    case 'jammed':
      return ['resolve_paid', 'resolve_failed']
    case 'pending':
    case 'failed':
    case 'reversed':
    case 'refunded':
      return []
  }
}

function factsOf(payout: Payout): Fact[] {
  const { instruction, funds, paymentId, createdAt, state } = payout
  const { request } = instruction
  const { delivered, currency } = funds
  const receipt = receiptOf(state)
  const facts: (Fact | null)[] = [
    { label: 'payout_reference', value: request.payout_reference, as: 'code' },
    { label: instruction.kind === 'b2b' ? 'transaction_id' : 'payment_id', value: paymentId, as: 'code' },
    { label: 'Kind', value: KINDS[instruction.kind] },
    { label: 'Recipient', value: recipientOf(payout) },
    { label: 'Destination', value: destinationOf(payout) },
    { label: 'Account', value: request.recipient_account_number, as: 'code' },
    'recipient_phone_number' in request
      ? { label: 'Phone', value: `+${request.recipient_phone_number}` }
      : null,
    { label: 'Narration', value: request.payment_description },
    { label: 'Service', value: request.service_code, as: 'code' },
    { label: 'Amount', value: display(funds.amount, currency) },
    { label: 'Fee', value: display(funds.fee, currency) },
    delivered.currency === currency
      ? null
      : { label: 'Recipient gets', value: display(delivered.amount, delivered.currency) },
    receipt === null ? null : { label: 'Receipt', value: receipt, as: 'code' },
    { label: 'Float after the last change', value: display(payout.balance, currency) },
    { label: 'Created', value: String(createdAt), as: 'time' },
    callbackFact(request.callback_url ?? null, 'the address of B2C notifications'),
  ]
  return facts.filter((fact) => fact !== null)
}

function recipientOf({ instruction }: Payout): string {
  switch (instruction.kind) {
    case 'b2b':
      return instruction.request.recipient_name
    case 'local':
    case 'transfer': {
      const { recipient_first_name, recipient_last_name, recipient_account_name } = instruction.request
      const names = [recipient_first_name, recipient_last_name].filter(Boolean)
      return names.length > 0 ? names.join(' ') : recipient_account_name
    }
  }
}

function destinationOf({ instruction }: Payout): string {
  return instruction.kind === 'b2b'
    ? instruction.request.recipient_type
    : instruction.request.destination_name
}

function momentOf(payout: Payout, { at, state }: Payout['history'][number], index: number): Moment {
  const { label, tone, code } = PAYOUT_BADGES[payoutStatusOf({ ...payout, state })]
  const title = index === 0 ? 'Payout accepted (720)' : `${label} (${code})`
  const detail = index === 0 ? rowOf(payout).amount : [receiptOf(state), resultOf({ ...payout, state })]
  return { at, title, detail: [detail].flat().filter(Boolean).join(' · '), tone, delivery: null }
}

function receiptOf(state: PayoutState): string | null {
  return 'receipt' in state ? state.receipt : null
}
