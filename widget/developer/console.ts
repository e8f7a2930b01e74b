/**
 * Logs errors to the browser's console, for the developers of the page. Each message names the cause and the remedy.
 * The element downloads this module when the first error occurs.
 */

import type { CheckoutErrorDetail } from '../state/events.ts'
import type { CheckoutErrorCode, ElementErrorCode } from '../state/failure.ts'

interface Circumstances {
  /** What the element itself says of the error. */
  message: string
  /** Returns the value of an attribute of the element; empty text if the attribute is missing. */
  attribute: (name: string) => string
  /** The BFF's URL; empty text if the URL is unknown. */
  base: string
  window: Window & typeof globalThis
}

type Message = (circumstances: Circumstances) => string

/** The console messages for errors that the element itself detects. */
const DETECTED = {
  no_server: ({ attribute, window }) =>
    attribute('server')
      ? `server="${attribute('server')}" is not a web address${frameNote(window)}. Write the payment server's, such as https://pay.shop.example.`
      : `The attribute server is missing. Write the payment server's address, such as https://pay.shop.example. ${explainScript(window)}`,
  no_order: () => `The attribute order is missing. Write the reference of the order, or a signed order.`,
  network: explainNetwork,
  timeout: ({ base }) =>
    `${base} did not answer within 30 s. Check whether it is overloaded or waits for the gateway.`,
  invalid_answer: (circumstances) =>
    `${serverOf(circumstances)} does not answer as a payment server does: ${circumstances.message}. Check that server is its full address, ` +
    `with https://, and that no proxy answers in its place.`,
  popup_blocked: () =>
    `The browser blocked the pop-up, so the element shows a link. Call start() inside a click and before any await, ` +
    `or set launch="redirect".`,
  prompt_off: ({ base }) =>
    `method="prompt": ${base} cannot ask on the phone, and opens the payment page. Set GATEWAY_CHARGE_PATH and ` +
    `GATEWAY_CHARGE_METHODS, with an operator that takes the order's currency.`,
  unknown_value: ({ attribute }) =>
    `launch="${attribute('launch')}" theme="${attribute('theme')}" method="${attribute('method')}" help="${attribute('help')}": launch may be ` +
    `auto, redirect or popup, theme auto, light or dark, and method page or prompt. Any other value counts as the first. ` +
    `In help, only addresses with tel:, mailto: or https: are shown.`,
} satisfies Record<ElementErrorCode, Message>

/** Remedies for errors that the BFF reports. The remedy is logged after the BFF's own error message. */
const REMEDIES = {
  order_unknown: ({ attribute }) =>
    `The shop knows no order "${attribute('order')}". Check what ORDERS_URL, or your function, returns for it.`,
  order_expired: () =>
    `Sign the order when the page is rendered, and for as long as a shopper may stay on it.`,
  origin_not_allowed: (circumstances) =>
    publicUrlRemedy(circumstances) || `Add ${circumstances.window.location.origin} to ALLOWED_ORIGINS.`,
  return_url_not_allowed: (circumstances) =>
    publicUrlRemedy(circumstances) ||
    `Add the page that the shopper returns to, or its folder, to RETURN_URLS. Without RETURN_URLS, add its origin to ALLOWED_ORIGINS.`,
  currency_not_supported: () => `Add a service for the currency to GATEWAY_SERVICE_CODE.`,
  not_found: ({ base }) =>
    `HTTP 404 below ${base}/. Check that server is the payment server's address, the same as its PUBLIC_URL.`,
  unknown_checkout: ({ base }) =>
    `Check that checkout-id was created by ${base} with the store that it uses now.`,
  orders_unavailable: checkLog,
  gateway_refused: checkLog,
  gateway_contradiction: checkLog,
  gateway_answer_invalid: checkLog,
  gateway_unavailable: checkLog,
  internal: checkLog,
} satisfies Partial<Record<CheckoutErrorCode, Message>>

export const MESSAGES: Partial<Record<CheckoutErrorCode, Message>> = { ...DETECTED, ...REMEDIES }

const logged = new Set<string>()

