/**
 * What has moved of a payout or to an airtime recipient: how much was paid and came back, and how that differs from the
 * request. Pure.
 */

import { z } from 'zod'

import { canonical, compare } from '../contract/decimal.ts'
import { storedAmount } from '../transactions/record.ts'

import type { TrackedOutcome } from '../api/tracked.ts'

/**
 * Returns a sentence about how the amount that the gateway reports for a payout or a recipient differs from the
 * request; `null` if it does not. Where nothing was paid, no amount has to agree. [assumed] What was paid names its amount;
 * of what is not paid yet, or went back, 0 is no other amount.
 *
 * @param reported Decimal text; `null` if the gateway reported no amount that can be read.
 */
export function findAmountDifference(
  outcome: TrackedOutcome,
  reported: string | null,
  requested: string,
): string | null {
  if (outcome === 'failed') {
    return null
  }

  const isNothing = reported === null || isZero(reported)
  if (isNothing && outcome !== 'succeeded') {
    return null
  }
  if (reported === null) {
    return 'The gateway names no amount that can be read.'
  }
  if (compare(reported, requested) === 0) {
    return null
  }
  return `The gateway has ${reported} where ${requested} was asked.`
}

/**
 * What the gateway says has moved of a payout or to a recipient: `paid` is what was paid, `returned` what of it came
 * back, as decimal text.
 */
export const movedMoney = { paid: storedAmount, returned: storedAmount }
const MovedMoney = z.object(movedMoney)
type MovedMoney = z.output<typeof MovedMoney>

/**
 * Returns what has moved after a report. [assumed] An amount that the report does not state is the one of the report
 * before it, or the requested one. What came back is all that was paid, unless the report states another amount than 0.
 *
 * @param reported Decimal text; `null` if the gateway reported no amount that can be read.
 * @param before What had moved before.
 */
export function movedAfter(
  outcome: TrackedOutcome,
  reported: string | null,
  requested: string,
  before: MovedMoney | null,
): MovedMoney {
  const known = before === null || isZero(before.paid) ? null : before.paid
  switch (outcome) {
    case 'succeeded':
      return { paid: canonical(reported ?? known ?? requested), returned: '0' }
    case 'reversed':
    case 'refunded': {
      const stated = reported === null || isZero(reported) ? null : reported
      const paid = known ?? stated ?? requested
      return { paid: canonical(paid), returned: canonical(stated ?? paid) }
    }
    case 'failed':
    case 'sending':
    case 'pending':
    case 'needs_attention':
      return { paid: '0', returned: '0' }
  }
}

function isZero(amount: string): boolean {
  return compare(amount, '0') === 0
}
