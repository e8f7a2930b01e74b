/**
 * What a session asks the BFF: to start its checkout, how the checkout stands, or which operators there are. While it
 * asks, the events of the page decide when it asks again.
 */

import { isRecord } from '../bff/answer.ts'
import { askMethods, askUntilAdmitted, post } from '../bff/bff-client.ts'
import { watchStatus } from '../bff/status-watcher.ts'
import { initiateForm, settingsOf } from '../button/checkout-settings.ts'
import { prefersPopup } from '../button/launch.ts'
import { checkoutIdOf, workOf } from '../state/state.ts'

import type { CheckoutMethods } from '../../server/api/view.ts'
import type { Answer } from '../bff/bff-client.ts'
import type { ElementHost } from '../button/element-host.ts'
import type { Session } from '../state/state.ts'

/** Whom the requests are for. */
interface Asker {
  session: Session
  /** Whether the element is in the document. */
  isPresent: boolean
  readonly details: { asksPhone: boolean }
  receive(answer: Answer): void
  /** `null` without an answer. */
  receiveMethods(methods: CheckoutMethods | null): void
  /** The page may have become visible, hidden, online or offline. */
  pageChanged(): void
  /** The page is left, and may come back from the browser's cache. */
  pageLeft(): void
  pageCameBack(): void
}

/** Window events after which the page may have become visible, hidden, online or offline. */
const PAGE_CHANGES = ['visibilitychange', 'pageshow', 'focus', 'online', 'offline']

export class SessionRequests {
  readonly #host: ElementHost
  readonly #asker: Asker
  /** The running initiate request or status watch. */
  #running: AbortController | null = null
  #recheck = () => {}

  constructor(host: ElementHost, asker: Asker) {
    this.#host = host
    this.#asker = asker
  }

  /** Polls the status of the watched checkout. */
  recheck(): void {
    this.#recheck()
  }

  stop(): void {
    this.#running?.abort()
  }

  /** Stops the running requests, then starts what the session needs. */
  restart(last: Answer | null = null): void {
    // Abort only running work: `abort()` creates an error, which is slow on a page with many elements.
    this.stop()
    this.#running = null
    this.#recheck = () => {}
    const { session, details, isPresent } = this.#asker
    const { element, environment } = this.#host
    if (workOf(session) === null || (session.at === 'following' && !isPresent)) {
      return
    }

    const running = (this.#running = new AbortController())
    const { signal } = running
    const { base, fields } = settingsOf(this.#host)
    const url = `${base}/checkout/`
    if (session.at === 'details') {
      if (details.asksPhone) {
        const country = encodeURIComponent(fields().country)
        void this.#askMethods(`${url}methods?country=${country}`, signal)
      }
      return
    }

    this.#listen(running)

    // A response after the abort is ignored, which is safe: an initiate request can be repeated.
    const receive = (answer: Answer) => {
      if (!signal.aborted) {
        this.#asker.receive(answer)
      }
    }

    if (session.at === 'starting') {
      const body = initiateForm(session, fields(), prefersPopup(element.launch, environment.window))
      void askUntilAdmitted(`${url}initiate`, post(body), receive, environment, signal)
    } else if (session.at === 'following') {
      const id = encodeURIComponent(session.checkoutId)
      this.#recheck = watchStatus(`${url}status/${id}`, receive, environment, last, signal)
    }
  }

  /** Lets the form say which operator a number belongs to. Without an answer, the form says nothing of operators. */
  async #askMethods(url: string, signal: AbortSignal) {
    const methods = await askMethods(url, this.#host.environment, signal)
    if (!signal.aborted) {
      this.#asker.receiveMethods(methods)
    }
  }

  /** Listens for window events until `running` is aborted. */
  #listen(running: AbortController) {
    const { window } = this.#host.environment
    const { signal } = running
    const asker = this.#asker

    const recheck = () => {
      this.#recheck()
      asker.pageChanged()
    }

    for (const type of PAGE_CHANGES) {
      window.addEventListener(type, recheck, { signal })
    }

    window.addEventListener('message', (message) => this.#receiveMessage(message), { signal })

    // A browser may keep this page in its back/forward cache. After the return, an older response would be out of date.
    const leave = () => {
      running.abort()
      asker.pageLeft()
      window.addEventListener('pageshow', () => asker.pageCameBack(), { once: true })
    }

    window.addEventListener('pagehide', leave, { signal })
  }

  /** Polls the status when the return page in the pop-up reports that the shopper has left the hosted page. */
  #receiveMessage({ origin, data }: MessageEvent<unknown>) {
    const { base } = settingsOf(this.#host)
    if (base === null || origin !== new URL(base).origin || !isRecord(data)) {
      return
    }
    if (data.type === 'gateway-checkout' && data.checkout_id === checkoutIdOf(this.#asker.session)) {
      this.#recheck()
    }
  }
}
