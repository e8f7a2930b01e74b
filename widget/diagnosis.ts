/**
 * What is in the way, told to the developers of the page: one sentence on the console about each cause, with what
 * mends it. It is fetched when something is wrong. What the shopper reads stands with the words.
 */

import type { CheckoutErrorDetail } from './events.ts'
import type { ElementCode } from './failure.ts'

interface Facts {
  /** What the page says in this attribute. */
  said: (attribute: string) => string
  /** The payment server's address, or empty. */
  base: string
  window: Window & typeof globalThis
}

/** What the element finds itself, by code. */
const FOUND = {
  no_server: ({ said }) =>
    said('server')
      ? `server="${said('server')}" is no web address. Write the payment server's, such as https://pay.shop.example.`
      : `The attribute server is missing. Write the payment server's address, such as https://pay.shop.example.`,
  no_order: () =>
    `The attribute order is missing. Write the reference of the order to be paid, or a signed order.`,
  network: unreachable,
  timeout: ({ base }) => `${base} did not answer in time. See whether it is busy, or waits for the gateway.`,
  invalid_answer: (facts) =>
    `${asked(facts)} does not answer as a payment server does. See whether server is its full address, ` +
    `with https://, and whether a proxy before it answers in its place.`,
  popup_blocked: () =>
    `The browser blocked the pop-up, and a link stands in for it. Call start() inside a click, before anything is ` +
    `awaited, or write launch="redirect".`,
  unknown_value: ({ said }) =>
    `launch="${said('launch')}" theme="${said('theme')}": launch may be auto, redirect or popup, and theme auto, ` +
    `light or dark. What is unknown counts as auto.`,
} satisfies Record<ElementCode, (facts: Facts) => string>

/** What the payment server finds, by code, where its own words do not say what mends it. */
const ANSWERED = {
  order_unknown: ({ said }) =>
    `The shop knows no order "${said('order')}". See what ORDERS_URL, or your function, answers for it.`,
  order_expired: () => `Sign the order when the page is made, for as long as a shopper may stay on it.`,
  origin_not_allowed: ({ window }) => `Add ${window.location.origin} to ALLOWED_ORIGINS.`,
  return_url_not_allowed: () => `Add the page that the shopper comes back to, or its folder, to RETURN_URLS.`,
  currency_not_supported: () => `Add a service for the currency to GATEWAY_SERVICE_CODE.`,
  not_found: () => `Write no more into server than where the payment server is.`,
  unknown_checkout: ({ base }) =>
    `See whether checkout-id was made by ${base}, with the store that it has now.`,
  gateway_unavailable: inTheLog,
  internal: inTheLog,
} satisfies Record<string, (facts: Facts) => string>

export const ADVICE: Record<string, (facts: Facts) => string> = { ...FOUND, ...ANSWERED }

const told = new Set<string>()

export function explain(
  { code, message, retryable }: CheckoutErrorDetail,
  tag: Element,
  base: string | null,
  window: Window & typeof globalThis,
): void {
  const said = (attribute: string) => tag.getAttribute(attribute) ?? ''
  const advice = ADVICE[code]?.({ said, base: base ?? '', window }) ?? ''
  const sentence = code in FOUND ? advice : `${message} ${advice}`
  const text = `<gateway-checkout> ${code}: ${sentence.trim()}`
  if (told.has(text)) return
  told.add(text)
  if (retryable) window.console.warn(text, tag)
  else window.console.error(text, tag)
}

function inTheLog(): string {
  return `See the payment server's log.`
}

/** Where server is forgotten, the script's own origin is asked, and that may be a CDN. */
function asked({ said, base }: Facts): string {
  return said('server') ? base : `${base} (where the script is from, because the attribute server is missing)`
}

/** Browsers do not tell a script why a question was not answered, so the likeliest causes are named. */
function unreachable(facts: Facts): string {
  const { base, window } = facts
  const { location, navigator } = window
  const { origin, protocol, hostname } = new URL(base)
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (!navigator.onLine) return 'The browser is offline.'
  if (location.protocol === 'file:')
    return `A page that was opened as a file has no origin to be allowed. Serve it, over http on your own machine.`
  if (location.protocol === 'https:' && protocol === 'http:' && !isHere)
    return `A page over https may not ask ${base}. Serve the payment server over https.`
  const causes = [
    `See whether it runs`,
    origin !== location.origin && `its ALLOWED_ORIGINS names ${location.origin}`,
    `this page's Content-Security-Policy allows it under connect-src`,
  ]
  return `${asked(facts)} could not be asked. ${causes.filter(Boolean).join(', whether ')}.`
}
