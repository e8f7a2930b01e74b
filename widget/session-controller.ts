/**
 * Carries out what a change of the session requires (requests, pop-up, DOM events, storage), and turns what happens
 * into session events. While the element is not in the document, no timer, listener or request of it runs.
 */

import { isRecord } from './answer.ts'
import { askBff } from './bff-client.ts'
import { CheckoutEvent, eventsBetween } from './events.ts'
import { Popup, prefersPopup } from './popup.ts'
import { otherTargets, returnTargets, takeReturnFragment } from './return-fragment.ts'
import { transition } from './session.ts'
import { IDLE, hasPopup, payUrl, viewOf } from './session/state.ts'
import { watchStatus } from './status-watcher.ts'
import { readCheckoutId, storeCheckoutId } from './tab-storage.ts'

import type { LitElement, ReactiveController } from 'lit'
import type { Answer } from './bff-client.ts'
import type { Environment } from './environment.ts'
import type { DomEvent } from './events.ts'
import type { Payer } from './payer.ts'
import type { ReturnTarget } from './return-fragment.ts'
import type { SessionEvent } from './session.ts'
import type { HostedPage, Origin, Session } from './session/state.ts'

/** The values that the controller reads from the element's attributes. */
export interface CheckoutSettings {
  order: string
  /** The BFF's URL without a trailing slash; `null` if the attribute is missing or not an HTTP URL. */
  base: string | null
  /** The value of the `launch` attribute: `auto`, `redirect` or `popup`. Empty or unknown text means `auto`. */
  launch: string
  fields: () => InitiateFields
  /** Returns the text in a pop-up that has no URL yet. */
  text: () => string
}

/** The fields of the initiate request besides the payer's and `launch`. */
export type InitiateFields = Record<'order' | 'country' | 'return_url' | 'lang', string>

/** The window events after which the page may have become visible, hidden, online or offline. */
const RECHECK_EVENTS = ['visibilitychange', 'pageshow', 'focus', 'online', 'offline']

/** The interval at which the countdown is rendered and the pop-up is checked, in milliseconds. */
const TICK_MS = 1_000

const NOTHING_TO_RECHECK = () => {}

export class SessionController implements ReactiveController, ReturnTarget {
  session: Session = IDLE
  /**
   * How far the server's clock is ahead of this device's, in milliseconds. The largest measured value is kept, because
   * network latency makes the server's clock seem to be behind.
   */
  clockSkewMs = -Infinity

  readonly #host: LitElement
  readonly #environment: Environment
  readonly #settings: () => CheckoutSettings
  readonly #popup = new Popup()
  #isPresent = false
  #work: AbortController | null = null
  #recheck = NOTHING_TO_RECHECK
  #lastAnswer: Answer | null = null
  #cancelTick = () => {}

  constructor(host: LitElement, environment: Environment, settings: () => CheckoutSettings) {
    this.#host = host
    this.#environment = environment
    this.#settings = settings
    host.addController(this)
  }

