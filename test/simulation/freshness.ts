import { readAirtime } from '../../server/airtime/record.ts'
import { readCharge } from '../../server/charges/record.ts'
import { readCheckout } from '../../server/checkouts/record.ts'
import { readConfig } from '../../server/config/config.ts'
import { isDecimal } from '../../server/contract/decimal.ts'
import { readPayout } from '../../server/payouts/record.ts'
import { createSealer, createFingerprints } from '../../server/privacy/personal.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { ENVIRONMENT } from '../support/worlds/environment.ts'

import type { Transaction } from '../../server/store/transactions.ts'
import type { Alarm } from '../../server/transactions/alarm.ts'
import type { Story } from './story.ts'

interface State {
  subject: string
  state: string
  contradiction?: number | undefined
}

/** The keys of the server, with which it stores recipients. */
const { sealingSecrets } = readConfig(ENVIRONMENT)
const fingerprints = createFingerprints(sealingSecrets)
export const sealer = createSealer(sealingSecrets, createSeededRandom(1, 'sealer'))

/** Returns the name of a recipient of airtime, whose number is not stored in clear. */
export function recipientOf(reference: string, phoneNumber: string): string {
  return `${reference}/${fingerprints.of('phone', phoneNumber)}`
}

export type Freshness = ReturnType<typeof createFreshness>

export function createFreshness(story: Story) {
  /**
   * The reported states of each subject, oldest first, without repetitions of the last state. A subject is a
   * transaction or a recipient of airtime.
   */
  const reported = new Map<string, string[]>()
  const stored = new Map<string, number>()

  return {
    // Called when the gateway computes its response, which may arrive later.
    report(subject: string, state: string): void {
      const states = reported.get(subject) ?? []
      if (states.at(-1) !== state) {
        states.push(state)
      }

      reported.set(subject, states)
    },

    forget: () => stored.clear(),

    check(row: Transaction): void {
      for (const { subject, state, contradiction } of statesOf(row)) {
        const states = reported.get(subject) ?? []
        const before = stored.get(subject) ?? 0
        const index = states.findIndex((reported, at) => at >= before && state.startsWith(reported))
        if (index === -1) {
          story.violation(`${subject} went back to ${state} after the gateway reported ${states[before]}.`)
        } else {
          stored.set(subject, index)
        }
        if (contradiction === undefined || index === -1) {
          continue
        }
        if (!states.slice(index).some((later) => Number.parseInt(later) === contradiction)) {
          story.violation(
            `${subject} needs attention because of ${contradiction}, which is older than ${state}.`,
          )
        }
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
      return record.phase === 'open' ? payInStates(subject, record) : []
    }
    case 'payout': {
      const { record } = readPayout(row)
      if (record.phase !== 'accepted' || record.reported === null) {
        return []
      }

      const contradiction = contradictionIn(record.alarm)
      return [{ subject, state: String(record.reported.payment_status), contradiction }]
    }
    case 'airtime':
      return readAirtime(row).record.recipients.flatMap(({ fingerprint, reported, alarm }) => {
        if (reported === null) {
          return []
        }

        const contradiction = contradictionIn(alarm)
        return [
          { subject: `${subject}/${fingerprint}`, state: String(reported.service_status), contradiction },
        ]
      })
  }
}

interface PayIn {
  reported: { status: number; amount: string | null } | null
  alarm: Alarm | null
}

function payInStates(subject: string, { reported, alarm }: PayIn): State[] {
  if (reported === null) {
    return []
  }

  // What states no amount is stored without one.
  const state = payInState(reported.status, reported.amount ?? '0')
  return [{ subject, state, contradiction: contradictionIn(alarm) }]
}

/** Returns the status, with the amount if it can be read. The server may store any amount for one that cannot. */
export function payInState(status: number, amount: string | null | undefined): string {
  return isDecimal(amount ?? '') ? `${status}, ${amount} received` : String(status)
}

function contradictionIn(alarm: Alarm | null): number | undefined {
  const status = /sa(?:ys|id) (\d+) after/.exec(alarm?.why ?? '')?.[1]
  return status === undefined ? undefined : Number(status)
}
