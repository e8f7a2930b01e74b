/**
 * Does what a change of the session calls for, and feeds the session what happens. While the element is off the
 * page nothing of it is left running: no timer, no listener, no request.
 */

import { betterClaimants, claimants, receiveArrival } from './arrivals.ts'
import { isRecord } from './answer.ts'
import { askBff } from './bff-client.ts'
import { CheckoutEvent } from './events.ts'
import { failure } from './failure.ts'
import { openPopup, prefersPopup } from './launcher.ts'
import { follow } from './live.ts'
import { recall, remember } from './memory.ts'
import { news } from './news.ts'
import { transition } from './session.ts'
import { IDLE, hasPopup, payUrl, viewOf } from './session/state.ts'

import type { LitElement, ReactiveController } from 'lit'
import type { Claimant } from './arrivals.ts'
import type { Answer } from './bff-client.ts'
import type { Environment } from './environment.ts'
import type { News } from './news.ts'
import type { Payer } from './payer.ts'
import type { HostedPage, Origin, Session } from './session/state.ts'
import type { SessionEvent } from './session.ts'
import type { Tag } from './tag.ts'

/** What changes whether somebody is looking and the network is there. */
const SIGNS = ['visibilitychange', 'pageshow', 'focus', 'online', 'offline']

const BEAT_MS = 1_000

const NOTHING_TO_ASK = () => {}

export class SessionController implements ReactiveController, Claimant {
  session: Session = IDLE
  /**
   * How far the server's clock is ahead of this device's, in milliseconds. The largest seen: an answer on its way,
   * or a stored one, only makes the server's time look older.
   */
  clockSkewMs = -Infinity

  readonly #host: LitElement
  readonly #environment: Environment
  readonly #tag: () => Tag
  #isPresent = false
  #work: AbortController | null = null
  #hurry = NOTHING_TO_ASK
  /** When the BFF wanted to be asked next, the last time it said so. */
  #wishMs = 0
  #popup: Window | null = null
  #cancelBeat = () => {}

  constructor(host: LitElement, environment: Environment, tag: () => Tag) {
    this.#host = host
    this.#environment = environment
    this.#tag = tag
    host.addController(this)
  }

