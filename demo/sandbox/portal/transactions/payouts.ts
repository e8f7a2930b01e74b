// Money that goes out: payouts, and airtime, of which each recipient settles on its own and is a transaction here.

import { AIRTIME_STATUS, PAYOUT_STATUS } from '../../../../server/contract/status.ts'
import { entryOf, messageOf, statusOf } from '../../airtime/recipient.ts'
import { display } from '../../money/amounts.ts'
import { payoutStatusOf, resultOf } from '../../payouts/payout.ts'
import { SCENARIOS } from '../../scenarios.ts'
import { receiptOf } from '../../settlement/funds.ts'
import { play } from '../../settlement/operator.ts'
import { pathIn } from '../page.ts'
import { badgeIn, badgesOf, kindList, transactionPage } from './transaction.ts'
import type { Recipient } from '../../airtime/recipient.ts'
import type { Payout } from '../../payouts/payout.ts'
import type { Settling, State } from '../../settlement/funds.ts'
import type { Moment } from '../card.ts'
import type { Visit } from '../page.ts'
import type { Detail, Row } from './transaction.ts'

type Then = { readonly state: State }

/** How the states of a kind look. */
function statesOf(
  statuses: Readonly<Record<string, number>>,
  statusOf: (then: Then) => number,
  resultOf: (then: Then) => string,
) {
  const badges = badgesOf(statuses)
  return {
    badges,
    badgeOf: (then: Then) => badgeIn(badges, statusOf(then)),
    momentsOf: ({ history }: Settling): Moment[] =>
      history.map(({ at, state }) => {
        const { label, tone, code } = badgeIn(badges, statusOf({ state }))
        return { at, title: `${label} (${code})`, detail: [receiptOf({ state }), resultOf({ state })], tone }
      }),
  }
}

const OF_PAYOUTS = statesOf(PAYOUT_STATUS, payoutStatusOf, resultOf)
const OF_AIRTIME = statesOf(AIRTIME_STATUS, statusOf, messageOf)

export const PAYOUTS = kindList(
  OF_PAYOUTS.badges,
  ({ world }) => [...world.payouts.values()].map(payoutRow),
  'Reference, recipient, phone, account, narration, receipt',
  'A payout appears here when it is accepted.',
)

export const AIRTIME = kindList(
  OF_AIRTIME.badges,
  ({ world }) =>
    [...world.airtime.values()].flatMap(({ recipients }) => [...recipients.values()].map(airtimeRow)),
  'Reference, phone, receipt',
  'A recipient of airtime appears here when a request is accepted.',
)

export const payout = transactionPage(
  ({ world, params }) => world.payouts.get(params['payout_reference'] ?? ''),
  payoutDetail,
  (world, item, action) => play(world, item, SCENARIOS[action].payout),
)

export const recipient = transactionPage(
  ({ world, params: { reference = '', phone_number = '' } }) =>
    world.airtime.get(reference)?.recipients.get(phone_number),
  airtimeDetail,
  (world, item, action) => play(world, item, SCENARIOS[action].airtime),
)

function payoutRow(payout: Payout): Row {
  const { instruction, funds, createdAt, paymentId } = payout
  const { request } = instruction
  const party = recipientOf(request)
  return {
    id: request.payout_reference,
    path: pathIn('/payouts', request.payout_reference),
    party,
    phone: 'recipient_name' in request ? null : `+${request.recipient_phone_number}`,
    about: request.payment_description,
    amount: display(funds.amount, funds.currency),
    badge: OF_PAYOUTS.badgeOf(payout),
    remark: payout.state.kind === 'failed' ? resultOf(payout) : '',
    at: createdAt,
    texts: [party, paymentId, receiptOf(payout), ...Object.values(request)],
  }
}

function recipientOf(request: Payout['instruction']['request']): string {
  if ('recipient_name' in request) return request.recipient_name
  const { recipient_first_name, recipient_last_name, recipient_account_name } = request
  return [recipient_first_name, recipient_last_name].filter(Boolean).join(' ') || recipient_account_name
}

function payoutDetail(payout: Payout): Detail {
  const { instruction, funds, paymentId, createdAt, state, balance } = payout
  const { fee, delivered, currency } = funds
  const row = payoutRow(payout)
  const receipt = receiptOf(payout)
  const accepted = { at: createdAt, title: 'Payout accepted (720)', detail: [row.amount] }
  const id = instruction.kind === 'b2b' ? 'transaction_id' : 'payment_id'
  return {
    row,
    result: resultOf(payout),
    fields: { ...instruction.request, [id]: paymentId },
    facts: [
      ['Fee', display(fee, currency)],
      ['Recipient gets', display(delivered.amount, delivered.currency)],
      receipt === null ? null : ['Receipt', receipt],
      ['Float after the last change', display(balance, currency)],
    ],
    states: [accepted, ...OF_PAYOUTS.momentsOf(payout).slice(1)],
    hasMoney: state.kind === 'paid',
  }
}

function airtimeRow(recipient: Recipient): Row {
  const { reference, phoneNumber, correlationId, createdAt, funds } = recipient
  const receipt = receiptOf(recipient)
  return {
    id: reference,
    path: pathIn('/airtime', reference, phoneNumber),
    party: `+${phoneNumber}`,
    about: receipt,
    amount: display(funds.delivered.amount, funds.delivered.currency),
    badge: OF_AIRTIME.badgeOf(recipient),
    remark: recipient.state.kind === 'failed' ? messageOf(recipient) : '',
    at: createdAt,
    texts: [phoneNumber, reference, correlationId, receipt],
  }
}

function airtimeDetail(recipient: Recipient, { world }: Visit): Detail {
  const { reference, phoneNumber, funds, state } = recipient
  return {
    row: airtimeRow(recipient),
    result: messageOf(recipient),
    fields: entryOf(recipient),
    facts: [
      ['Cost', display(funds.amount, funds.currency)],
      ['Paid by', funds.accountNumber],
    ],
    states: OF_AIRTIME.momentsOf(recipient),
    reference: funds.reference,
    deliveries: world.deliveries
      .list()
      .filter((each) => each.reference === reference && each.body.includes(phoneNumber)),
    hasMoney: state.kind === 'paid',
  }
}
