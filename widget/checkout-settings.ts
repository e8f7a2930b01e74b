/** Reads what the element's attributes say about a checkout, and builds the form that starts the checkout. */

import { returnAddress, serverBase } from './address.ts'
import { langOf } from './language.ts'

import type { CheckoutElement, ElementHost } from './element-host.ts'
import type { Payer } from './payer.ts'
import type { Starting } from './session/state.ts'

/** The values that the controller reads from the element's attributes. */
export interface CheckoutSettings {
  order: string
  /** The BFF's URL without a trailing slash; `null` if the `server` attribute is missing or not an HTTP URL. */
  base: string | null
  /** The `launch` attribute: `auto`, `redirect` or `popup`. All other text counts as `auto`. */
  launch: string
  fields: () => InitiateFields
}

/** The form fields of `POST /checkout/initiate`, except `launch` and the payer's details. */
export type InitiateFields = Record<'order' | 'country' | 'return_url' | 'lang', string>

/**
 * Returns the form of `POST /checkout/initiate`.
 *
 * @param prefersPopup Whether the hosted page would open in a pop-up if the BFF does not ask the payer on the phone.
 */
export function initiateForm(
  { operator, page, payer }: Starting,
  fields: InitiateFields,
  prefersPopup: boolean,
): URLSearchParams {
  const isPopup = operator === undefined ? page !== 'none' : prefersPopup
  const prompt = operator !== undefined && { method: 'prompt', payment_method_code: operator }
  return new URLSearchParams({ ...fields, ...payer, launch: isPopup ? 'popup' : 'redirect', ...prompt })
}

/** Reads the settings from the element's attributes. */
export function settingsOf({ element, environment, defaultServer }: ElementHost): CheckoutSettings {
  const { order, server, country, returnUrl, launch, baseURI } = element
  const page = returnUrl ? baseURI : environment.window.location.href
  return {
    order,
    base: serverBase(server || defaultServer(), baseURI),
    launch,
    fields: () => ({
      order,
      country,
      return_url: returnAddress(returnUrl, page),
      lang: langOf(element, environment),
    }),
  }
}

/** Returns the required attribute that is missing or invalid; `null` if `server` and `order` are valid. */
export function missingSetting({ base, order }: CheckoutSettings): 'server' | 'order' | null {
  return base === null ? 'server' : order ? null : 'order'
}

/** Returns whether the element, or a fieldset around it, is disabled. */
export function isDisabled(element: CheckoutElement): boolean {
  return element.matches(':disabled')
}

/** Returns whether a checkout can start without the form. A prompt needs only the phone number. */
export function isComplete(payer: Payer, asksPhone: boolean): boolean {
  return asksPhone ? payer.payer_msisdn !== '' : Object.values(payer).every(Boolean)
}

/** Returns the payer's details from the element's attributes; empty text for a missing attribute. */
export function givenPayer({ payerName, payerEmail, payerMsisdn }: CheckoutElement): Payer {
  return { payer_name: payerName, payer_email: payerEmail, payer_msisdn: payerMsisdn }
}
