// Payouts, and airtime, of which each recipient settles on its own and is a transaction here.

import { ACKNOWLEDGEMENT_CODE, AIRTIME_STATUS, PAYOUT_STATUS } from '../../../../server/contract/status.ts'
import { notPossible } from '../../errors/failure.ts'
import { entryOf, messageOf, statusOf as airtimeStatusOf } from '../../money-out/airtime-recipient.ts'
import { receiptOf } from '../../money-out/funds.ts'
import { play } from '../../money-out/operator.ts'
import { payoutStatusOf, resultOf } from '../../money-out/payout.ts'
import { display } from '../../money/amounts.ts'
import { SCENARIOS } from '../../scenarios.ts'
import { pathIn } from '../page.ts'
import { badgeIn, badgesOf, kindList, phoneOf, transactionPage } from './every-kind.ts'

import type { Recipient } from '../../money-out/airtime-recipient.ts'
import type { Settling, State } from '../../money-out/funds.ts'
import type { Payout } from '../../money-out/payout.ts'
import type { PayoutEffect } from '../../scenarios.ts'
import type { World } from '../../world.ts'
import type { Moment } from '../card.ts'
import type { MoneyAction, Transaction } from './every-kind.ts'

/** What has a state now, or had it in its history. */
type HasState = { readonly state: State }
type Statuses = typeof PAYOUT_STATUS | typeof AIRTIME_STATUS

/** Returns how the states of a kind look, as a badge and as lines of a timeline. */
function statesOf(
  statuses: Statuses,
  statusOf: (item: HasState) => number,
  resultOf: (item: HasState) => string,
) {
  const badges = badgesOf(statuses)
  return {
    badges,
    badgeOf: (item: HasState) => badgeIn(badges, statusOf(item)),
    momentsOf: ({ history }: Settling): Moment[] =>
      history.map(({ at, state }) => {
        const { label, tone, code } = badgeIn(badges, statusOf({ state }))
        return { at, title: `${label} (${code})`, detail: [receiptOf({ state }), resultOf({ state })], tone }
      }),
  }
}

const OF_PAYOUTS = statesOf(PAYOUT_STATUS, payoutStatusOf, resultOf)
const OF_AIRTIME = statesOf(AIRTIME_STATUS, airtimeStatusOf, messageOf)

export const PAYOUTS = kindList({
  badges: OF_PAYOUTS.badges,
  all: ({ world }) => [...world.payouts.values()].map(payoutOf),
  hint: 'Reference, recipient, phone, account, narration, receipt',
  empty: 'A payout appears here when it is accepted.',
})

export const AIRTIME = kindList({
  badges: OF_AIRTIME.badges,
  all: ({ world: { airtime } }) =>
    [...airtime.values()].flatMap(({ recipients }) => [...recipients.values()].map(airtimeOf)),
  hint: 'Reference, phone, receipt',
  empty: 'A recipient of airtime appears here when a request is accepted.',
})

export const payout = transactionPage(
  ({ world, params }) => world.payouts.get(params['payout_reference'] ?? ''),
  payoutOf,
  (world, item, action) => act(world, item, action, SCENARIOS[action].payout),
)

export const recipient = transactionPage(
  ({ world, params: { reference = '', phone_number = '' } }) =>
    world.airtime.get(reference)?.recipients.get(phone_number),
  airtimeOf,
  (world, item, action) => act(world, item, action, SCENARIOS[action].airtime),
)

/** A person may end only what is jammed; what is still on its way ends by itself. */
function act(world: World, item: Payout | Recipient, action: MoneyAction, effect: PayoutEffect) {
  const resolves = action === 'success' || action === 'decline'
  if (resolves && item.state.kind !== 'jammed') {
    return notPossible(`It is ${item.state.kind}, not jammed.`)
  }
  return play(world, item, effect)
}

function payoutOf(payout: Payout): Transaction {
  const { instruction, funds, createdAt, paymentId, state, balance } = payout
  const { request } = instruction
  const { amount, fee, currency, delivered } = funds
  const receipt = receiptOf(payout)
  const requested = display(amount, currency)
  return {
    id: request.payout_reference,
    path: pathIn('/payouts', request.payout_reference),
    party: recipientOf(request),
    phone: 'recipient_name' in request ? null : phoneOf(request.recipient_phone_number),
    about: request.payment_description,
    amount: requested,
    badge: OF_PAYOUTS.badgeOf(payout),
    remark: state.kind === 'failed' ? resultOf(payout) : '',
    at: createdAt,
    result: resultOf(payout),
    fields: { ...request, [instruction.kind === 'b2b' ? 'transaction_id' : 'payment_id']: paymentId },
    texts: [receipt],
    facts: () => [
      ['Fee', display(fee, currency)],
      ['Recipient gets', display(delivered.amount, delivered.currency)],
      receipt === null ? null : ['Receipt', receipt],
      ['Float after the last change', display(balance, currency)],
    ],
    states: () => [
      { at: createdAt, title: `Payout accepted (${ACKNOWLEDGEMENT_CODE.accepted})`, detail: [requested] },
      // The first state is the acceptance.
      ...OF_PAYOUTS.momentsOf(payout).slice(1),
    ],
    hasMoney: state.kind === 'paid',
  }
}

function recipientOf(request: Payout['instruction']['request']): string {
  if ('recipient_name' in request) {
    return request.recipient_name
  }

  const { recipient_first_name, recipient_last_name, recipient_account_name } = request
  return [recipient_first_name, recipient_last_name].filter(Boolean).join(' ') || recipient_account_name
}

function airtimeOf(recipient: Recipient): Transaction {
  const { reference, phoneNumber, createdAt, funds, state } = recipient
  return {
    id: reference,
    path: pathIn('/airtime', reference, phoneNumber),
    party: phoneOf(phoneNumber),
    about: receiptOf(recipient),
    amount: display(funds.delivered.amount, funds.delivered.currency),
    badge: OF_AIRTIME.badgeOf(recipient),
    remark: state.kind === 'failed' ? messageOf(recipient) : '',
    at: createdAt,
    result: messageOf(recipient),
    fields: entryOf(recipient),
    texts: [],
    facts: () => [
      ['Cost', display(funds.amount, funds.currency)],
      ['Paid by', funds.accountNumber],
    ],
    states: () => OF_AIRTIME.momentsOf(recipient),
    reference: funds.reference,
    isAbout: ({ body }) => body.includes(phoneNumber),
    hasMoney: state.kind === 'paid',
  }
}
