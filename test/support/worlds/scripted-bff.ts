import { VIEW } from '../../../demo/shop/playground/stage.ts'

import type { Problem } from '../../../server/api/refusal.ts'
import type { CheckoutMethods, CheckoutView } from '../../../server/api/view.ts'
import type { Clock } from '../../../widget/button/environment.ts'

export const BFF = 'https://pay.shop.test'

// Newer servers may send codes that the element does not know.
type AnyProblem = Omit<Problem, 'code'> & { code: string }
type Trouble = Partial<AnyProblem> | Response | 'network' | 'silence'

export type ScriptedBff = ReturnType<typeof createScriptedBff>

export function createScriptedBff(now: () => number, first: Partial<CheckoutView> = {}) {
  const requests: { method: string; path: string; form: Record<string, string> }[] = []
  // `questions` are the queries about operators. Without `methods`, they fail.
  const operators: { methods: CheckoutMethods | null; questions: string[] } = { methods: null, questions: [] }
  const failures: Trouble[] = []
  const known = new Set<string>()
  let gate: Promise<void> | null = null
  let view: CheckoutView = { ...freshView(now()), ...first }
  let readings = 0

  const reading = async (body: Promise<unknown>) => {
    readings += 1
    return body.finally(() => (readings -= 1))
  }

  const isOwn = ({ order = '', checkout_id }: Record<string, string>) =>
    checkout_id === view.checkout_id && (order === view.order || known.has(order))

  const answer = async (request: Request, form: Record<string, string>): Promise<Response> => {
    const failure = failures.shift()
    if (failure === 'silence') {
      return await new Promise((_, reject) => request.signal.addEventListener('abort', reject))
    }
    if (failure === 'network') {
      throw new TypeError('Failed to fetch')
    }
    if (failure instanceof Response) {
      return failure
    }
    if (failure !== undefined) {
      return problem(failure)
    }

    const isKnown = request.url.endsWith('/resume')
      ? isOwn(form)
      : request.method === 'POST' || new URL(request.url).pathname.endsWith(`/${view.checkout_id}`)
    if (!isKnown) {
      return problem({ status: 404, code: 'unknown_checkout' })
    }

    const headers: HeadersInit = view.settled ? {} : { 'Retry-After': '3' }
    return Response.json({ ...view, server_time: new Date(now()).toISOString() }, { headers })
  }

  return {
    requests,
    operators,
    get view(): CheckoutView {
      return view
    },
    get isBusy(): boolean {
      return readings > 0
    },
    confirm(news: Partial<CheckoutView>) {
      view = { ...view, version: view.version + 1, ...news }
      if (view.settled) {
        delete view.redirect_url
      }
    },
    // With `silence`, no response arrives.
    failNext: (failure: Trouble) => void failures.push(failure),
    knows: (order: string) => void known.add(order),
    recover: () => void (failures.length = 0),
    hold() {
      let open = () => {}
      gate = new Promise((resolve) => (open = resolve))
      return () => {
        gate = null
        open()
      }
    },
    async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const request = new Request(input, init)
      const { pathname, search } = new URL(request.url)
      if (pathname === '/checkout/methods') {
        operators.questions.push(search)
        return operators.methods ? Response.json(operators.methods) : problem({ status: 404 })
      }

      const form = Object.fromEntries(new URLSearchParams(String(await reading(request.text()))))
      requests.push({ method: request.method, path: pathname, form })
      await gate
      init?.signal?.throwIfAborted()
      const response = await answer(request, form)
      const json = response.json.bind(response)
      return Object.defineProperty(response, 'json', { value: () => reading(json()) })
    },
  }
}

export const PAID: Partial<CheckoutView> = {
  status: 801,
  outcome: 'paid',
  settled: true,
  amount_paid: '1500',
}
export const PARTIAL: Partial<CheckoutView> = { status: 802, outcome: 'partial', amount_paid: '600' }
export const UNPAID: Partial<CheckoutView> = { status: 803, outcome: 'unpaid' }
export const EXPIRED: Partial<CheckoutView> = { status: 820, outcome: 'expired', settled: true }

export function freshView(nowMs: number): CheckoutView {
  const now = new Date(nowMs).toISOString()
  return {
    ...VIEW,
    order: 'order-1',
    checkout_id: 'checkout-01-of-the-tests',
    merchant_transaction_id: 'mtx-1',
    expires_at: new Date(nowMs + 30 * 60_000).toISOString(),
    updated_at: now,
    server_time: now,
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
  return Response.json(body, { status: body.status, headers: { 'Content-Type': 'application/problem+json' } })
}

/**
 * The behaviour of the simulated BFF's streams. With `buffered`, a proxy withholds all data. With `refused`, no stream
 * opens. With `forbidden`, the browser throws instead of opening one. With `cut`, each stream breaks after its first view.
 */
export type Line = 'open' | 'refused' | 'forbidden'

export type Streams = ReturnType<typeof createStreams>

const BEAT_MS = 15_000

export function createStreams(bff: ScriptedBff, clock: Clock, line: Line) {
  const open = new Set<ScriptedStream>()
  const view = () => JSON.stringify({ ...bff.view, server_time: new Date(clock.now()).toISOString() })

  class ScriptedStream extends EventTarget {
    onerror: (() => void) | null = null
    #cancelBeat = () => {}

    constructor(url: string) {
      super()
      if (streams.line === 'forbidden') {
        throw new DOMException('No streams.', 'SecurityError')
      }

      opened.push(new URL(url).pathname)
      open.add(this)
      queueMicrotask(() => this.#begin())
    }

    #begin() {
      if (streams.line === 'refused') {
        return this.break()
      }

      this.#beat()
      this.say('status', view())
    }

    #beat() {
      this.say('beat', '')
      this.#cancelBeat = clock.after(BEAT_MS, () => this.#beat())
    }

    say(type: string, data: string) {
      if (open.has(this)) {
        this.dispatchEvent(new MessageEvent(type, { data }))
      }
    }

    break() {
      if (open.has(this)) {
        this.onerror?.()
      }
    }

    close() {
      this.#cancelBeat()
      open.delete(this)
    }
  }

  const opened: string[] = []
  const held = new Set<string>()
  const streams = {
    EventSource: ScriptedStream,
    locks: {
      async request(name: string, _: LockOptions, use: (lock: object | null) => unknown) {
        const isFree = !held.has(name)
        held.add(name)
        await use(isFree ? { name } : null)
        if (isFree) {
          held.delete(name)
        }
      },
    },
    line,
    get open(): number {
      return open.size
    },
    opened,
    // Each poll adds the number of open streams. The element must not poll beside an open stream.
    overlaps: 0,
    tell: (text?: string) => [...open].forEach((stream) => stream.say('status', text ?? view())),
    cut: () => [...open].forEach((stream) => stream.break()),
  }
  return streams
}
