/**
 * Chooses the payer's details for a checkout: those of the order, or those of the shopper's request. Pure.
 *
 * Completes a phone number, of which the element has only counted the characters (`widget/state/payer.ts`), by the calling
 * code. Whether a number can be one is said by `contract/phone-number.ts`, with which the schema of a request refuses it.
 */

import { invalid } from '../api/refusal.ts'
import { readCountry } from '../contract/country.ts'
import { compactNumber, hasCallingCode, readPhoneNumber } from '../contract/phone-number.ts'
import { readEmail } from '../contract/text.ts'

import type { Refusal } from '../api/refusal.ts'
import type { Order } from '../orders/order.ts'

export interface Payer {
  name?: string | undefined
  email?: string | undefined
  /** The phone number, with its country code if the country is known. */
  msisdn?: string | undefined
}

/**
 * Returns the payer's details: those of the order, completed by those of the request. If a detail of the request
 * differs from the order's, only the request's details count. Otherwise, the gateway could get the name of one person
 * together with the phone number of another.
 *
 * @param countryCode The two letters of the country whose calling code is added to a phone number without one; `null` if
 * every number has one. A number that needs the code of an unknown country is refused, not completed by another one.
 */
export function choosePayer(order: Order, payer: Payer, countryCode: string | null): Payer | Refusal {
  const country = readCountry(countryCode ?? '')
  const numbers = [payer.msisdn, order.payer?.msisdn]
  const isIncomplete = numbers.some((number) => number !== undefined && !hasCallingCode(number))
  if (countryCode !== null && country === null && isIncomplete) {
    return refuseNational(countryCode)
  }

  const read = ({ name, email, msisdn }: Payer) => ({
    name,
    email: email && readEmail(email),
    msisdn: msisdn && (readPhoneNumber(msisdn, country) ?? unreadable(msisdn)),
  })
  const ofRequest = read(payer)
  const ofOrder = read(order.payer ?? {})
  const differs = (field: keyof Payer) =>
    ofRequest[field] !== undefined && ofOrder[field] !== undefined && ofRequest[field] !== ofOrder[field]
  if (differs('name') || differs('email') || differs('msisdn')) {
    return ofRequest
  }

  return {
    name: ofOrder.name ?? ofRequest.name,
    email: ofOrder.email ?? ofRequest.email,
    msisdn: ofOrder.msisdn ?? ofRequest.msisdn,
  }
}

/**
 * Returns what the schema of the request refuses at its field. The schema knows no country: it would read the digits of a
 * national number that cannot be one as the number of another country.
 */
function unreadable(msisdn: string): string {
  return compactNumber(msisdn).startsWith('+') ? msisdn : '?'
}

function refuseNational(countryCode: string): Refusal {
  const message = `must begin with + and its calling code: ${JSON.stringify(countryCode)} is not the two letters of a country`
  return invalid([{ path: 'payer_msisdn', message }])
}
