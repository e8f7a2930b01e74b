/** Lists the movements of money by airtime: what each recipient was paid, and what came back. Pure. */

import { canonical } from '../contract/decimal.ts'
import { localCurrencyOf } from '../contract/phone-number.ts'
import { STATUS_RULES } from './record.ts'

import type { Moved, Movement } from '../store/movements.ts'
import type { Airtime, Recipient } from './record.ts'

/**
 * Returns the movements of all recipients. A failure is listed, too, although no money has moved. [assumed] The time of a
 * movement is when the gateway first reported it, because an entry of its list has no time.
 */
export function movementsOfAirtime({ record }: Airtime): Movement[] {
  return record.recipients.flatMap((recipient) => {
    if (record.phase === 'rejected') {
      return movementOf(recipient, 'failed', record.rejected_at)
    }

    const { reported } = recipient
    if (record.phase !== 'accepted' || reported === null) {
      return []
    }

    const { service_status, since, paid, returned } = reported
    const { outcome } = STATUS_RULES.statuses[service_status]
    switch (outcome) {
      case 'succeeded':
        return movementOf(recipient, 'paid', since, paid)
      case 'reversed':
      case 'refunded':
        return [
          ...movementOf(recipient, 'paid', since, paid),
          ...movementOf(recipient, outcome, since, returned),
        ]
      case 'failed':
        return movementOf(recipient, 'failed', since)
      case 'sending':
      case 'pending':
      case 'needs_attention':
        return []
    }
  })
}

/**
 * Returns one movement; none for a recipient that was not requested.
 *
 * @param amount What has moved: decimal text. Default: the requested amount.
 */
function movementOf(
  { phone_number, fingerprint, amount: requested }: Recipient,
  moved: Moved,
  at: number,
  amount = requested,
): Movement[] {
  if (requested === null || amount === null) {
    return []
  }

  return [
    {
      part: fingerprint,
      moved,
      at,
      amount: canonical(amount),
      currency: (phone_number && localCurrencyOf(phone_number)) ?? '',
      service: null,
      operator: null,
      isFound: phone_number !== null,
      receipt: null,
      phone: phone_number === null ? null : fingerprint,
      ends: null,
      key: null,
    },
  ]
}
