// A request for airtime has a page, and so has each of its recipients, because each of them settles on its own.

import { sum } from '../../../../server/contract/decimal.ts'
import { playScenario } from '../../airtime/network.ts'
import { messageOf, receiptOf, statusOf } from '../../airtime/recipient.ts'
import { display } from '../../money/amounts.ts'
import { hasEachWord } from '../listing.ts'
import { AIRTIME_BADGES } from './badge.ts'
import { SCENARIO_OF } from './kind.ts'
import { timelineOf } from './moment.ts'
import type { Airtime, Recipient } from '../../airtime/recipient.ts'
import type { World } from '../../world.ts'
import type { Badge } from './badge.ts'
import type { Detail, Fact, MoneyAction, Part, Row, TransactionList, TransactionPage } from './kind.ts'
import type { Moment } from './moment.ts'

const MIXED: Badge = { key: 'mixed', label: 'Mixed results', tone: 'plain', code: null }

export const airtimeRequests: TransactionList<Airtime> = {
  path: '/airtime',
  title: 'Airtime',
  searched: 'Reference, phone or receipt',
  empty: 'A request for airtime appears here when it is accepted.',
  badges: [...Object.values(AIRTIME_BADGES), MIXED],
  all: (world) => world.airtime.values(),
  searchable: () => ({ textsOf, statusKeyOf: (airtime) => badgeOf(airtime).key }),
  rowOf: (_, airtime) => rowOf(airtime),
}

export const airtimeRequest: TransactionPage<Airtime> = {
  path: '/airtime/:reference',
  title: 'Airtime request',
  find: (world, { reference = '' }) => world.airtime.get(reference),
  detailOf: (world, airtime, search) => requestDetailOf(world, airtime, search),
  act: null,
}

export const airtimeRecipient: TransactionPage<Recipient> = {
  path: '/airtime/:reference/:phone_number',
  title: 'Airtime',
  find: (world, { reference = '', phone_number = '' }) =>
    world.airtime.get(reference)?.recipients.get(phone_number),
  detailOf: recipientDetailOf,
  act: (world, recipient, action) => playScenario(world, recipient, SCENARIO_OF[action]),
}

function textsOf({ reference, recipients }: Airtime): readonly (string | null)[] {
  return [reference, ...[...recipients.values()].flatMap(textsOfRecipient)]
}

function textsOfRecipient(recipient: Recipient): readonly (string | null)[] {
  return [recipient.phoneNumber, recipient.correlationId, receiptOf(recipient)]
}

function rowOf(airtime: Airtime): Row {
  const { reference, recipients, createdAt } = airtime
  const [first] = recipients.keys()
  const isOne = recipients.size === 1
  return {
    id: reference,
    path: pathOf(reference),
    party: isOne ? `+${first}` : `+${first} and ${recipients.size - 1} more`,
    about: isOne ? '1 recipient' : `${recipients.size} recipients`,
    amount: costOf([...recipients.values()]),
    badge: badgeOf(airtime),
    createdAt,
  }
}

/**
 * Returns the badge of a request, which has no status of its own: that of all recipients if they share one; otherwise
 * that of a recipient that needs a person or that is still waiting, if there is one.
 */
function badgeOf({ recipients }: Airtime): Badge {
  const badges = [...new Set([...recipients.values()].map((each) => AIRTIME_BADGES[statusOf(each)]))]
  const [only, ...others] = badges
  if (only && others.length === 0) return only
  return badges.find(({ tone }) => tone === 'warn') ?? badges.find(({ tone }) => tone === 'wait') ?? MIXED
}

function requestDetailOf({ ledger }: World, airtime: Airtime, search: string): Detail {
  const { reference } = airtime
  const all = [...airtime.recipients.values()]
  const shown = all.filter((each) => hasEachWord(search, textsOfRecipient(each)))
  const row = rowOf(airtime)
  const title = 'Request accepted (720)'
  const accepted = {
    at: airtime.createdAt,
    title,
    detail: row.amount,
    tone: 'plain',
    delivery: null,
  } as const
  const entries = ledger.entries().filter((entry) => entry.reference === reference)
  return {
    row,
    result: null,
    facts: [
      { label: 'reference', value: reference, as: 'code' },
      { label: 'Recipients', value: String(all.length) },
      { label: 'Created', value: String(airtime.createdAt), as: 'time' },
    ],
    parts: { title: 'Recipients', empty: 'No recipient matches the search.', rows: shown.map(partOf) },
    moments: timelineOf([accepted], entries, []),
    actions: [],
    isSettled: all.every(hasEnded),
  }
}

