/** Computes a payout's outcome from its stored record. Pure. [spec: Payout payment status] */

import type { PayoutStatus } from '../contract/status.ts'
import type { TrackedState } from '../api/tracked.ts'
import type { PayoutRecord } from './record.ts'
import { reportedTerms } from './variants.ts'

const MEANING = {
  700: { outcome: 'succeeded', settled: true },
  701: { outcome: 'failed', settled: true },
  702: { outcome: 'reversed', settled: true },
  703: { outcome: 'pending', settled: false },
  704: { outcome: 'needs_attention', settled: false },
  705: { outcome: 'refunded', settled: true },
} as const satisfies Record<PayoutStatus, TrackedState>

export function determineOutcome(record: PayoutRecord): TrackedState {
  switch (record.phase) {
    case 'intended':
      return { outcome: record.stuck === null ? 'sending' : 'needs_attention', settled: false }
    case 'rejected':
      return { outcome: 'failed', settled: true }
    case 'accepted':
      // If the gateway's reports contradict the request or each other, a person has to check the payout. The payout
      // stays unsettled, so that its status is queried again.
      if (record.contradiction !== null) return { outcome: 'needs_attention', settled: false }
      return record.reported === null
        ? { outcome: 'pending', settled: false }
        : MEANING[reportedTerms(record.reported).status]
  }
}
