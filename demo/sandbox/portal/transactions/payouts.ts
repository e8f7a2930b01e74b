import { PAYOUT_STATUS } from '../../../../server/contract/status.ts'
import { display } from '../../money/amounts.ts'
import { playScenario } from '../../payouts/operator.ts'
import { payoutStatusOf } from '../../payouts/payout.ts'
import { resultOf } from '../../payouts/result.ts'
import { listOf } from '../list.ts'
import { pathIn } from '../page.ts'
import { badgeIn, badgesOf, kindList, transactionPage } from './transaction.ts'
import type { Payout, PayoutState } from '../../payouts/payout.ts'
import type { Moment } from '../card.ts'
import type { Content } from '../page.ts'
import type { Detail, Row } from './transaction.ts'

const BADGES = badgesOf(PAYOUT_STATUS)

export const PAYOUTS = kindList(BADGES, ({ world }) => [...world.payouts.values()].map(rowOf), {
  hint: 'Reference, recipient, phone, account, narration or receipt',
  empty: 'A payout appears here when it is accepted.',
})

export const payouts: Content = { show: (visit) => listOf(PAYOUTS, visit) }

export const payout = transactionPage(
  ({ world, params }) => world.payouts.get(params['payout_reference'] ?? ''),
  detailOf,
  playScenario,
)

function rowOf(payout: Payout): Row {
  const { instruction, funds, createdAt, paymentId, state } = payout
  const { request } = instruction
  const party = recipientOf(request)
  return {
    id: request.payout_reference,
    path: pathIn('/payouts', request.payout_reference),
    party,
    about: request.payment_description,
    amount: display(funds.amount, funds.currency),
    badge: badgeIn(BADGES, payoutStatusOf(payout)),
    at: createdAt,
    texts: [party, paymentId, receiptOf(state), ...Object.values(request)],
  }
}

function recipientOf(request: Payout['instruction']['request']): string {
  if ('recipient_name' in request) return request.recipient_name
  const { recipient_first_name, recipient_last_name, recipient_account_name } = request
  return [recipient_first_name, recipient_last_name].filter(Boolean).join(' ') || recipient_account_name
}

function detailOf(payout: Payout): Detail {
  const { instruction, funds, paymentId, createdAt, state, history, balance } = payout
  const { fee, delivered, currency } = funds
  const row = rowOf(payout)
  const receipt = receiptOf(state)
  const accepted = { at: createdAt, title: 'Payout accepted (720)', detail: [row.amount] }
  return {
    row,
    result: resultOf(payout),
    fields: {
      ...instruction.request,
      [instruction.kind === 'b2b' ? 'transaction_id' : 'payment_id']: paymentId,
    },
    facts: [
      ['Fee', display(fee, currency)],
      ['Recipient gets', display(delivered.amount, delivered.currency)],
      receipt === null ? null : ['Receipt', receipt],
      ['Float after the last change', display(balance, currency)],
    ],
    states: [accepted, ...history.slice(1).map((entry) => momentOf(payout, entry))],
    hasMoney: state.kind === 'paid',
  }
}

function momentOf(payout: Payout, { at, state }: Payout['history'][number]): Moment {
  const then = { ...payout, state }
  const { label, tone, code } = badgeIn(BADGES, payoutStatusOf(then))
  return { at, title: `${label} (${code})`, detail: [receiptOf(state), resultOf(then)], tone }
}

function receiptOf(state: PayoutState): string | null {
  return 'receipt' in state ? state.receipt : null
}