function recipientDetailOf(world: World, recipient: Recipient): Detail {
  const { reference, phoneNumber, history } = recipient
  const part = partOf(recipient)
  const entries = world.ledger.entries().filter((entry) => entry.reference === `${reference}/${phoneNumber}`)
  const deliveries = world.deliveries
    .list()
    .filter((delivery) => delivery.reference === reference && delivery.body.includes(phoneNumber))
  return {
    row: {
      id: phoneNumber,
      path: part.path ?? '',
      party: `+${phoneNumber}`,
      about: messageOf(recipient),
      amount: amountOf(recipient),
      badge: part.badge,
      createdAt: history[0]?.at ?? part.at,
    },
    result: messageOf(recipient),
    facts: factsOf(recipient),
    parts: null,
    moments: timelineOf(
      history.map((entry) => momentOf(recipient, entry)),
      entries,
      deliveries,
    ),
    actions: actionsOf(recipient),
    isSettled: hasEnded(recipient),
  }
}

function hasEnded({ state }: Recipient): boolean {
  return !['unprocessed', 'processing', 'reprocessing'].includes(state.kind)
}

function partOf(recipient: Recipient): Part {
  const { reference, phoneNumber, history } = recipient
  const details = [receiptOf(recipient), messageOf(recipient)]
  return {
    title: `+${phoneNumber}`,
    path: `${pathOf(reference)}/${encodeURIComponent(phoneNumber)}`,
    detail: details.filter((text) => text !== null).join(' · '),
    amount: amountOf(recipient),
    badge: AIRTIME_BADGES[statusOf(recipient)],
    at: history.at(-1)?.at ?? 0,
  }
}

function actionsOf({ state }: Recipient): readonly MoneyAction[] {
  switch (state.kind) {
    case 'delivered':
      return ['refund', 'reverse']
    case 'jammed':
      return ['resolve_paid', 'resolve_failed']
    case 'unprocessed':
    case 'processing':
    case 'reprocessing':
    case 'failed':
    case 'reversed':
    case 'refunded':
      return []
  }
}

function factsOf(recipient: Recipient): Fact[] {
  const { reference, phoneNumber, correlationId, history } = recipient
  const receipt = receiptOf(recipient)
  const facts: (Fact | null)[] = [
    { label: 'reference', value: reference, as: 'code' },
    { label: 'Phone', value: `+${phoneNumber}` },
    { label: 'Amount', value: amountOf(recipient) },
    { label: 'Cost', value: costOf([recipient]) },
    { label: 'Paid by', value: recipient.cost.accountNumber, as: 'code' },
    { label: 'correlation_id', value: correlationId, as: 'code' },
    receipt === null ? null : { label: 'provider_reference', value: receipt, as: 'code' },
    { label: 'Created', value: String(history[0]?.at), as: 'time' },
  ]
  return facts.filter((fact) => fact !== null)
}

function momentOf(recipient: Recipient, { at, state }: Recipient['history'][number]): Moment {
  const then = { ...recipient, state }
  const { label, tone, code } = AIRTIME_BADGES[statusOf(then)]
  const details = [receiptOf(then), messageOf(then)]
  const detail = details.filter((text) => text !== null).join(' · ')
  return { at, title: `${label} (${code})`, detail, tone, delivery: null }
}

function pathOf(reference: string): string {
  return `/airtime/${encodeURIComponent(reference)}`
}

function amountOf({ amount, currency }: Recipient): string {
  return display(amount, currency)
}

/** Returns what the recipients cost the merchant, in each of the currencies that pay. */
function costOf(recipients: readonly Recipient[]): string {
  const currencies = [...new Set(recipients.map(({ cost }) => cost.currency))]
  const totals = currencies.map((currency) => {
    const costs = recipients.map(({ cost }) => cost).filter((cost) => cost.currency === currency)
    return display(sum(costs.map(({ amount }) => amount)), currency)
  })
  return totals.join(' + ')
}
