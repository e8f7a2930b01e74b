/**
 * Computes a charge's outcome from its stored record. The outcome depends on whether the reported payments match the
 * requested terms. Pure.
 */

import type { Discrepancy } from '../api/view.ts'
import type { ReportedState } from '../payins/reported-state.ts'
import type { Standing } from '../transactions/transition.ts'
import type { Charge, PostedCharge } from './record.ts'
import { totalOf } from '../money/charge-total.ts'
import { determinePayInOutcome } from '../payins/outcome.ts'
import { DAY } from '../transactions/schedule.ts'
import { hasEnded, LATE, standing } from '../transactions/transition.ts'

export interface ChargeOutcome extends Standing {
  discrepancy: Discrepancy | null
}

export function determineOutcome(charge: Charge): ChargeOutcome {
  const { record } = charge
  switch (record.phase) {
    case 'intended':
      return { ...standing('sending', record.stuck), discrepancy: null }
    case 'posted':
      return { discrepancy: null, ...determinePosted({ ...charge, record }) }
    case 'refused':
      return { ...standing('failed'), discrepancy: null }
  }
}

function determinePosted(charge: Charge<PostedCharge>): Standing & Partial<ChargeOutcome> {
  const { alarm, reported } = charge.record
  // If a person has to check the charge, it stays unsettled, so that its status is queried again.
  if (alarm !== null || !reported) return standing('pending', alarm?.why)
  const { outcome, discrepancy, settled } = payInOutcomeOf(charge, reported)
  switch (outcome) {
    case 'waiting':
    case 'pending':
      return standing('pending')
    case 'unpaid':
      return standing(settled ? 'failed' : 'pending')
    case 'partial':
      return standing('pending', settled ? 'A part was paid; the rest no longer can be.' : null)
    case 'expired':
      return standing('failed')
    case 'reversed':
    case 'refunded':
      return standing(outcome)
    case 'jammed':
      return standing('pending', 'The payment is stuck at the operator.')
    case 'review':
      return { ...standing('pending', WHY_REVIEWED), discrepancy }
    case 'paid':
      return { ...standing('succeeded', whyUnserved(charge.record)), discrepancy }
  }
}

const WHY_REVIEWED = 'There may be money, and not as it was asked: see status, amount_paid and discrepancy.'

/**
 * Returns why a person has to check a charge that was paid as requested, as a sentence; `null` if no check is needed.
 */
function whyUnserved({ confirmation, told }: PostedCharge): string | null {
  if (confirmation.stage === 'refused') return confirmation.why
  const isServed = confirmation.stage !== 'open' && confirmation.decision.status === 'SUCCESSFUL'
  return hasEnded(told) && !isServed ? LATE : null
}

function payInOutcomeOf({ record, reference, created_at }: Charge<PostedCharge>, reported: ReportedState) {
  const { request, answer } = record
  return determinePayInOutcome(reported, {
    ...request,
    amount: answer?.total_amount ?? totalOf(request),
    currency: request.currency_code,
    reference,
    checkout_reference: null,
    // [assumed] A charge without a time of expiry can be paid for a day.
    expires_at: answer?.expires_at ?? created_at + DAY,
    is_prompt: isDirect(record, reported),
  })
}

/**
 * Returns whether the charge is direct: the gateway asks the payer to approve the payment, without a hosted page. Other
 * charges can be paid on a hosted page until the session expires.
 *
 * [assumed] The gateway asks the payer of a direct charge only once. A charge that the gateway reports as one payment
 * is direct.
 */
function isDirect({ request }: PostedCharge, { checkout_reference }: ReportedState): boolean {
  return request.payment_method_code !== undefined || checkout_reference === null
}
