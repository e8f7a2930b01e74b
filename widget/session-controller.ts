/**
 * Runs what the session machine decides, and feeds it what happens. While the element is off the page nothing
 * of it is left running: no timer, no listener, no request.
 */

import { betterClaimant, expectArrivals, receiveArrival } from './arrivals.ts'
import { isRecord } from './answer.ts'
import { createAttention } from './attention.ts'
import { createConversation } from './conversation.ts'
import { CheckoutEvent } from './events.ts'
import { failure } from './failure.ts'
import { chooseLaunch, createLauncher } from './launcher.ts'
import { createMemory } from './memory.ts'
import { joinPulse } from './pulse.ts'
import { transition } from './session.ts'
import { IDLE, hasPopup, payableAt, viewOf } from './session/state.ts'

import type { Claimant } from './arrivals.ts'
import type { Launcher } from './launcher.ts'
import type { Memory } from './memory.ts'
import type { Payer, PayerField } from './payer.ts'
import type { Origin, Session } from './session/state.ts'
import type { Effect, SessionEvent } from './session/step.ts'
import type { Tag } from './tag.ts'

/** The element that a controller lives in, as far as it needs it. */
export interface SessionHost extends EventTarget {
  readonly isConnected: boolean
  requestUpdate(): void
}

export class SessionController implements Claimant {
  session: Session = IDLE
  /** How far the server's clock was ahead of this device's when the last view came, in milliseconds. */
  clockSkewMs = 0

