// Plays a situation on a new element whose requests are answered here. The server time in the responses is constant, so
// that screenshots do not change. The countdown still works: the element corrects the device's clock by the difference
// from the server's clock.

import type { CheckoutMethods } from '../../../server/api/view.ts'
import type { GatewayCheckout, CheckoutView } from '../../../widget/index.ts'
import type { Answer, Refusal, Situation } from './states.ts'

type Environment = typeof GatewayCheckout.environment

const NOW = '2026-03-02T09:25:00Z'
const EXPIRES_AT = '2026-03-02T09:49:37Z'

/**
 * The values of the `Retry-After` header, in seconds. After this time, the element polls again. Views have `SOON_S`,
 * except the last response of a {@link Situation}. All other responses have `LATER_S`.
 */
const LATER_S = 60
const SOON_S = 1

/** The checkout of a situation that starts by its id, and the one that the button starts. */
const GIVEN_CHECKOUT = 'a-checkout-of-the-playground'
const STARTED_CHECKOUT = 'checkout-begun-here'

/** The view of a checkout that nobody has paid yet. */
export const VIEW: CheckoutView = {
  order: '',
  checkout_id: STARTED_CHECKOUT,
  merchant_transaction_id: 'PWANI-2041',
  attempt: 1,
  status: null,
  outcome: 'waiting',
  settled: false,
  discrepancy: null,
  amount: '1500',
  amount_paid: '0',
  currency: 'KES',
  expires_at: EXPIRES_AT,
  updated_at: NOW,
  server_time: NOW,
  version: 1,
  payments: [],
  environment: 'production',
}

/** The operators that ask payers on the phone. */
const OPERATORS: CheckoutMethods = {
  calling_code: '254',
  methods: [
    { name: 'MoMo', prefixes: ['25470'], away: false },
    { name: 'Wavelet', prefixes: ['25473'], away: true },
  ],
}

/** Replaces the content of `frame`. An element reads the environment of its class only when the element is created. */
export function playSituation(situation: Situation, defaults: Record<string, string>, frame: Element) {
  const attributes: Record<string, string | null> = { ...defaults, ...situation.attributes }
  // No other class is registered under this name.
  const Tag = customElements.get('gateway-checkout') as typeof GatewayCheckout
  Tag.environment = { ...Tag.environment, ...createStage(situation, attributes.order ?? '') }
  const tag = new Tag()
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) {
      tag.setAttribute(name, value)
    }
  }

  if (situation.by === 'checkout-id') {
    tag.checkoutId = GIVEN_CHECKOUT
  }

  keepFocusAway(tag)
  frame.replaceChildren(tag)
  if (situation.by === 'press') {
    tag.start()
  }
  if (tag.shadowRoot) {
    useForm(tag.shadowRoot, situation)
  }
  return tag
}

/** Uses the form when it is drawn: the element's second file, and the words in its language, arrive first. */
function useForm(root: ShadowRoot, { types, submits }: Situation): void {
  if (!types && !submits) {
    return
  }

  const observer = new MutationObserver(() => {
    const form = root.querySelector('form')
    if (form === null) {
      return
    }

    observer.disconnect()
    const number = form.querySelector<HTMLInputElement>('[type=tel]')
    if (types && number) {
      number.value = types
      number.dispatchEvent(new Event('input', { bubbles: true }))
    }
    if (submits) {
      form.requestSubmit()
    }
  })
  observer.observe(root, { childList: true, subtree: true })
}

/**
 * Gives the focus back until the visitor does something: the element focuses its form when the form opens, but in the
 * playground the visitor did not open it.
 */
function keepFocusAway(tag: GatewayCheckout): void {
  const untouched = new AbortController()
  const { signal } = untouched
  for (const action of ['pointerdown', 'keydown']) {
    document.addEventListener(action, () => untouched.abort(), { capture: true, signal })
  }

  const giveBack = ({ relatedTarget }: FocusEvent) => {
    tag.blur()
    if (relatedTarget instanceof HTMLElement) {
      relatedTarget.focus()
    }
  }

  tag.addEventListener('focusin', giveBack, { signal })
}

function createStage(situation: Situation, order: string): Pick<Environment, 'fetch' | 'window'> {
  let requestCount = 0

  const answerTo = (checkoutId: string): Answer => {
    // After a checkout has ended, the visitor may start a new checkout, about which nothing is reported yet.
    if (situation.by === 'checkout-id' && checkoutId !== GIVEN_CHECKOUT) {
      return { view: {} }
    }

    const { answers } = situation
    requestCount += 1
    return answers[Math.min(requestCount, answers.length) - 1] ?? answers[0]
  }

  return {
    async fetch(input, init) {
      const { method, url, signal } = new Request(input, init)
      if (new URL(url).pathname.endsWith('/checkout/methods')) {
        return Response.json(OPERATORS)
      }

      const checkoutId = method === 'POST' ? STARTED_CHECKOUT : (url.split('/').at(-1) ?? '')
      const answer = answerTo(checkoutId)
      if (answer === 'broken') {
        throw new TypeError('Failed to fetch')
      }
      if (answer === 'silent') {
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      }
      if ('problem' in answer) {
        return refuse(answer.problem)
      }

      const isLast = requestCount >= situation.answers.length
      return report({ ...VIEW, order, checkout_id: checkoutId, ...answer.view }, isLast ? LATER_S : SOON_S)
    },
    window: stagedWindow(situation, () => requestCount > 0),
  }
}

function report(view: CheckoutView, retryAfterS: number): Response {
  const body = view.settled ? view : { ...view, redirect_url: new URL('#payment-page', location.href).href }
  return Response.json(body, { headers: { 'Retry-After': String(retryAfterS) } })
}

function refuse({ status, code, retryable = false, errors = [] }: Refusal): Response {
  const detail = `The playground answers ${code}.`
  const body = { type: 'about:blank', title: 'Refused', status, detail, code, retryable, errors }
  return Response.json(body, { status, headers: { 'Retry-After': String(LATER_S) } })
}

// Each situation starts without a stored checkout.
const FORGETFUL = { getItem: () => null, setItem: () => {}, removeItem: () => {} }

function stagedWindow({ popup, isOffline }: Situation, isAnswered: () => boolean) {
  const staged: Record<PropertyKey, unknown> = {
    sessionStorage: FORGETFUL,
    // A situation responds only to polls; a stream would connect to the real BFF.
    EventSource: undefined,
    ...(isOffline && { navigator: overlay(navigator, () => ({ onLine: !isAnswered() })) }),
    open: () => (popup === 'blocked' ? null : unseenPopup({ closed: popup === 'closed' })),
  }
  return overlay(window, () => staged)
}

/** Returns `real` with the properties of `staged()` in the place of its own. */
export function overlay<T extends object>(real: T, staged: () => Record<PropertyKey, unknown>): T {
  return new Proxy(real, {
    get(_, key) {
      const replacements = staged()
      if (key in replacements) {
        return replacements[key]
      }

      const value: unknown = Reflect.get(real, key, real)
      // The browser's functions work on their own object only; classes need none.
      return typeof value === 'function' && !/^[A-Z]/.test(String(key)) ? value.bind(real) : value
    },
  })
}

/** A pop-up as far as the element uses it. */
function unseenPopup({ closed }: { closed: boolean }) {
  const document = { body: {}, documentElement: {} }
  return { closed, document, location: { replace() {} }, focus() {}, close() {} }
}
