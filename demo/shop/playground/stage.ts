// The server time in the responses is constant, so that screenshots do not change. The countdown still works: the
// element corrects the device's clock by the difference from the server's clock.

import type { GatewayCheckout, CheckoutView } from '../../../widget/index.ts'
import type { Answer, Refusal, Situation } from './situation.ts'

type Environment = typeof GatewayCheckout.environment

export type OnRequest = (title: string, detail: string) => void

export interface Play {
  situation: Situation
  order: string
  checkoutId: string
  paymentPage: string
  onRequest: OnRequest
}

const NOW = '2026-03-02T09:25:00Z'
const EXPIRES_AT = '2026-03-02T09:49:37Z'

/**
 * The values of the `Retry-After` header, in seconds. After this time, the element polls again. Views have `SOON_S`,
 * except the last response of a {@link Situation}. All other responses have `LATER_S`.
 */
const LATER_S = 60
const SOON_S = 1

const BEGUN_HERE = 'checkout-begun-here'

export const VIEW: CheckoutView = {
  order: '',
  checkout_id: BEGUN_HERE,
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

export function createStage(play: Play): Pick<Environment, 'fetch' | 'window'> {
  const { situation, onRequest } = play
  let asked = 0

  const answerTo = (checkoutId: string): Answer => {
    // After a checkout has ended, the visitor may start a new checkout, about which nothing is reported yet.
    if (situation.by === 'checkout-id' && checkoutId !== play.checkoutId) return { view: {} }
    const [first] = situation.answers
    return situation.answers[Math.min(asked++, situation.answers.length - 1)] ?? first
  }

  return {
    async fetch(input, init) {
      const request = new Request(input, init)
      const { pathname } = new URL(request.url)
      const isInitiate = request.method === 'POST'
      const checkoutId = isInitiate ? BEGUN_HERE : decodeURIComponent(pathname.split('/').at(-1) ?? '')
      const said = `${request.method} ${pathname}`
      const answer = answerTo(checkoutId)
      if (answer === 'broken') {
        onRequest(said, 'no connection')
        throw new TypeError('Failed to fetch')
      }
      if (answer === 'silent') {
        onRequest(said, 'no answer')
        return await silence(request.signal)
      }
      const isLast = asked >= situation.answers.length
      const response =
        'problem' in answer
          ? refuse(answer.problem)
          : report(
              {
                ...VIEW,
                order: play.order,
                checkout_id: checkoutId,
                redirect_url: play.paymentPage,
                ...answer.view,
              },
              isLast ? LATER_S : SOON_S,
            )
      onRequest(
        said,
        'problem' in answer ? `${response.status} ${answer.problem.code}` : `${response.status}`,
      )
      return response
    },
    window: stagedWindow(situation, () => asked > 0),
  }
}

function report({ redirect_url, ...view }: CheckoutView, againS: number): Response {
  const body = view.settled ? view : { ...view, redirect_url }
  return Response.json(body, { headers: { 'Retry-After': String(againS) } })
}

function refuse({ status, code, retryable = false, errors = [] }: Refusal): Response {
  const detail = `The playground answers ${code}.`
  const body = { type: 'about:blank', title: 'Refused', status, detail, code, retryable, errors }
  return Response.json(body, { status, headers: { 'Retry-After': String(LATER_S) } })
}

async function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

// Each situation starts without a stored checkout.
const FORGETFUL = { getItem: () => null, setItem: () => {}, removeItem: () => {} }

function stagedWindow({ popup, isOffline }: Situation, isAnswered: () => boolean) {
  const staged: Record<PropertyKey, unknown> = {
    sessionStorage: FORGETFUL,
    // A situation responds only to polls; a stream would connect to the real BFF.
    EventSource: undefined,
    ...(isOffline && { navigator: overlay(navigator, () => ({ onLine: !isAnswered() })) }),
    ...(popup && { open: () => (popup === 'blocked' ? null : unseenPopup(popup === 'closed')) }),
  }
  return overlay(window, () => staged)
}

export function overlay<T extends object>(real: T, staged: () => Record<PropertyKey, unknown>): T {
  return new Proxy(real, {
    get(_, key) {
      const instead = staged()
      if (key in instead) return instead[key]
      const value: unknown = Reflect.get(real, key, real)
      return typeof value === 'function' && !/^[A-Z]/.test(String(key)) ? value.bind(real) : value
    },
  })
}

function unseenPopup(closed: boolean) {
  return {
    closed,
    document: { body: {}, documentElement: {} },
    location: { replace() {} },
    focus() {},
    close() {},
  }
}