  hostConnected() {
    if (this.isIdle) this.#host.requestUpdate('checkoutId')
    if (this.#isPresent) return
    this.#isPresent = true
    returnTargets.add(this)
    this.#continue()
  }

  /** Stops all work, unless the element was only moved within the page and is connected again. */
  hostDisconnected() {
    queueMicrotask(() => {
      if (this.#host.isConnected) return
      this.#isPresent = false
      returnTargets.delete(this)
      this.#work?.abort()
      this.#cancelTick()
    })
  }

  get order() {
    return this.#settings().order
  }

  get isIdle() {
    return this.session.at === 'idle'
  }

  /** The required attribute that is missing or invalid; `null` if there is none. */
  get missing(): 'server' | 'order' | null {
    const { base, order } = this.#settings()
    return base === null ? 'server' : order ? null : 'order'
  }

  /** Resumes the checkout that the attribute names, else the URL's fragment, else this tab's storage, if any does. */
  findCheckout(checkoutId: string) {
    const { base, order } = this.#settings()
    if (base === null) return
    if (checkoutId) return this.resume(checkoutId, 'attribute')
    if (!this.isIdle || !this.#isPresent) return
    const returned = takeReturnFragment(this.#environment.window)
    if (returned) return this.resume(returned)
    const stored = readCheckoutId(this.#environment.window, storageKey(base, order))
    if (stored) this.resume(stored, 'memory')
  }

  resume(checkoutId: string, origin: Origin = 'fragment') {
    this.send({ type: 'resumed', checkoutId, origin })
  }

  /** Starts a checkout, unless the page cancels `checkout-open`. Callers must call this inside the click. */
  start(payer: Payer) {
    if (!this.#dispatchOpen()) return
    this.send({ type: 'started', payer, page: this.#prefersPopup ? this.#openPopup('') : 'none' })
  }

  /** Brings the hosted page to the front, or opens it again. Callers must call this inside the click. */
  reopen() {
    // The session may not know yet that the pop-up was closed: it is checked only once a second.
    if (hasPopup(this.session) && this.#popup.isOpen) return this.#popup.focus()
    const url = payUrl(viewOf(this.session))
    if (url === null || !this.#dispatchOpen()) return
    if (this.#prefersPopup) this.send({ type: 'page', page: this.#openPopup(url) })
    else this.#environment.window.location.assign(url)
  }

  /** Forgets the checkout, but does not stop a payment that is under way. */
  reset() {
    this.#store(null)
    this.send({ type: 'reset' })
  }

  send(event: SessionEvent) {
    const before = this.session
    const after = (this.session = transition(before, event))
    if (checkoutIdOf(after) !== checkoutIdOf(before)) {
      if (after.at === 'following') this.#store(after.checkoutId)
      // The BFF no longer knows the stored checkout.
      else if (event.type === 'failed') this.#store(null)
    }
    if (before.at === 'starting' && after.at !== 'starting')
      this.#showPage(payUrl(viewOf(after)), before.page)
    if (workOf(before) !== workOf(after))
      this.#restartWork(before.at === 'starting' ? this.#lastAnswer : null)
    for (const each of eventsBetween(before, after)) this.dispatch(each)
    this.#scheduleTick()
  }

  /** Dispatches a DOM event. An error is also explained on the console, by a module that is then downloaded. */
  dispatch([name, detail]: DomEvent) {
    this.#host.dispatchEvent(new CheckoutEvent(`checkout-${name}`, detail))
    if (detail && 'code' in detail)
      import('./console.ts')
        .then(({ explain }) => explain(detail, this.#host, this.#settings().base, this.#environment.window))
        .catch(() => {})
  }

  #continue() {
    this.#restartWork()
    this.#scheduleTick()
  }

  /** Aborts the running request or watcher, and starts the one that the session needs now. */
  #restartWork(last: Answer | null = null) {
    // Abort only running work: `abort()` creates an error, which is slow on a page with many elements.
    this.#work?.abort()
    this.#work = null
    this.#recheck = NOTHING_TO_RECHECK
    const { session } = this
    if (workOf(session) === null || (session.at === 'following' && !this.#isPresent)) return
    const work = (this.#work = new AbortController())
    const { signal } = work
    this.#listen(work)
    const { base, fields } = this.#settings()
    const url = `${base}/checkout/`
    // An answer after the abort is ignored. This is safe, because an initiate can be repeated.
    const receive = (answer: Answer) => {
      if (!signal.aborted) this.#receive(answer)
    }
    if (session.at === 'starting') {
      const launch = session.page === 'none' ? 'redirect' : 'popup'
      const body = new URLSearchParams({ ...fields(), ...session.payer, launch })
      void askBff(`${url}initiate`, { method: 'POST', body }, this.#environment, signal).then(receive)
    } else if (session.at === 'following') {
      const id = encodeURIComponent(session.checkoutId)
      this.#recheck = watchStatus(`${url}status/${id}`, receive, this.#environment, last, signal)
    }
  }

  /** Listens for the window's events until the work is aborted. */
  #listen(work: AbortController) {
    const { window } = this.#environment
    for (const type of RECHECK_EVENTS) window.addEventListener(type, () => this.#recheckNow(), work)
    window.addEventListener('message', (message) => this.#receiveMessage(message), work)
    // A browser may keep this page in its back/forward cache. After the return, an older answer would be out of date,
    // and a pop-up without a URL would never get its URL.
    const leave = () => {
      work.abort()
      if (this.session.at === 'starting') this.#popup.close()
      window.addEventListener('pageshow', () => this.#isPresent && this.#continue(), { once: true })
    }
    window.addEventListener('pagehide', leave, work)
  }

  /** Handles an answer. If the shopper returned to a checkout of another element's order, that element gets it. */
  #receive(answer: Answer) {
    if ('failure' in answer) return this.send({ type: 'failed', failure: answer.failure })
    const { session } = this
    const { view } = answer
    this.#lastAnswer = answer
    const skewMs = Date.parse(view.server_time) - this.#environment.clock.now()
    if (skewMs > this.clockSkewMs) this.clockSkewMs = skewMs
    const isReturn = session.at === 'following' && session.origin === 'fragment' && session.view === null
    const others = isReturn && otherTargets(view.order, this)
    if (!others) return this.send({ type: 'view', view })
    this.reset()
    others[0]?.resume(view.checkout_id)
  }

  /** Handles the message of the return page in the pop-up: the shopper is back. The message only causes a poll. */
  #receiveMessage({ origin, data }: MessageEvent<unknown>) {
    const { base } = this.#settings()
    if (base === null || origin !== new URL(base).origin) return
    if (!isRecord(data) || data.type !== 'gateway-checkout') return
    if (data.checkout_id === checkoutIdOf(this.session)) this.#recheck()
  }

  #recheckNow() {
    this.#recheck()
    this.#scheduleTick()
  }

  /** Renders now, and every second while there is a countdown or an open pop-up. */
  #scheduleTick() {
    const { clock, window } = this.#environment
    this.#cancelTick()
    this.#host.requestUpdate()
    const isTicking = hasPopup(this.session) || payUrl(viewOf(this.session))
    if (isTicking && this.#isPresent && !window.document.hidden)
      this.#cancelTick = clock.after(TICK_MS, () => this.#tick())
  }

  #tick() {
    if (!hasPopup(this.session) || this.#popup.isOpen) return this.#scheduleTick()
    this.send({ type: 'page', page: 'closed' })
    this.#recheck()
  }

  /** Dispatches `checkout-open`. Returns `false` if the page canceled the event. */
  #dispatchOpen(): boolean {
    return this.#host.dispatchEvent(new CheckoutEvent('checkout-open', viewOf(this.session)))
  }

  get #prefersPopup() {
    return prefersPopup(this.#settings().launch, this.#environment.window)
  }

  #openPopup(url: string): HostedPage {
    return this.#popup.open(this.#environment.window, url, this.#settings().text())
  }

  /** Shows the hosted page after an initiate request. If the BFF sent no URL, closes the empty pop-up. */
  #showPage(url: string | null, page: HostedPage) {
    if (url === null) this.#popup.close()
    else if (page === 'none') this.#environment.window.location.assign(url)
    else this.#popup.navigate(url)
  }

  #store(checkoutId: string | null) {
    const { base, order } = this.#settings()
    storeCheckoutId(this.#environment.window, storageKey(base, order), checkoutId)
  }
}

function storageKey(base: string | null, order: string): string {
  return `gateway-checkout ${base} ${order}`
}

function checkoutIdOf(session: Session): string | null {
  return session.at === 'following' ? session.checkoutId : null
}

/** Returns a text that identifies the request or watcher that a session needs; `null` if it needs none. */
function workOf(session: Session): string | null {
  return session.at === 'starting' ? 'initiate' : viewOf(session)?.settled ? null : checkoutIdOf(session)
}