/**
 * Logs an error to the console, but each message only once per page. The log level is `warn` if a retry may succeed,
 * otherwise `error`.
 *
 * @returns The message for a page that is being developed, if its developers can do something: the payment server is on
 *   this machine, or the checkout is a test. Otherwise empty text.
 */
export function explain(
  { code, message, retryable, view }: CheckoutErrorDetail,
  element: Element,
  base: string | null,
  window: Window & typeof globalThis,
): string {
  const attribute = (name: string) => element.getAttribute(name) ?? ''
  const remedy = MESSAGES[code]?.({ message, attribute, base: base ?? '', window }) ?? ''
  const sentence = (code in DETECTED ? remedy : `${message} ${remedy}`).trim()
  const text = `<${element.localName}> ${code}: ${sentence}`
  if (!logged.has(text)) {
    window.console[retryable ? 'warn' : 'error'](text, element)
  }

  logged.add(text)
  const isTest = view?.environment === 'sandbox' || isLocal(base ?? '')
  return isTest && remedy ? sentence : ''
}

function isLocal(address: string): boolean {
  return /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/.test(address)
}

let isTrustedTypesExplained = false

/**
 * Logs once that the page's Content Security Policy forbids Lit's Trusted Types policy. Lit then cannot define the
 * element, and violates the policy again with each download of the second file.
 */
export function explainTrustedTypes(): void {
  if (isTrustedTypesExplained) {
    return
  }

  isTrustedTypesExplained = true
  window.console.error(
    `<gateway-checkout> trusted_types: The Content-Security-Policy of this page has to allow Lit's policy: ` +
      `trusted-types lit-html. Add 'allow-duplicates' if other scripts of the page contain Lit. Until then, the button opens the payment page in this window.`,
  )
}

/**
 * Returns why the element's script does not tell the payment server's address; empty text if its name is not unusual.
 */
function explainScript({ document }: Window): string {
  const names = [...document.scripts].map(({ src }) => /\/(gateway-checkout[@.](?!js)[^/?#]+)/.exec(src)?.[1])
  const name = names.find(Boolean)
  return name ? `It is known without the attribute only from gateway-checkout.js, not from ${name}.` : ''
}

/** Returns why a relative address is none in a frame without an address of its own; otherwise empty text. */
function frameNote({ location }: Window): string {
  const [scheme] = /^(about:\w+|blob:)/.exec(location.href) ?? []
  return scheme ? `, and a relative one has no meaning in a frame of ${scheme}` : ''
}

/**
 * Returns what to do if a page of the payment server's own origin is refused: the server then expects itself at another
 * address. Empty text if the page has another origin.
 */
function publicUrlRemedy({ base, window }: Circumstances): string {
  const isOwn = `${base}/`.startsWith(`${window.location.origin}/`)
  return isOwn ? `The payment server has another address in PUBLIC_URL: set it to ${base}.` : ''
}

function checkLog(): string {
  return `Check the payment server's log.`
}

/**
 * Returns the BFF's URL for use in a message. If the `server` attribute is missing, the text also says that the URL is
 * the origin of the element's script.
 */
function serverOf({ attribute, base }: Circumstances): string {
  return attribute('server')
    ? base
    : `${base} (the origin of the script, because the attribute server is missing)`
}

/**
 * Returns the message for a request without a response. Browsers hide the reason, so the message names likely causes.
 * [assumed]
 */
function explainNetwork(circumstances: Circumstances): string {
  const { base, window } = circumstances
  const { location, navigator } = window
  const { origin, protocol } = new URL(base)
  if (!navigator.onLine) {
    return 'The browser is offline.'
  }
  if (location.protocol === 'file:') {
    return `A page opened from disk has no origin that could be allowed. Serve it over http on your machine.`
  }
  if (location.protocol === 'https:' && protocol === 'http:' && !isLocal(base)) {
    return `A page over https may not request ${base}. Serve the payment server over https.`
  }

  const checks = [
    `it is running`,
    origin !== location.origin && `its ALLOWED_ORIGINS contains ${location.origin}`,
    `this page's Content-Security-Policy allows it under connect-src`,
    `no script that replaces fetch changes it`,
  ]
  return `The request to ${serverOf(circumstances)} failed. Check that ${checks.filter(Boolean).join(', that ')}.`
}
