/** What became of a charge. Pure. Whether money agrees with what was asked is judged as for checkouts. */

import type { TrackedOutcome } from '../api/tracked.ts'
import type { Discrepancy } from '../api/view.ts'
import type { Verdict as Seeming } from '../payins/outcome.ts'
import type { Charge, PostedCharge } from './record.ts'
import { totalOf } from '../money/charge-total.ts'
import { isInFlight, determinePayInOutcome } from '../payins/outcome.ts'

export interface Verdict {
  outcome: TrackedOutcome
  settled: boolean
  discrepancy: Discrepancy | null
}

export function determineOutcome(charge: Pick<Charge, 'record' | 'reference'>): Verdict {
  const { record, reference } = charge
  switch (record.phase) {
    case 'intended':
      return verdict(record.stuck === null ? 'sending' : 'needs_attention')
    case 'posted':
      return judgePosted(record, reference)
    case 'refused':
      return end('failed')
  }
}

function judgePosted(record: PostedCharge, reference: string): Verdict {
  // A contradiction is no status: it stays until a person has looked, and settles nothing.
  if (record.contradiction !== null) return verdict('needs_attention')
  const seeming = seemingOf(record, reference)
  if (!seeming) return verdict('pending')
  const { discrepancy, settled } = seeming
  switch (seeming.outcome) {
    case 'waiting':
    case 'pending':
      return verdict('pending')
    case 'unpaid':
      return settled || isOver(record) ? end('failed') : verdict('pending')
    case 'partial':
      return verdict(settled || isDirect(record) ? 'needs_attention' : 'pending')
    case 'expired':
      return end('failed')
    case 'reversed':
    case 'refunded':
      return end(seeming.outcome)
    case 'jammed':
    case 'review':
      return { ...verdict('needs_attention'), discrepancy }
    case 'paid':
      return {
        ...(whyUndecided(record) === null ? end('succeeded') : verdict('needs_attention')),
        discrepancy,
      }
  }
}

/** Why a person has to look at a charge that needs one. */
export function whyNeeded({ record, reference }: Pick<Charge, 'record' | 'reference'>): string | null {
  switch (record.phase) {
    case 'intended':
      return record.stuck
    case 'refused':
      return null
    case 'posted': {
      const { contradiction } = record
      const seeming = seemingOf(record, reference)
      if (contradiction !== null || !seeming) return contradiction
      if (seeming.outcome === 'paid') return whyUndecided(record)
      return WHY[seeming.outcome] ?? null
    }
  }
}

const WHY: Partial<Record<Seeming['outcome'], string>> = {
  partial: 'A part was paid, and the rest no longer can be.',
  jammed: 'The payment is stuck at the operator.',
  review: 'The gateway calls it paid, and what it has is not what was asked: see discrepancy.',
}

/** Why money that agrees with what was asked still waits for a person; `null` when it does not. */
function whyUndecided({ fulfilment, told }: PostedCharge): string | null {
  if (fulfilment.stage === 'refused') return fulfilment.why
  const isServed = fulfilment.stage !== 'open' && fulfilment.decision.status === 'SUCCESSFUL'
  // Told as failed, the merchant may have charged by another way.
  return told.includes('failed') && !isServed ? 'It was paid after it had failed.' : null
}

function seemingOf({ reported, request, answer }: PostedCharge, reference: string): Seeming | null {
  if (!reported) return null
  return determinePayInOutcome(reported, {
    amount: answer?.total_amount ?? totalOf(request),
    currency: request.currency_code,
    account_number: request.account_number,
    reference,
    checkout_reference: null,
    expires_at: answer?.expires_at ?? null,
  })
}

/** [assumed] The payer of a direct charge is asked once; of a hosted page, until its session is over. */
function isOver({ request, reported }: PostedCharge): boolean {
  return isDirect({ request }) && reported !== null && !isInFlight(reported)
}

function isDirect({ request }: Pick<PostedCharge, 'request'>): boolean {
  return request.payment_method_code !== undefined
}

function verdict(outcome: TrackedOutcome): Verdict {
  return { outcome, settled: false, discrepancy: null }
}

function end(outcome: TrackedOutcome): Verdict {
  return { outcome, settled: true, discrepancy: null }
}
