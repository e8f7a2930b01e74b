/**
 * Computes a charge's outcome from its stored record. The outcome depends on whether the reported payments match the
 * requested terms. Pure.
 */

import type { TrackedOutcome, TrackedState } from '../api/tracked.ts'
import type { Discrepancy } from '../api/view.ts'
import type { PayInOutcome } from '../payins/outcome.ts'
import type { ReportedState } from '../payins/reported-state.ts'
import type { Charge, PostedCharge } from './record.ts'
import { totalOf } from '../money/charge-total.ts'
import { isInFlight, determinePayInOutcome } from '../payins/outcome.ts'

export interface ChargeOutcome extends TrackedState {
  discrepancy: Discrepancy | null
}

export function determineOutcome(charge: Pick<Charge, 'record' | 'reference'>): ChargeOutcome {
  const { record, reference } = charge
  switch (record.phase) {
    case 'intended':
      return unsettled(record.stuck === null ? 'sending' : 'needs_attention')
    case 'posted':
      return determinePosted(record, reference)
    case 'refused':
      return settledAs('failed')
  }
}

function determinePosted(record: PostedCharge, reference: string): ChargeOutcome {
  // If the gateway's reports contradict each other, a person has to check the charge. The charge stays unsettled, so
  // that its status is queried again.
  if (record.contradiction !== null) return unsettled('needs_attention')
  const { reported } = record
  if (!reported) return unsettled('pending')
  const { outcome, discrepancy, settled } = payInOutcomeOf(record, reported, reference)
  switch (outcome) {
    case 'waiting':
    case 'pending':
      return unsettled('pending')
    case 'unpaid':
      return settled || (isDirect(record, reported) && !isInFlight(reported))
        ? settledAs('failed')
        : unsettled('pending')
    case 'partial':
      return unsettled(settled || isDirect(record, reported) ? 'needs_attention' : 'pending')
    case 'expired':
      return settledAs('failed')
    case 'reversed':
    case 'refunded':
      return settledAs(outcome)
    case 'jammed':
    case 'review':
      return { ...unsettled('needs_attention'), discrepancy }
    case 'paid': {
      const state = whyUnserved(record) === null ? settledAs('succeeded') : unsettled('needs_attention')
      return { ...state, discrepancy }
    }
  }
}

/**
 * Returns why a person has to check a charge with the outcome `needs_attention`, as a sentence. For a charge with
 * another outcome, the result has no meaning.
 */
export function attentionOf({ record, reference }: Pick<Charge, 'record' | 'reference'>): string | null {
  switch (record.phase) {
    case 'intended':
      return record.stuck
    case 'refused':
      return null
    case 'posted': {
      const { contradiction, reported } = record
      if (contradiction !== null || !reported) return contradiction
      const { outcome } = payInOutcomeOf(record, reported, reference)
      return outcome === 'paid' ? whyUnserved(record) : (WHY[outcome] ?? null)
    }
  }
}

const WHY: Partial<Record<PayInOutcome['outcome'], string>> = {
  partial: 'A part was paid, and the rest no longer can be.',
  jammed: 'The payment is stuck at the operator.',
  review: 'The gateway calls it paid, and what it has is not what was asked: see discrepancy.',
}

/**
 * Returns why a person has to check a charge that was paid as requested, as a sentence; `null` if no check is needed.
 */
function whyUnserved({ confirmation, emitted }: PostedCharge): string | null {
  if (confirmation.stage === 'refused') return confirmation.why
  const isServed = confirmation.stage !== 'open' && confirmation.decision.status === 'SUCCESSFUL'
  // After a `failed` event, the merchant may have charged the payer in another way.
  return emitted.includes('failed') && !isServed ? 'It was paid after it had failed.' : null
}

function payInOutcomeOf({ request, answer }: PostedCharge, reported: ReportedState, reference: string) {
  return determinePayInOutcome(reported, {
    amount: answer?.total_amount ?? totalOf(request),
    currency: request.currency_code,
    account_number: request.account_number,
    service_code: request.service_code,
    reference,
    checkout_reference: null,
    expires_at: answer?.expires_at ?? null,
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
  return { outcome, settled: false, discrepancy: null }
}

function settledAs(outcome: TrackedOutcome): ChargeOutcome {
  return { outcome, settled: true, discrepancy: null }
}
