/**
 * Handles the gateway's ids (`charge_request_id`) of charges whose response was lost. Pure.
 *
 * Some gateways report the status of a charge only under their own id. If the response was lost, the server learns this
 * id only from a callback. Callbacks are not signed, so the server only queries the status under this id, and uses the
 * answer only if it matches the charge.
 */

import type { ChargeStatus } from '../contract/charge-status.ts'
import type { Priced } from '../money/charge-total.ts'
import { z } from 'zod'
import { id, reference } from '../contract/fields.ts'
import { isTotalOf } from '../money/charge-total.ts'

/** The maximum number of ids from callbacks that a charge stores. A further id replaces the oldest id. */
const MAX_NAMED_IDS = 4

/** The terms of a charge, with which an answer is compared. */
interface ChargeTerms extends Priced {
  currency_code: string
  account_number: string
  service_code: string
}

/** Returns the ids with `named` as the first. Returns `ids` itself if `named` is already the first. */
export function addNamedId(ids: readonly string[], named: string): readonly string[] {
  return ids[0] === named ? ids : [named, ...ids.filter((each) => each !== named)].slice(0, MAX_NAMED_IDS)
}

const NamedId = id.pipe(reference)
const Named = z.object({ charge_request_id: NamedId })
const Listing = z.object({ payments: z.array(z.unknown()) })

/**
 * Returns the gateway's id of a charge from the body of a callback; `null` if the body contains none. If the body
 * contains several payment records, the last one counts.
 */
export function readNamedId(body: unknown): string | null {
  const last = Listing.safeParse(body).data?.payments.at(-1) ?? body
  return Named.safeParse(last).data?.charge_request_id ?? null
}

/**
 * Returns whether the answer to a status query is about the requested charge. Compares the currency, account and
 * service, if the answer contains them. Also compares the amount, unless the answer is about a session that is not
 * paid. The client has already compared the reference.
 */
export function isAbout(
  request: ChargeTerms,
  { amount, checkout_reference, currency, payments, status }: ChargeStatus,
): boolean {
  const { currency_code, account_number, service_code } = request
  const agrees = (found: string | null, expected: string) => found === null || found === expected
  const isRequested = payments.every(
    (payment) =>
      agrees(payment.currency_code, currency_code) &&
      agrees(payment.account_number, account_number) &&
      agrees(payment.service_code, service_code) &&
      // A session may have several payments, each of a part of the amount.
      (checkout_reference !== null || isTotalOf(request, payment.amount)),
  )
  return agrees(currency, currency_code) && isRequested && (status !== 801 || isTotalOf(request, amount))
}