  hostConnected() {
    if (this.isFree) this.#host.requestUpdate('checkoutId')
    if (this.#isPresent) return
    this.#isPresent = true
    claimants.add(this)
    this.#resume()
  }

  /** Moving a tag within the page disconnects and connects it at once; only a real departure stops anything. */
  hostDisconnected() {
    queueMicrotask(() => {
      if (this.#host.isConnected) return
      this.#isPresent = false
      claimants.delete(this)
      this.#work?.abort()
      this.#cancelBeat()
    })
  }

  /** Takes up the checkout that the tag, the address or this tab's memory names, in this order. */
  lookAround(checkoutId: string) {
    const { base, order } = this.#tag()
    if (base === null) return
    if (checkoutId) return this.takeUp(checkoutId, 'attribute')
    if (!this.isFree || !this.#isPresent) return
    const arrived = receiveArrival(this.#environment.window)
    if (arrived) return this.takeUp(arrived)
    const remembered = recall(this.#environment.window, memoryOf(base, order))
    if (remembered) this.takeUp(remembered, 'memory')
  }

  /** Asks the page, then begins. Must be called inside the click. */
  begin(payer: Payer) {
    if (!this.#mayOpen()) return
    this.send({ type: 'begun', payer, page: this.#prefersPopup ? this.#openPopup('') : 'none' })
  }

  /** Brings the hosted page to the front, or opens it again. Must be called inside the click. */
  reopen() {
    // One that was closed a moment ago is not seen as closed before the next beat.
    if (hasPopup(this.session) && !this.#popup?.closed) return this.#popup?.focus()
    const url = payUrl(viewOf(this.session))
    if (url === null || !this.#mayOpen()) return
    if (this.#prefersPopup) this.send({ type: 'page-seen', page: this.#openPopup(url) })
    else this.#leave(url)
  }

  /** Lets the checkout go. The payment itself, if there is one, goes on. */
  reset() {
    this.#remember(null)
    this.send({ type: 'reset' })
  }

  send(event: SessionEvent) {
    const before = this.session
    const after = (this.session = transition(before, event))
    if (subject(after) !== subject(before)) {
      if (after.at === 'following') this.#remember(after.checkoutId)
      // What the order's checkout was, the BFF no longer knows.
      else if (event.type === 'failed') this.#remember(null)
    }
    if (before.at === 'starting' && after.at !== 'starting') this.#point(payUrl(viewOf(after)), before.page)
    if (task(before) !== task(after)) this.#begin(before.at === 'starting' ? this.#wishMs : 0)
    for (const item of news(before, after)) this.tell(item)
    this.#look()
  }

  /** What is in the way is explained to developers, too, by a module that is only fetched then, if it can be. */
  tell([type, detail]: News) {
    this.#host.dispatchEvent(new CheckoutEvent(`checkout-${type}`, detail))
    if (detail && 'code' in detail)
      import('./diagnosis.ts')
        .then(({ explain }) => explain(detail, this.#host, this.#tag().base, this.#environment.window))
        .catch(NOTHING_TO_ASK)
  }

  get order() {
    return this.#tag().order
  }

  get isFree() {
    return this.session.at === 'idle'
  }

  takeUp(checkoutId: string, origin: Origin = 'fragment') {
    this.send({ type: 'taken-up', checkoutId, origin })
  }

  /** Says what the tag lacks, if it lacks anything. */
  isUsable(): boolean {
    const { base, order } = this.#tag()
    const missing = base === null ? 'server' : order ? null : 'order'
    if (missing === null) return true
    this.send({ type: 'failed', failure: failure(`no_${missing}`, false) })
    return false
  }

  #resume() {
    this.#begin()
    this.#wake()
  }

  /** Asks the BFF what the session is waiting for, and nothing else any more. */
  #begin(wishMs = 0) {
    // Only what runs is aborted: an abort collects a stack, which costs a page of waiting tags more than all else.
    this.#work?.abort()
    this.#work = null
    this.#hurry = NOTHING_TO_ASK
    const { session } = this
    if (task(session) === null || (session.at === 'following' && !this.#isPresent)) return
    const work = (this.#work = new AbortController())
    const { signal } = work
    const { window } = this.#environment
    for (const sign of SIGNS) window.addEventListener(sign, () => this.#wake(), work)
    window.addEventListener('message', (message) => this.#hear(message), work)
    // A browser may keep the page that is left, and bring it back: an answer from before that is no news. A pop-up
    // without an address would never get one.
    const leave = () => {
      work.abort()
      if (session.at === 'starting') this.#popup?.close()
      window.addEventListener('pageshow', () => this.#isPresent && this.#resume(), { once: true })
    }
    window.addEventListener('pagehide', leave, work)
    const { base, form } = this.#tag()
    const url = `${base}/checkout/`
    // A repeated initiate is harmless, and an answer that came too late is to a question nobody asks any more.
    const learn = (answer: Answer) => {
      if (!signal.aborted) this.#learn(answer)
    }
    if (session.at === 'starting') {
      const launch = session.page === 'none' ? 'redirect' : 'popup'
      const body = new URLSearchParams({ ...form(), ...session.payer, launch })
      void askBff(`${url}initiate`, { method: 'POST', body }, this.#environment, signal).then(learn)
    } else if (session.at === 'following') {
      const id = encodeURIComponent(session.checkoutId)
      this.#hurry = follow(`${url}status/${id}`, learn, this.#environment, wishMs, signal)
    }
  }

  /** A shopper who came back to the wrong one of several tags is handed to the right one. */
  #learn(answer: Answer) {
    if ('failure' in answer) return this.send({ type: 'failed', failure: answer.failure })
    const { session } = this
    const { view } = answer
    this.#wishMs = answer.retryAfterMs
    const skewMs = Date.parse(view.server_time) - this.#environment.clock.now()
    if (skewMs > this.clockSkewMs) this.clockSkewMs = skewMs
    const isArrival = session.at === 'following' && session.origin === 'fragment' && session.view === null
    const better = isArrival && betterClaimants(view.order, this)
    if (!better) return this.send({ type: 'reported', view })
    this.reset()
    better[0]?.takeUp(view.checkout_id)
  }

  /** The pop-up's return page says that it is done. Anybody can post a message, so it is only a hint to ask. */
  #hear({ origin, data }: MessageEvent<unknown>) {
    const { base } = this.#tag()
    if (base === null || origin !== new URL(base).origin) return
    if (!isRecord(data) || data.type !== 'gateway-checkout') return
    if (data.checkout_id === subject(this.session)) this.#hurry()
  }

  #wake() {
    this.#hurry()
    this.#look()
  }

  /** Looks again each second while somebody sees a countdown or a pop-up may close. */
  #look() {
    const { clock, window } = this.#environment
    this.#cancelBeat()
    this.#host.requestUpdate()
    const isWatched = hasPopup(this.session) || payUrl(viewOf(this.session))
    if (isWatched && this.#isPresent && !window.document.hidden)
      this.#cancelBeat = clock.after(BEAT_MS, () => this.#beat())
  }

  /** `closed` is never proof: a hosted page with `Cross-Origin-Opener-Policy` looks closed while it is open. */
  #beat() {
    if (!hasPopup(this.session) || !this.#popup?.closed) return this.#look()
    this.send({ type: 'page-seen', page: 'closed' })
    this.#hurry()
  }

  #mayOpen(): boolean {
    return this.#host.dispatchEvent(new CheckoutEvent('checkout-open', viewOf(this.session)))
  }

  get #prefersPopup() {
    return prefersPopup(this.#tag().launch, this.#environment.window)
  }

  #openPopup(url: string): HostedPage {
    this.#popup?.close()
    this.#popup = openPopup(this.#environment.window, url, this.#tag().openingText())
    return this.#popup ? 'open' : 'blocked'
  }

  /** A pop-up that still waits for its address would wait for ever. */
  #point(url: string | null, page: HostedPage) {
    if (url === null) this.#popup?.close()
    else if (page === 'none') this.#leave(url)
    else if (!this.#popup?.closed) this.#popup?.location.replace(url)
  }

  #leave(url: string) {
    this.#environment.window.location.assign(url)
  }

  #remember(checkoutId: string | null) {
    const { base, order } = this.#tag()
    remember(this.#environment.window, memoryOf(base, order), checkoutId)
  }
}

/** Where this tab remembers the order's checkout. */
function memoryOf(base: string | null, order: string): string {
  return `gateway-checkout ${base} ${order}`
}

function subject(session: Session): string | null {
  return session.at === 'following' ? session.checkoutId : null
}

/** What the BFF has to be asked for: a checkout, the news of one, or nothing. */
function task(session: Session): string | null {
  return session.at === 'starting' ? 'initiate' : viewOf(session)?.settled ? null : subject(session)
}
