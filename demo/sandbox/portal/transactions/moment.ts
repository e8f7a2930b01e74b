// A transaction's timeline: its states, the money that moved, and the callbacks that were sent, in order.

import { display } from '../../money/amounts.ts'
import { currencyOfAccount } from '../../money/ledger.ts'
import type { Delivery } from '../../callbacks/deliveries.ts'
import type { Entry, Line } from '../../money/ledger.ts'
import type { Tone } from './badge.ts'

/** One line of a timeline. */
export interface Moment {
  /** Milliseconds since the Unix epoch. */
  at: number
  title: string
  detail: string | null
  tone: Tone
  /** The id of the delivery that the line is about; `null` for other lines. */
  delivery: string | null
}

/**
 * Merges the lines of a timeline, the oldest first. Lines of one instant keep this order: states, money, callbacks.
 *
 * @param entries The ledger entries of the transaction.
 * @param deliveries The callbacks of the transaction.
 */
export function timelineOf(
  states: readonly Moment[],
  entries: readonly Entry[],
  deliveries: readonly Delivery[],
): Moment[] {
  return [...states, ...entries.map(moneyMoved), ...deliveries.flatMap(attempted)].toSorted(
    (one, other) => one.at - other.at,
  )
}

function moneyMoved({ at, what, lines }: Entry): Moment {
  return {
    at: Date.parse(at),
    title: `Ledger: ${what}`,
    detail: lines.map(writtenLine).join(' · '),
    tone: 'plain',
    delivery: null,
  }
}

function writtenLine({ account, amount }: Line): string {
  const sign = amount.startsWith('-') ? '−' : '+'
  return `${account} ${sign}${display(amount.replace('-', ''), currencyOfAccount(account))}`
}

function attempted({ id, url, attempts }: Delivery): Moment[] {
  return attempts.map(({ at, took_ms, outcome }, index) => {
    const isAcknowledged = 'status' in outcome && outcome.status === 200
    const answer = 'status' in outcome ? `answered ${outcome.status}` : outcome.error
    return {
      at: Date.parse(at),
      title: isAcknowledged ? 'Callback acknowledged' : 'Callback not acknowledged',
      detail: `Attempt ${index + 1} to ${url}: ${answer} after ${took_ms} ms`,
      tone: isAcknowledged ? 'good' : 'bad',
      delivery: id,
    }
  })
}
