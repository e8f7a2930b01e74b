/**
 * A BFF as the element meets it: real requests in, real responses out, by the contract of the architecture. What
 * the gateway confirms is said by the test; what goes wrong on the way, too.
 */

import type { Problem } from '../../server/api/problem.ts'
import type { CheckoutView } from '../../server/api/view.ts'

export const TILL = 'https://pay.shop.test'

/** A server that is newer than the element answers codes that the element does not know. */
type AnyProblem = Omit<Problem, 'code'> & { code: string }
type Trouble = Partial<AnyProblem> | Response | 'network' | 'silence'

export interface Till {
  fetch: typeof fetch
  readonly requests: { method: string; path: string; form: Record<string, string> }[]
  /** What the gateway confirms from now on; `version` grows by itself. */
  confirm(news: Partial<CheckoutView>): void
  /** What the next answer is instead of the view: a problem, any response, a broken line, or none at all. */
  failNext(failure: Trouble): void
  /** Forgets the failures that were still to come. */
  recover(): void
  /** Holds every answer back until the returned function is called. */
  hold(): () => void
  /** Whether a question or an answer is being read, which takes each engine its own time. */
  readonly isBusy: boolean
  readonly view: CheckoutView
}

export function createTill(now: () => number, first: Partial<CheckoutView> = {}): Till {
  const requests: Till['requests'] = []
  const failures: Trouble[] = []
  let gate: Promise<void> | null = null
  let view: CheckoutView = { ...freshView(now()), ...first }
  let readings = 0
  const reading = async (body: Promise<unknown>) => {
    readings += 1
    return body.finally(() => (readings -= 1))
  }

  const answer = async (request: Request): Promise<Response> => {
    const failure = failures.shift()
    if (failure === 'silence')
      return await new Promise((_, reject) => request.signal.addEventListener('abort', reject))
    if (failure === 'network') throw new TypeError('Failed to fetch')
    if (failure instanceof Response) return failure
    if (failure !== undefined) return problem(failure)
    const isKnown = request.method === 'POST' || request.url.endsWith(`/${view.checkout_id}`)
    if (!isKnown) return problem({ status: 404, code: 'unknown_checkout' })
    const headers: HeadersInit = view.settled ? {} : { 'Retry-After': '3' }
    return Response.json({ ...view, server_time: new Date(now()).toISOString() }, { headers })
  }

  return {
    requests,
    get view() {
      return view
    },
    get isBusy() {
      return readings > 0
    },
    confirm(news) {
      view = { ...view, version: view.version + 1, ...news }
      if (view.settled) delete view.redirect_url
    },
    failNext: (failure) => void failures.push(failure),
    recover: () => void (failures.length = 0),
    hold() {
      let open = () => {}
      gate = new Promise((resolve) => (open = resolve))
      return () => {
        gate = null
        open()
      }
    },
    async fetch(input, init) {
      const request = new Request(input, init)
      requests.push({
        method: request.method,
        path: new URL(request.url).pathname,
        form: Object.fromEntries(new URLSearchParams(String(await reading(request.text())))),
      })
      await gate
      init?.signal?.throwIfAborted()
      const response = await answer(request)
      const json = response.json.bind(response)
      return Object.assign(response, { json: () => reading(json()) })
    },
  }
}

/** A checkout of KES 1,500 that was just begun and expires in half an hour. */
export function freshView(nowMs: number): CheckoutView {
  return {
    order: 'order-1',
    checkout_id: 'checkout-1',
    merchant_transaction_id: 'mtx-1',
    attempt: 1,
    status: null,
    outcome: 'waiting',
    settled: false,
    discrepancy: null,
    amount: '1500',
    amount_paid: '0',
    currency: 'KES',
    expires_at: new Date(nowMs + 30 * 60_000).toISOString(),
    updated_at: new Date(nowMs).toISOString(),
    server_time: new Date(nowMs).toISOString(),
    version: 1,
    payments: [],
    environment: 'production',
    redirect_url: 'https://pay.gateway.test/pay/1',
  }
}

function problem(given: Partial<AnyProblem>): Response {
  const body: AnyProblem = {
    type: 'about:blank',
    title: 'Refused',
    status: 503,
    detail: 'Refused by the test.',
    code: 'gateway_unavailable',
    retryable: false,
    ...given,
  }
  return Response.json(body, {
    status: body.status,
    headers: { 'Content-Type': 'application/problem+json' },
  })
}
