/**
 * Finds what does not agree at the end of a day: money of which the merchant's backend does not know, another amount than
 * the order's, money that came late or twice, what corrects an earlier day, and what waits for
 * a person.
 */

import { KINDS } from '../api/kind-table.ts'
import { FOR_A_PERSON } from '../store/transactions.ts'
import { isPayIn } from './day.ts'
import { subjectOf } from './subject.ts'

import type { KindName } from '../api/kind-table.ts'
import type { StoredEvent } from '../store/events.ts'
import type { StoredNotice } from '../store/notices.ts'
import type { RowCursor, Transaction } from '../store/transactions.ts'
import type { Times } from '../work/zone.ts'
import type { DayDeps, DayRow } from './day.ts'

export const DISAGREEMENTS = [
  'unacknowledged',
  'unreceived',
  'amount',
  'late',
  'twice',
  'corrected',
  'alarm',
] as const
export type DisagreementCode = (typeof DISAGREEMENTS)[number]

export interface Disagreement {
  kind: KindName
  order: string
  /** The gateway's references of the transactions. */
  references: string[]
  why: { code: DisagreementCode; detail: string }[]
}

/** The number of transactions that a search for alarms reads at once. */
const PAGE = 100

/** Collects disagreements, one for each order: whatever else is wrong with it is said beside. */
export function createDisagreements({ store, account }: DayDeps) {
  const found = new Map<string, Disagreement>()
  /** The transactions whose events were read. */
  const seen = new Set<string>()
  return { look, addAlarms, all: () => [...found.values()] }

  async function look({ movement, row }: DayRow): Promise<void> {
    const subject = subjectOf(row, movement.part)
    if (subject.isOtherAmount) {
      add(row, 'amount', subject.reason ?? 'Another amount was paid than was asked.')
    }
    if (subject.isLate) {
      add(row, 'late', 'It was paid after you were told that it had ended.')
    }
    if (movement.is_shared) {
      add(row, 'twice', `Another transaction was paid with the same receipt, ${movement.receipt ?? ''}.`)
    }
    if (movement.corrects !== null) {
      add(row, 'corrected', `What was booked on a closed day is corrected by ${movement.booked}.`)
    }
    if (isForPerson(subject.outcome) || subject.attention !== null) {
      add(row, 'alarm', subject.attention ?? `It waits for a person: ${subject.outcome}.`)
    }
    if (seen.has(row.id)) {
      return
    }

    seen.add(row.id)
    if (await isPaidTwice(row)) {
      add(row, 'twice', 'Another checkout of the same order was paid, too.')
    }

    const events = await store.listEventsOf(row.id)
    const isUnreceived = events.some(({ finish }) => finish === 'no_receiver')
    const notices = isUnreceived ? await store.listNoticesOf(row.id) : []
    for (const { code, detail } of untold(events, notices)) {
      add(row, code, detail)
    }

    const isSilent = events.length === 0 && subject.told.length === 0
    if (isSilent && isPayIn(row.kind) && movement.moved === 'paid') {
      add(row, 'unacknowledged', 'There is money, and your backend was told nothing.')
    }
  }

  /** Adds what waits for a person, also what moved no money on the day. */
  async function addAlarms({ until }: Times): Promise<void> {
    for (const kind of Object.keys(KINDS) as KindName[]) {
      for (const outcome of FOR_A_PERSON) {
        let after: RowCursor | undefined
        let page: Transaction[]
        do {
          page = await store.search(account, kind, { outcome, after, limit: PAGE })
          for (const row of page.filter(({ created_at }) => created_at < until)) {
            const { attention } = subjectOf(row, '')
            add(row, 'alarm', attention ?? `It waits for a person: ${outcome.replace('_', ' ')}.`)
          }

          after = page.at(-1)
        } while (page.length === PAGE)
      }
    }
  }

  async function isPaidTwice(row: Transaction): Promise<boolean> {
    if (row.kind !== 'checkout' || !isPaid(row)) {
      return false
    }

    const attempts = await store.list(account, row.kind, row.group)
    return attempts.filter(isPaid).length > 1
  }

  function add(row: Transaction, code: DisagreementCode, detail: string): void {
    const { kind, group: order, reference } = row
    const key = `${kind} ${order}`
    const known = found.get(key) ?? { kind, order, references: [], why: [] }
    const references = [...new Set([...known.references, reference])]
    const isKnown = known.why.some((why) => why.code === code)
    found.set(key, { ...known, references, why: isKnown ? known.why : [...known.why, { code, detail }] })
  }
}

function isPaid(row: Transaction): boolean {
  return subjectOf(row, '').outcome === 'paid'
}

function isForPerson(outcome: string): boolean {
  return FOR_A_PERSON.some((each) => each === outcome)
}

/**
 * Returns what the merchant does not know of a transaction. Where no backend receives an event, people are told of the
 * money in its place: a message that one reader got agrees.
 */
function untold(events: readonly StoredEvent[], notices: readonly StoredNotice[]): Disagreement['why'] {
  const waiting = events.find(({ finish }) => finish === null || finish === 'given_up')
  const unreceived = events.find(({ finish }) => finish === 'no_receiver')
  const why: Disagreement['why'] = []
  if (waiting) {
    const how = waiting.finish === null ? 'has not accepted it yet' : 'refused it for about five days'
    why.push({ code: 'unacknowledged', detail: `${waiting.type}: your backend ${how}.` })
  }
  if (unreceived && notices.length === 0) {
    why.push({ code: 'unreceived', detail: `${unreceived.type}: nobody was there to receive it.` })
  }

  const unsent = findUnsent(notices)
  if (unsent) {
    why.push({ code: 'unreceived', detail: `${unsent.type}: ${describeUnsent(unsent)}` })
  }
  return why
}

/** Returns a notice of a change of money of which no reader was told. One commit stores the notices of a change. */
function findUnsent(notices: readonly StoredNotice[]): StoredNotice | undefined {
  const toldAt = new Set(
    notices.filter(({ finish }) => finish === 'told').map(({ created_at }) => created_at),
  )
  return notices.find(({ created_at }) => !toldAt.has(created_at))
}

function describeUnsent({ finish, failures }: StoredNotice): string {
  if (finish === 'given_up') {
    return 'the message about it was given up.'
  }
  return failures === 0
    ? 'the message about it was not sent yet.'
    : `the message about it was not taken; attempts so far: ${failures}.`
}
