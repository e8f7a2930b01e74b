/**
 * Computes a charge's outcome from its stored record. The outcome depends on whether the reported payments match the
 * requested terms. Pure.
 */

import type { TrackedOutcome, TrackedState } from '../api/tracked.ts'
import type { Discrepancy } from '../api/view.ts'
import type { ReportedState } from '../payins/reported-state.ts'
import type { Charge, PostedCharge } from './record.ts'
import { totalOf } from '../money/charge-total.ts'
import { determinePayInOutcome } from '../payins/outcome.ts'
import { DAY } from '../transactions/schedule.ts'

export interface ChargeOutcome extends TrackedState {
  discrepancy: Discrepancy | null
  /** Why a person has to check the charge, as a sentence; `null` unless the outcome is `needs_attention`. */
  attention: string | null
}

export function determineOutcome(charge: Charge): ChargeOutcome {
  const { record } = charge
  switch (record.phase) {
    case 'intended':
      return record.stuck === null ? unsettled('sending') : needsAttention(record.stuck)
    case 'posted':
      return determinePosted({ ...charge, record })
    case 'refused':
      return settledAs('failed')
  }
}

function determinePosted(charge: Charge<PostedCharge>): ChargeOutcome {
  const { contradiction, reported } = charge.record
  // If the gateway's reports contradict each other, a person has to check the charge. The charge stays unsettled, so
  // that its status is queried again.
  if (contradiction !== null) return needsAttention(contradiction)
  if (!reported) return unsettled('pending')
  const { outcome, discrepancy, settled } = payInOutcomeOf(charge, reported)
  switch (outcome) {
    case 'waiting':
    case 'pending':
      return unsettled('pending')
    case 'unpaid':
      return settled ? settledAs('failed') : unsettled('pending')
    case 'partial':
      return settled ? needsAttention('A part was paid; the rest no longer can be.') : unsettled('pending')
    case 'expired':
      return settledAs('failed')
    case 'reversed':
    case 'refunded':
      return settledAs(outcome)
    case 'jammed':
      return needsAttention('The payment is stuck at the operator.')
    case 'review':
      return needsAttention(WHY_REVIEWED, discrepancy)
    case 'paid': {
      const why = whyUnserved(charge.record)
      return why === null ? { ...settledAs('succeeded'), discrepancy } : needsAttention(why, discrepancy)
    }
  }
}

const WHY_REVIEWED = 'There may be money, and not as it was asked: see status, amount_paid and discrepancy.'

/**
 * Returns why a person has to check a charge that was paid as requested, as a sentence; `null` if no check is needed.
 */
function whyUnserved({ confirmation, emitted }: PostedCharge): string | null {
  if (confirmation.stage === 'refused') return confirmation.why
  const isServed = confirmation.stage !== 'open' && confirmation.decision.status === 'SUCCESSFUL'
  // After a `failed` event, the merchant may have charged the payer in another way.
  return emitted.includes('failed') && !isServed ? 'It was paid after it had failed.' : null
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

function unsettled(outcome: TrackedOutcome): ChargeOutcome {
  return { outcome, settled: false, discrepancy: null, attention: null }
}

function settledAs(outcome: TrackedOutcome): ChargeOutcome {
  return { ...unsettled(outcome), settled: true }
}

function needsAttention(attention: string, discrepancy: Discrepancy | null = null): ChargeOutcome {
  return { ...unsettled('needs_attention'), discrepancy, attention }
}
