/** Defines what the element's attributes say about a checkout, and builds the form that starts the checkout. */

import type { Starting } from './session/state.ts'

/** The values that the controller reads from the element's attributes. */
export interface CheckoutSettings {
  order: string
  /** The BFF's URL without a trailing slash; `null` if the `server` attribute is missing or not an HTTP URL. */
  base: string | null
  /** The `launch` attribute: `auto`, `redirect` or `popup`. All other text counts as `auto`. */
  launch: string
  fields: () => InitiateFields
  /** Returns the text that a pop-up shows until the hosted page's URL is known. */
  text: () => string
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
