// What payments, charges, payouts and airtime have in common: the badges of their statuses, their lists, and their
// pages.

import { groupDigits } from 'gateway-checkout/words'

import { display } from '../../money/amounts.ts'
import { currencyOfAccount } from '../../money/ledger.ts'
import { FINANCE } from '../../users/roles.ts'
import { card, code, columns, joined, link, small, tag, text, timeline } from '../card.ts'
import { choice, ticked } from '../fields.ts'
import { byBadge, tableOf } from '../list.ts'
import { declareForm, done, itemContent, pathIn, refused } from '../page.ts'

import type { Delivery } from '../../callbacks/deliveries.ts'
import type { Failure } from '../../errors/failure.ts'
import type { Entry } from '../../money/ledger.ts'
import type { World } from '../../world.ts'
import type { Badge, Facts, Moment, Tone } from '../card.ts'
import type { Columns, List } from '../list.ts'
import type { Content, View, Visit } from '../page.ts'
import type { Child } from 'hono/jsx'

/** Returns the badges of statuses. Their labels are the names that the contract gives to the statuses. */
export function badgesOf(statuses: Readonly<Record<string, number>>): readonly Badge[] {
  return Object.entries(statuses).map(([name, code]) => ({ label: wordsOf(name), tone: toneOf(name), code }))
}

/** @param name The name that the contract gives to a status. */
function toneOf(name: string): Tone {
  if (/^(paid|successful|processed)$/.test(name)) {
    return 'good'
  }
  if (/^(expired|reversed|refunded)$/.test(name)) {
    return 'plain'
  }
  if (name === 'failed') {
    return 'bad'
  }
  return name === 'jammed' ? 'warn' : 'wait'
}

/** Returns the words of a name: "Not enough money" of "not_enough_money", "Wrong PIN" of "wrong_pin". */
export function wordsOf(name: string): string {
  const words = name.replaceAll(/_|(?=[A-Z])/g, ' ').toLowerCase()
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/ pin$/, ' PIN')
}

export function badgeIn(badges: readonly Badge[], status: number): Badge {
  return badges.find(({ code }) => code === status) ?? { label: 'Unknown', tone: 'warn', code: status }
}

/** Returns a phone number as people compare it; the sandbox stores its digits. */
export const phoneOf = (digits: string) => groupDigits(`+${digits}`)

/** A transaction, or a part of one, as a line of a list. */
export interface Row {
  readonly id: string
  /** The path of its page, below `/portal`; absent if it has none. */
  readonly path?: string
  /** Who pays or receives. */
  readonly party: string
  readonly phone?: string | null
  readonly about: string | null
  /** With its currency, for people. */
  readonly amount: string
  readonly badge: Badge
  /** What the badge does not say, such as the reason of a failure. */
  readonly remark?: string
  /** Milliseconds since the Unix epoch. */
  readonly at: number
}

/** A transaction with everything that is known about it. */
export interface Transaction extends Row {
  /** The description of the last result, for people. */
  readonly result?: string | null
  /** What was requested, and what the gateway knows, under the names of the specification. A search finds each. */
  readonly fields: Readonly<Record<string, unknown>>
  /** What a search finds, too. */
  readonly texts: readonly unknown[]
  readonly facts: (visit: Visit) => Facts
  /** The attempts to pay. */
  readonly attempts?: () => readonly Row[]
  /** What has happened besides the money and the callbacks. */
  readonly states: () => readonly Moment[]
  /** The reference of its ledger entries. Default: the id of the row. */
  readonly reference?: string
  /** Whether a callback with the id of the row is about it. Default: each is. */
  readonly isAbout?: (delivery: Delivery) => boolean
  /** Whether it has money that can be given back. */
  readonly hasMoney: boolean
}

const ROW_COLUMNS: Columns<Row> = [
  ['Amount', 'top', ({ path, amount }) => (path === undefined ? amount : link(path, amount))],
  ['Status', 'middle-end', ({ badge, remark = '' }) => [tag(badge), small(remark)]],
  ['Payer or recipient', 'middle', ({ party, phone }) => [text(party), small(phone ?? '')]],
  ['Time', 'bottom', ({ at }, { zone }) => zone.when(at)],
  ['Reference', 'below', ({ id, about }) => [text(id), small(about ?? '')]],
]

interface Kind {
  /** How the statuses of the kind look. */
  readonly badges: readonly Badge[]
  /** All transactions, the oldest first. */
  readonly all: (visit: Visit) => readonly Transaction[]
  /** By what they are searched, besides the amount. */
  readonly hint: string
  /** What is said instead of a list without transactions. */
  readonly empty: string
}

/** Returns the list of all transactions of one kind, the newest first. */
export function kindList({ badges, all, hint, empty }: Kind): List<Transaction> {
  return {
    empty,
    all: (visit) => all(visit).toReversed(),
    columns: ROW_COLUMNS,
    search: {
      hint: `${hint} or amount`,
      textsOf: ({ party, amount, fields, texts }) => [party, amount, ...Object.values(fields), ...texts],
      timeOf: ({ at }) => at,
      status: byBadge(badges, ({ badge }) => badge),
    },
  }
}

// By the scenario that does it: why money is given back, and how a jammed transaction ended. [assumed] A refund and a
// reversal give back all that was received.
const GIVE_BACK = {
  refund: 'Refund: goods or service were not delivered',
  reverse: 'Reversal: the transaction was a mistake',
}
const RESOLVE = {
  success: 'The operator has moved the money',
  decline: 'The operator has not moved the money',
}

/** What people with the right to move money do with a transaction. */
export type MoneyAction = keyof typeof GIVE_BACK | keyof typeof RESOLVE

