/** Reads the requested terms of a checkout from an order, completed by the settings. Pure. */

import { CHARGES_OFF, refuse } from '../api/refusal.ts'
import { partnerSharesIn } from '../config/charges.ts'
import { valueFor } from '../config/gateway.ts'
import { isWhole } from '../contract/decimal.ts'
import { completeSplits } from '../money/splits.ts'

import type { Refusal } from '../api/refusal.ts'
import type { Config } from '../config/config.ts'
import type { Order } from '../orders/order.ts'
import type { RequestedTerms } from './record.ts'

/** Returns the terms of a checkout of the order, or a refusal if the gateway takes no such order. */
export function readRequestedTerms(
  order: Order,
  { config }: { config: Pick<Config, 'gateway' | 'charges' | 'expiresInMinutes'> },
): RequestedTerms | Refusal {
  const { gateway, charges, expiresInMinutes } = config
  const { amount, currency, splits = [] } = order
  if (!isWhole(amount)) {
    const detail = `The gateway takes whole units of ${currency}, and the amount ${amount} has a fraction.`
    return refuse('amount_not_whole', detail)
  }

  const service_code = order.service ?? valueFor(gateway.serviceCodes, currency)
  if (!service_code) {
    return refuse('currency_not_supported', `GATEWAY_SERVICE_CODE has no service for ${currency}.`)
  }

  const account_number = order.account ?? valueFor(gateway.accountNumbers, currency)
  if (account_number === undefined) {
    return refuse('currency_not_supported', `GATEWAY_ACCOUNT_NUMBER has no account for ${currency}.`)
  }
  if (splits.length > 0 && !charges) {
    return CHARGES_OFF
  }

  return {
    order: order.order,
    narration: order.narration,
    amount,
    currency,
    service_code,
    account_number,
    expires_in: expiresInMinutes,
    splits: charges && splits.length > 0 ? completeSplits(splits, partnerSharesIn(charges, currency)) : [],
    stated: { service_code: order.service ?? null, account_number: order.account ?? null, splits },
  }
}