  readonly #host: SessionHost
  readonly #tag: () => Tag
  readonly #pending: SessionEvent[] = []
  readonly #conversation = createConversation(
    () => this.#tag(),
    (event) => this.#learn(event),
  )
  #launcher: Launcher | null = null
  #leavePage: (() => void) | null = null
  #leavePulse: (() => void) | null = null

  constructor(host: SessionHost, tag: () => Tag) {
    this.#host = host
    this.#tag = tag
  }

  connect() {
    if (this.#leavePage !== null) return
    const { window } = this.#tag().environment
    const hear = (message: MessageEvent<unknown>) => this.#hear(message)
    window.addEventListener('message', hear)
    const withdraw = expectArrivals(this)
    const unwatch = createAttention(window).watch(() => this.#refresh())
    this.#leavePage = () => {
      window.removeEventListener('message', hear)
      withdraw()
      unwatch()
    }
    this.send({ type: 'resumed' })
  }

  /** Moving a tag within the page disconnects and connects it at once; only a real departure stops anything. */
  disconnect() {
    queueMicrotask(() => {
      if (this.#host.isConnected) return
      this.#conversation.stop()
      this.#leavePage?.()
      this.#leavePage = null
      this.#refresh()
    })
  }

  /** Takes up the checkout that the tag, the address or this tab's memory names, in this order. */
  lookAround(checkoutId: string) {
    const { base, environment } = this.#tag()
    if (base === null) return
    if (checkoutId !== '') return this.takeUp(checkoutId, 'attribute')
    receiveArrival(environment.window)
    const remembered = this.#memory().recall()
    if (remembered !== null && this.isFree()) this.takeUp(remembered, 'memory')
  }

  /** Opens the form for what is missing of the payer. */
  askDetails(draft: Payer, problems: readonly PayerField[]) {
    if (this.#isUsable()) this.send({ type: 'details-needed', draft, problems })
  }

  /** Asks the page, then begins. Must be called inside the click. */
  begin(payer: Payer) {
    if (this.#isUsable() && this.#mayOpen()) this.send({ type: 'begun', payer, launch: this.#chooseLaunch() })
  }

  /** Brings the hosted page to the front, or opens it again. Must be called inside the click. */
  reopen() {
    if (hasPopup(this.session)) return this.#launcher?.focus()
    if (payableAt(this.session) === null || !this.#mayOpen()) return
    this.send({ type: 'page-reopened', launch: this.#chooseLaunch() })
  }

  /** Lets the checkout go. The payment itself, if there is one, goes on. */
  reset() {
    this.#memory().forget()
    this.send({ type: 'reset' })
  }

  /** Events that arise while one is being handled wait for their turn. */
  send(event: SessionEvent) {
    this.#pending.push(event)
    if (this.#pending.length > 1) return
    for (const next of this.#pending) {
      const { session, effects } = transition(this.session, next)
      this.session = session
      for (const effect of effects) this.#run(effect)
    }
    this.#pending.length = 0
    this.#refresh()
  }

  get order() {
    return this.#tag().order
  }

  isFree() {
    return this.session.at === 'idle'
  }

  remembers(checkoutId: string) {
    return this.#memory().recall() === checkoutId
  }

  takeUp(checkoutId: string, origin: Origin = 'fragment') {
    this.send({ type: 'taken-up', checkoutId, origin })
  }

  #run(effect: Effect): void {
    switch (effect.do) {
      case 'initiate':
        return void this.#conversation.initiate(effect.payer, effect.launch)
      case 'follow':
        return void this.#conversation.follow(effect.checkoutId, effect.fresh)
      case 'ask':
        return this.#conversation.nudge()
      case 'stop':
        return this.#conversation.stop()
      case 'open-popup':
        return this.#openPopup(effect.url)
      case 'point-popup':
        return this.#launcher?.point(effect.url)
      case 'close-popup':
        return this.#launcher?.close()
      case 'leave':
        return this.#tag().environment.window.location.assign(effect.url)
      case 'remember':
        return this.#memory().remember(effect.checkoutId)
      case 'forget':
        return this.#memory().forget()
      case 'tell':
        this.#host.dispatchEvent(new CheckoutEvent(`checkout-${effect.news.type}`, effect.news.detail))
    }
  }

  #openPopup(url: string | null) {
    const { environment, openingText } = this.#tag()
    this.#launcher ??= createLauncher(environment.window)
    if (!this.#launcher.open(url, openingText)) this.send({ type: 'popup-blocked' })
  }

  /** A shopper who came back to the wrong one of several tags is handed to the right one. */
  #learn(event: SessionEvent) {
    const { session } = this
    if ('view' in event) {
      const { server_time, order, checkout_id } = event.view
      this.clockSkewMs = Date.parse(server_time) - this.#tag().environment.clock.now()
      const isArrival = session.at === 'following' && session.origin === 'fragment' && session.view === null
      const better = isArrival ? betterClaimant(order, this) : undefined
      if (better !== undefined) {
        this.reset()
        return better.takeUp(checkout_id)
      }
    }
    this.send(event)
  }

  /** The pop-up's return page says that it is done. Anybody can post a message, so it is only a hint to ask. */
  #hear({ origin, data }: MessageEvent<unknown>) {
    const { base } = this.#tag()
    if (this.session.at !== 'following' || base === null || origin !== new URL(base).origin) return
    if (!isRecord(data) || data.type !== 'gateway-checkout') return
    if (data.checkout_id === this.session.checkoutId) this.#conversation.nudge()
  }

  /** Looks again each second while somebody sees a countdown or a pop-up may close. */
  #refresh() {
    const { clock, window } = this.#tag().environment
    this.#leavePulse?.()
    const isWanted = hasPopup(this.session) || payableAt(this.session) !== null
    this.#leavePulse =
      isWanted && this.#host.isConnected && !window.document.hidden
        ? joinPulse(clock, () => this.#beat())
        : null
    this.#host.requestUpdate()
  }

  #beat() {
    if (hasPopup(this.session) && this.#launcher?.looksClosed()) this.send({ type: 'popup-closed' })
    else this.#refresh()
  }

  #mayOpen(): boolean {
    return this.#host.dispatchEvent(new CheckoutEvent('checkout-open', viewOf(this.session)))
  }

  #isUsable(): boolean {
    const { base, order } = this.#tag()
    if (base !== null && order !== '') return true
    const missing = base === null ? 'server' : 'order'
    const cause = failure(`no_${missing}`, false, `The tag needs the attribute ${missing}.`)
    this.send({ type: 'refused', failure: cause })
    return false
  }

  #chooseLaunch() {
    const { launch, environment } = this.#tag()
    return chooseLaunch(launch, environment.window)
  }

  #memory(): Memory {
    const { base, order, environment } = this.#tag()
    return createMemory(() => environment.window.sessionStorage, `${base} ${order}`)
  }
}
