/**
 * Reads what the element's attributes say about a checkout, and builds the form that starts the checkout. If the second
 * file cannot be had, a press posts this form itself.
 */

import type { Payer } from '../state/payer.ts'
import type { Starting } from '../state/state.ts'
import type { CheckoutElement, ElementHost, Press } from './element-host.ts'
import type { Environment } from './environment.ts'

/** The form fields of `POST /checkout/initiate`, except `launch` and the payer's details. */
type InitiateFields = Record<'order' | 'country' | 'return_url' | 'lang', string>

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
  const isPopup = operator === null ? page !== 'none' : prefersPopup
  const prompt = operator !== null && { method: 'prompt', payment_method_code: operator }
  return new URLSearchParams({ ...fields, ...payer, launch: isPopup ? 'popup' : 'redirect', ...prompt })
}

/** Opens the hosted page in the window `target`. The payment server answers the form with a redirect. */
export function postPress(host: ElementHost, { opens, payer }: Press, target: string): void {
  const { element, environment, dispatch } = host
  const { base, fields } = settingsOf(host)
  if (!base || !element.isConnected || (!opens && !dispatch('checkout-open', null))) {
    return
  }

  const { document } = environment.window
  const action = `${base}/checkout/initiate`
  const form = Object.assign(document.createElement('form'), {
    acceptCharset: 'utf-8',
    method: 'post',
    action,
    target,
  })
  for (const [name, value] of Object.entries({ ...fields(), ...payer, launch: 'redirect' })) {
    form.append(Object.assign(document.createElement('input'), { name, value }))
  }

  // Nothing is drawn before the form is removed.
  document.body.append(form)
  form.submit()
  form.remove()
}

/**
 * Reads the settings from the element's attributes. `base` is the BFF's URL without a trailing slash; `null` if the
 * `server` attribute is missing or not an HTTP URL.
 */
export function settingsOf({ element, environment, defaultServer }: ElementHost) {
  const { order, server, country, returnUrl } = element
  // Never the document's base URL, which markup in a comment can change.
  const page = environment.window.location.href
  return {
    order,
    base: serverBase(server || defaultServer(), page),
    fields: (): InitiateFields => ({
      order,
      country,
      return_url: returnAddress(returnUrl, page),
      lang: langOf(element, environment),
    }),
  }
}

/** Returns the required attribute that is missing or invalid; `null` if `server` and `order` are valid. */
export function missingSetting({ base, order }: ReturnType<typeof settingsOf>): 'server' | 'order' | null {
  if (base === null) {
    return 'server'
  }
  return order ? null : 'order'
}

/** Returns whether the element, or a fieldset around it, is disabled. */
export function isDisabled(element: CheckoutElement): boolean {
  return element.matches(':disabled')
}

/** Returns the payer's details from the element's attributes; empty text for a missing attribute. */
export function givenPayer({ payerName, payerEmail, payerMsisdn }: CheckoutElement): Payer {
  return { payer_name: payerName, payer_email: payerEmail, payer_msisdn: payerMsisdn }
}

/**
 * Returns the BFF's absolute URL without a trailing slash; `null` if `server` is not an HTTP URL.
 *
 * @param server The value of the `server` attribute.
 * @param page The URL of the page, against which a relative `server` is resolved.
 */
export function serverBase(server: string, page: string): string | null {
  return (server.trim() && /^https?:.*[^/]/.exec(resolve(server, page))?.[0]) || null
}

/**
 * Returns `given`, the value of the `return-url` attribute, as an absolute URL. An invalid value is returned unchanged.
 *
 * [assumed] Without the `return-url` attribute, the shopper returns to the current page: without its query and its
 * fragment if its URL is too long, and nowhere if it is a frame without an address of its own.
 */
export function returnAddress(given: string, page: string): string {
  if (given) {
    return resolve(given, page)
  }
  return page.replace(page.length > LONGEST_RETURN_URL ? /[?#].*/ : /^(about|blob):.*/, '')
}

/** The length of the longest return URL that the BFF takes. */
const LONGEST_RETURN_URL = 2_000

/** Returns `address` as an absolute URL. An invalid address is returned unchanged. */
function resolve(address: string, page: string): string {
  try {
    return new URL(address, page).href
  } catch {
    return address
  }
}

/**
 * Returns the element's BCP 47 language tag: the nearest `lang` attribute of the element and its ancestors, also
 * outside of shadow roots, or the browser's language. The `lang` property is not read, because a form with an input
 * named "lang" has this input as its `lang` property. A locale, such as "fr_FR", is read as the tag "fr-FR".
 */
export function langOf(element: Element, environment: Environment): string {
  const lang = element.closest('[lang]:not([lang=""])')?.getAttribute('lang')
  if (lang) {
    return lang.replaceAll('_', '-')
  }

  const root = element.getRootNode()
  return root instanceof ShadowRoot ? langOf(root.host, environment) : environment.window.navigator.language
}
