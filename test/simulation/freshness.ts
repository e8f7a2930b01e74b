/**
 * Checks that a stored state never goes back to an earlier report of the gateway. Two replicas may query the gateway
 * about one transaction at the same time, and the older response may arrive last.
 */

import type { Transaction } from '../../server/store.ts'
import type { Story } from './story.ts'
import { readAirtime } from '../../server/airtime/record.ts'
import { readCharge } from '../../server/charges/record.ts'
import { readCheckout } from '../../server/checkouts/record.ts'
import { readPayout } from '../../server/payouts/record.ts'
import { reportedTerms } from '../../server/payouts/variants.ts'

/** The state of a transaction, or of one recipient of airtime, as the gateway reports it. */
interface State {
  subject: string
  state: string
  /** The status that contradicts the stored one, if the server noticed a contradiction. */
  contradiction?: number | undefined
}

export type Freshness = ReturnType<typeof createFreshness>

export function createFreshness(story: Story) {
  /** The different states of each subject, in the order in which the gateway reported them. */
  const reported = new Map<string, string[]>()
  /** Index of the stored state of each subject in `reported`. */
  const stored = new Map<string, number>()

  return {
    /** Records a state when the gateway computes the response. The response may arrive later. */
    report(subject: string, state: string): void {
      const states = reported.get(subject) ?? []
      if (states.at(-1) !== state) states.push(state)
      reported.set(subject, states)
    },

    /** Checks a row after each commit. */
    check(row: Transaction): void {
      for (const { subject, state, contradiction } of statesOf(row)) {
        const states = reported.get(subject) ?? []
        const before = stored.get(subject) ?? 0
        const index = states.indexOf(state, before)
        if (index === -1)
          story.violation(`${subject} went back to ${state} after the gateway reported ${states[before]}.`)
        else stored.set(subject, index)
        if (contradiction === undefined || index === -1) continue
        if (!states.slice(index).some((later) => Number.parseInt(later) === contradiction))
          story.violation(
            `${subject} needs attention because of ${contradiction}, which is older than ${state}.`,
          )
      }
    },
  }
}

function statesOf(row: Transaction): State[] {
  const subject = row.reference
  switch (row.kind) {
    case 'checkout': {
      const { record } = readCheckout(row)
      return record.phase === 'open' ? payInStates(subject, record) : []
    }
    case 'charge': {
      const { record } = readCharge(row)
      return record.phase === 'posted' ? payInStates(subject, record) : []
    }
    case 'payout': {
      const { record } = readPayout(row)
      if (record.phase !== 'accepted' || record.reported === null) return []
      const contradiction = contradictionIn(record.contradiction)
      return [{ subject, state: String(reportedTerms(record.reported).status), contradiction }]
    }
    case 'airtime':
      return readAirtime(row).record.recipients.flatMap(({ phone_number, reported, attention }) => {
        if (reported === null) return []
        const contradiction = contradictionIn(attention)
        return [
          { subject: `${subject}/${phone_number}`, state: String(reported.service_status), contradiction },
        ]
      })
  }
}

interface PayIn {
  reported: { status: number; amount: string } | null
  contradiction: number | string | null
}

function payInStates(subject: string, { reported, contradiction }: PayIn): State[] {
  if (reported === null) return []
  const state = payInState(reported.status, reported.amount)
  return [{ subject, state, contradiction: contradictionIn(contradiction) }]
}

export const payInState = (status: number, amount: string) => `${status}, ${amount} received`

/** Reads the status from a contradiction, such as "The gateway says 700 after 701." */
function contradictionIn(contradiction: number | string | null): number | undefined {
  if (typeof contradiction === 'number') return contradiction
  const status = /sa(?:ys|id) (\d+) after/.exec(contradiction ?? '')?.[1]
  return status === undefined ? undefined : Number(status)
}
