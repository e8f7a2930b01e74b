// Each recipient of a request for airtime settles on its own, and is a transaction here.

import { AIRTIME_STATUS } from '../../../../server/contract/status.ts'
import { playScenario } from '../../airtime/network.ts'
import { entryOf, messageOf, receiptOf, statusOf } from '../../airtime/recipient.ts'
import { display } from '../../money/amounts.ts'
import { listOf } from '../list.ts'
import { pathIn } from '../page.ts'
import { badgeIn, badgesOf, kindList, transactionPage } from './transaction.ts'
import type { Recipient } from '../../airtime/recipient.ts'
import type { Content, Visit } from '../page.ts'
import type { Detail, Row } from './transaction.ts'

const BADGES = badgesOf(AIRTIME_STATUS)

export const AIRTIME = kindList(
  BADGES,
  ({ world }) => [...world.airtime.values()].flatMap(({ recipients }) => [...recipients.values()].map(rowOf)),
  {
    hint: 'Reference, phone or receipt',
    empty: 'A recipient of airtime appears here when a request is accepted.',
  },
)

export const airtime: Content = { show: (visit) => listOf(AIRTIME, visit) }

export const recipient = transactionPage(
  ({ world, params: { reference = '', phone_number = '' } }) =>
    world.airtime.get(reference)?.recipients.get(phone_number),
  detailOf,
  playScenario,
)

function rowOf(recipient: Recipient): Row {
  const { reference, phoneNumber, correlationId, history, amount, currency } = recipient
  const receipt = receiptOf(recipient)
  return {
    id: `+${phoneNumber}`,
    path: pathIn('/airtime', reference, phoneNumber),
    party: reference,
    about: receipt,
    amount: display(amount, currency),
    badge: badgeIn(BADGES, statusOf(recipient)),
    at: history[0]?.at ?? 0,
    texts: [phoneNumber, reference, correlationId, receipt],
  }
}

function detailOf(recipient: Recipient, { world }: Visit): Detail {
  const { reference, phoneNumber, cost, history, state } = recipient
  const row = rowOf(recipient)
  return {
    row: { ...row, party: row.id },
    result: messageOf(recipient),
    fields: entryOf(recipient),
    facts: [
      ['Cost', display(cost.amount, cost.currency)],
      ['Paid by', cost.accountNumber],
    ],
    states: history.map((entry) => {
      const then = { ...recipient, state: entry.state }
      const { label, tone, code } = badgeIn(BADGES, statusOf(then))
      return { at: entry.at, title: `${label} (${code})`, detail: [receiptOf(then), messageOf(then)], tone }
    }),
    reference: `${reference}/${phoneNumber}`,
    deliveries: world.deliveries
      .list()
      .filter((delivery) => delivery.reference === reference && delivery.body.includes(phoneNumber)),
    hasMoney: state.kind === 'delivered',
  }
}
