/** What the merchant may see of a fulfilment. Pure. */

import type { TrackedFulfilment } from '../api/charge.ts'
import type { ServiceConfirmation } from '../transactions/service-confirmation.ts'

export function trackedConfirmationOf(fulfilment: ServiceConfirmation): TrackedFulfilment {
  const { stage } = fulfilment
  switch (stage) {
    case 'open':
      return { stage, status: null, narration: null, payment_id: null, message: null }
    case 'decided':
      return { stage, ...fulfilment.decision, message: null }
    case 'confirmed':
      return { stage, ...fulfilment.decision, message: fulfilment.message }
    case 'refused':
      return { stage, ...fulfilment.decision, message: fulfilment.why }
  }
}