/**
 * Returns the page of one transaction, with the forms that move its money.
 *
 * @param read Returns what the page shows of an item.
 * @param act Moves money. Returns a failure if the state of the item does not allow it.
 */
export function transactionPage<Item>(
  find: (visit: Visit) => Item | undefined,
  read: (item: Item, visit: Visit) => Transaction,
  act: (world: World, item: Item, action: MoneyAction) => Failure | null,
): Content {
  const send = (notice: string) => (visit: Visit, typed: { as: MoneyAction }, item: Item) => {
    const failure = act(visit.world, item, typed.as)
    return failure === null ? done(notice) : refused('as', failure.message)
  }
  return itemContent<Item>({
    find,
    show: (item, visit) => show(read(item, visit), visit),
    forms: {
      'give-back': declareForm({
        roles: FINANCE,
        submit: 'Give the money back',
        about: 'This cannot be undone.',
        button: 'danger',
        fields: { as: choice('How', GIVE_BACK), sure: ticked('Yes, give all of it back') },
        send: send('The money was given back.'),
      }),
      resolve: declareForm({
        roles: FINANCE,
        submit: 'Record the result',
        about: 'Ask the operator whether the money has moved, and record the answer here.',
        fields: { as: choice('How it ended', RESOLVE), sure: ticked('Yes, the operator confirmed this') },
        send: send('The result was recorded.'),
      }),
    },
  })
}

function show(transaction: Transaction, visit: View) {
  const { amount, badge, party, phone, about, remark, result, fields, hasMoney } = transaction
  const attempts = transaction.attempts?.()
  const texts = Object.entries(fields).filter(([, value]) => typeof value === 'string' && value !== '')
  return columns(
    [
      card({
        amount,
        tag: tag(badge),
        text: [text(joined([party, phone, about])), ...new Set([remark, result])],
      }),
      attempts &&
        card({
          title: 'Attempts',
          text: [attempts.length === 0 ? 'Nobody has tried to pay yet.' : null],
          content: attempts.length > 0 && tableOf('Attempts', ROW_COLUMNS, attempts, visit),
        }),
      card({ title: 'Timeline', content: timeline(momentsOf(visit.world, transaction), visit.zone) }),
    ],
    [
      badge.tone === 'warn' ? visit.showForm('resolve', { title: 'Stuck at the operator' }) : null,
      hasMoney ? visit.showForm('give-back', { title: 'Refund or reverse' }) : null,
      card({ title: 'Details', facts: transaction.facts(visit) }),
      card({ title: 'Fields', facts: texts.map(([name, value]) => [name, code(String(value))]) }),
    ],
  )
}

// Lines of one instant keep this order: states, money, callbacks.
function momentsOf({ deliveries, ledger }: World, transaction: Transaction): readonly Moment[] {
  const { id, states, reference = id, isAbout = () => true } = transaction
  const callbacks = deliveries.list().filter((delivery) => delivery.reference === id && isAbout(delivery))
  const entries = ledger.entries().filter((entry) => entry.reference === reference)
  const moments = [...states(), ...entries.map(entryMoment), ...callbacks.flatMap(attemptMoments)]
  return moments.toSorted((one, other) => one.at - other.at)
}

function entryMoment({ at, what, lines }: Entry): Moment {
  const detail = lines.map(
    ({ account, amount }) => `${account} ${signed(amount, currencyOfAccount(account))}`,
  )
  return { at: Date.parse(at), title: `Ledger: ${what}`, detail }
}

/** Writes an amount with its sign, such as "+KES 500". */
export function signed(amount: string, currency: string): string {
  return amount.startsWith('-') ? `−${display(amount.slice(1), currency)}` : `+${display(amount, currency)}`
}

/** Returns a line for each attempt to deliver a callback. */
export function attemptMoments({ id, url, attempts }: Delivery): readonly Moment[] {
  return attempts.map(({ at, took_ms, outcome }, index) => {
    const isAcknowledged = 'status' in outcome && outcome.status === 200
    const answer = 'status' in outcome ? `answered ${outcome.status}` : outcome.error
    const body = 'status' in outcome && !isAcknowledged ? outcome.answer : null
    const title = isAcknowledged ? 'Callback acknowledged' : 'Callback not acknowledged'
    const detail = [`Attempt ${index + 1} to ${url}: ${answer} after ${took_ms} ms`, body]
    const tone = isAcknowledged ? 'good' : 'bad'
    return { at: Date.parse(at), title, detail, tone, path: pathIn('/deliveries', id) }
  })
}

/**
 * Returns a link to the transaction that has the reference, or the bare text if none has it.
 *
 * @param reference The reference of a callback or of a ledger entry.
 * @param written The text of the link.
 */
export function transactionLink(world: World, reference: string, written: Child = text(reference)) {
  const path = pathOf(world, reference)
  return path === null ? written : link(path, written)
}

function pathOf({ sessions, payouts, airtime }: World, reference: string): string | null {
  const session = sessions.get(reference)
  if (session) {
    return pathIn(session.instruction.kind === 'charge' ? '/charges' : '/payments', reference)
  }
  if (payouts.has(reference)) {
    return pathIn('/payouts', reference)
  }
  if (airtime.has(reference)) {
    return `/airtime?q=${encodeURIComponent(reference)}`
  }

  // In the ledger, a recipient of airtime has the reference `{reference}/{phone_number}`.
  const [, request = '', phone = ''] = /^(.+)\/([^/]*)$/s.exec(reference) ?? []
  return airtime.get(request)?.recipients.has(phone) ? pathIn('/airtime', request, phone) : null
}
