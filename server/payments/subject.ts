/** What a person is told of the transaction of a movement: whatever its kind, in the same words. Pure. */

import { determineOutcome as determineRecipient, readAirtime } from '../airtime/record.ts'
import { determineOutcome as determineCharge, readCharge } from '../charges/record.ts'
import { determineOutcome as determineCheckout, readCheckout } from '../checkouts/record.ts'
import { attentionOf } from '../checkouts/transition.ts'
import { determineOutcome as determinePayout, readPayout } from '../payouts/record.ts'
import { RecordError } from '../transactions/record.ts'
import { isOfLate } from '../transactions/told.ts'

import type { Discrepancy } from '../api/view.ts'
import type { Transaction } from '../store/transactions.ts'

export interface Subject {
  /** What the payer pays for; `null` where it is not known. */
  narration: string | null
  outcome: string
  /** Why the outcome is what it is, as a sentence; `null` if there is nothing to say. */
  reason: string | null
  /** Why a person has to look; `null` if nobody has to. */
  attention: string | null
  /** Whether the gateway holds another amount than the order's. */
  isOtherAmount: boolean
  /** Whether the money came after the merchant was told of an end. */
  isLate: boolean
  /** What the merchant was told of it: the types of the events, without the prefix. */
  told: readonly string[]
}

const DIFFERENCES: Readonly<Record<Discrepancy, string>> = {
  excess: 'More was paid than was asked.',
  short: 'Less was paid than was asked.',
  amount: 'The amounts that the gateway reports do not agree.',
  currency: 'It was paid in another currency than was asked.',
  account: 'It was paid to another account than was asked.',
  service: 'It was paid for another service than was asked.',
  reference: 'The gateway reports it under another reference.',
}

/** @param part The part of the transaction that has moved: of airtime, the fingerprint of a recipient. */
export function subjectOf(row: Transaction, part: string): Subject {
  try {
    return readSubject(row, part)
  } catch (error) {
    if (!(error instanceof RecordError)) {
      throw error
    }

    const why = 'Its record cannot be read.'
    const known = { narration: null, outcome: row.outcome, told: [], isOtherAmount: false, isLate: false }
    return { ...known, reason: why, attention: why }
  }
}

function readSubject(row: Transaction, part: string): Subject {
  switch (row.kind) {
    case 'checkout': {
      const checkout = readCheckout(row)
      const { requested, told } = checkout.record
      const { narration } = requested
      return payInSubject({
        ...determineCheckout(checkout),
        narration,
        told,
        attention: attentionOf(checkout),
      })
    }
    case 'charge': {
      const charge = readCharge(row)
      const { narration, told } = charge.record
      return payInSubject({ ...determineCharge(charge), narration, told })
    }
    case 'payout': {
      const { record } = readPayout(row)
      const narration = record.call.request?.payment_description ?? null
      return moneyOutSubject({ ...determinePayout(record), narration, told: record.told })
    }
    case 'airtime': {
      const { record } = readAirtime(row)
      const recipient = record.recipients.find(({ fingerprint }) => fingerprint === part)
      const standing = recipient
        ? determineRecipient(record, recipient)
        : { outcome: row.outcome, attention: null }
      return moneyOutSubject({ ...standing, narration: null, told: recipient?.told ?? [] })
    }
  }
}

type Standing = Pick<Subject, 'narration' | 'outcome' | 'attention' | 'told'>

function payInSubject({ discrepancy, ...known }: Standing & { discrepancy: Discrepancy | null }): Subject {
  const { narration, outcome, attention, told } = known
  const isPart = outcome === 'partial'
  const difference = discrepancy && DIFFERENCES[discrepancy]
  const isAmountDifferent = discrepancy !== null && ['excess', 'short', 'amount'].includes(discrepancy)
  return {
    narration,
    outcome,
    attention,
    told,
    reason: attention ?? difference ?? (isPart ? DIFFERENCES.short : null),
    isOtherAmount: isPart || isAmountDifferent,
    isLate: told.includes('paid_late') || isOfLate(attention),
  }
}

function moneyOutSubject({ narration, outcome, attention, told }: Standing): Subject {
  const isLate = isOfLate(attention)
  return { narration, outcome, attention, told, reason: attention, isOtherAmount: false, isLate }
}
