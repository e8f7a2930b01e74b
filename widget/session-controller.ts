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
import { pulseOf } from './pulse.ts'
import { transition } from './session.ts'
import { IDLE, hasPopup, payableAt, viewOf } from './session/state.ts'

import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { Claimant } from './arrivals.ts'
import type { Conversation } from './conversation.ts'
import type { Environment } from './environment.ts'
import type { Launch, Launcher } from './launcher.ts'
import type { Memory } from './memory.ts'
import type { Payer, PayerField } from './payer.ts'
import type { Origin, Session } from './session/state.ts'
import type { Effect, SessionEvent } from './session/step.ts'

export interface SessionHost extends ReactiveControllerHost, EventTarget {
  readonly isConnected: boolean
}

/** What the tag says at this moment. */
export interface Tag {
  order: string
  /** Address of the BFF without a slash at its end, or `null` when the tag names none. */
  base: string | null
  /** `auto`, `redirect` or `popup`. */
  launch: string
  returnUrl: string
  /** BCP 47. */
  lang: string
  /** What an empty pop-up says. */
  openingText: string
}

export class SessionController implements ReactiveController, Claimant {
  session: Session = IDLE
  /** How far the server's clock was ahead of this device's when the last view came, in milliseconds. */
  clockSkewMs = 0

  readonly #host: SessionHost
  readonly #tag: () => Tag
  readonly #environment: () => Environment
  readonly #conversation: Conversation
  readonly #pending: SessionEvent[] = []
  #launcher: Launcher | null = null
  #leavePage: (() => void) | null = null
  #leavePulse: (() => void) | null = null

  constructor(host: SessionHost, tag: () => Tag, environment: () => Environment) {
    this.#host = host
    this.#tag = tag
    this.#environment = environment
    this.#conversation = createConversation(environment, (event) => this.#learn(event))
    host.addController(this)
  }

  hostConnected() {
    if (this.#leavePage !== null) return
    const { window } = this.#environment()
    const hear = (message: MessageEvent<unknown>) => this.#hear(message)
    window.addEventListener('message', hear)
    const withdraw = expectArrivals(this)
    const unwatch = createAttention(window).watch(() => this.#host.requestUpdate())
    this.#leavePage = () => {
      window.removeEventListener('message', hear)
      withdraw()
      unwatch()
    }
    this.send({ type: 'resumed' })
  }

  /** Moving a tag within the page disconnects and connects it at once; only a real departure stops anything. */
  hostDisconnected() {
    queueMicrotask(() => {
      if (this.#host.isConnected) return
      this.#conversation.stop()
      this.#leavePage?.()
      this.#leavePage = null
      this.#keepPulse()
    })
  }

  /** Takes up the checkout that the tag, the address or this tab's memory names, in this order. */
  lookAround(checkoutId: string) {
    if (this.#tag().base === null) return
    if (checkoutId !== '') return this.takeUp(checkoutId, 'attribute')
    receiveArrival(this.#environment().window)
    const remembered = this.#memory().recall()
    if (remembered !== null && this.isFree()) this.takeUp(remembered, 'memory')
  }

  /** Opens the form for what is missing of the payer. */
  askDetails(draft: Payer, problems: readonly PayerField[]) {
    this.#unlessMisconfigured(() => this.send({ type: 'details-needed', draft, problems }))
  }

  /** Asks the page, then begins. Must be called inside the click. */
  begin(payer: Payer) {
    this.#unlessMisconfigured(() => {
      if (this.#mayOpen()) this.send({ type: 'begun', payer, launch: this.#chooseLaunch() })
    })
  }

  /** Brings the hosted page to the front, or opens it again. Must be called inside the click. */
  reopen() {
    if (hasPopup(this.session)) return this.#launcher?.focus()
    if (this.#mayOpen()) this.send({ type: 'page-reopened', launch: this.#chooseLaunch() })
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
    this.#keepPulse()
    this.#host.requestUpdate()
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
    const { base } = this.#tag()
    switch (effect.do) {
      case 'initiate':
        if (base !== null) void this.#conversation.initiate(base, this.#initiation(effect))
        return
      case 'follow':
        if (base !== null) void this.#conversation.follow(base, effect.checkoutId, effect.fresh)
        return
      case 'ask':
        return this.#conversation.nudge()
      case 'stop':
        return this.#conversation.stop()
      case 'open-popup':
        this.#launcher ??= createLauncher(this.#environment().window)
        if (!this.#launcher.open(effect.url, this.#tag().openingText)) this.send({ type: 'popup-blocked' })
        return
      case 'point-popup':
        return this.#launcher?.point(effect.url)
      case 'close-popup':
        return this.#launcher?.close()
      case 'leave':
        return this.#environment().window.location.assign(effect.url)
      case 'remember':
        return this.#memory().remember(effect.checkoutId)
      case 'forget':
        return this.#memory().forget()
      case 'tell':
        this.#host.dispatchEvent(new CheckoutEvent(`checkout-${effect.news.type}`, effect.news.detail))
    }
  }

  /** A shopper who came back to the wrong one of several tags is handed to the right one. */
  #learn(event: SessionEvent) {
    const { session } = this
    if ('view' in event) {
      const { server_time, order, checkout_id } = event.view
      this.clockSkewMs = Date.parse(server_time) - this.#environment().clock.now()
      const isArrival = session.at === 'following' && session.origin === 'fragment' && session.view === null
      const better = isArrival ? betterClaimant(order, this) : null
      if (better !== null) {
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

  /** The pulse is needed for a countdown, and to notice that the pop-up has gone. */
  #keepPulse() {
    const isNeeded = this.#host.isConnected && (hasPopup(this.session) || payableAt(this.session) !== null)
    if (isNeeded === (this.#leavePulse !== null)) return
    this.#leavePulse?.()
    const { clock, window } = this.#environment()
    this.#leavePulse = isNeeded ? pulseOf(clock, window.document).join(() => this.#beat()) : null
  }

  #beat() {
    if (hasPopup(this.session) && this.#launcher?.looksClosed()) this.send({ type: 'popup-closed' })
    this.#host.requestUpdate()
  }

  #mayOpen(): boolean {
    return this.#host.dispatchEvent(new CheckoutEvent('checkout-open', viewOf(this.session)))
  }

  #unlessMisconfigured(go: () => void) {
    const { base, order } = this.#tag()
    const fault =
      base === null
        ? failure('no_server', false, 'The tag needs a server attribute: the address of the BFF.')
        : order === ''
          ? failure('no_order', false, 'The tag needs an order attribute.')
          : null
    if (fault === null) go()
    else this.send({ type: 'refused', failure: fault })
  }

  #initiation({ payer, launch }: { payer: Payer; launch: Launch }) {
    const { order, returnUrl, lang } = this.#tag()
    return { ...payer, order, return_url: returnUrl, launch, lang }
  }

  #chooseLaunch(): Launch {
    return chooseLaunch(this.#tag().launch, this.#environment().window)
  }

  #memory(): Memory {
    const { base, order } = this.#tag()
    return createMemory(() => this.#environment().window.sessionStorage, base ?? '', order)
  }
}
