/**
 * The second file: the checkout of a tag (`session-transition.ts`), from the press to its end. It connects the session
 * to its requests, its window, DOM events and storage. While the element is outside the document, no timer, listener or
 * request runs.
 */

import { missingSetting, settingsOf } from '../button/checkout-settings.ts'
import { useTabStorage } from '../button/tab-memory.ts'
import { Card } from '../card/card.ts'
import { errorEvent, eventsBetween } from '../state/events.ts'
import { failure } from '../state/failure.ts'
import { mayPayOnPage, mayStart } from '../state/next-steps.ts'
import { isComplete } from '../state/payer.ts'
import { IDLE, checkoutIdOf, hasPopup, phoneAsks, payUrl, stateOf, viewOf, workOf } from '../state/state.ts'
import { helpLinks } from '../words/help.ts'
import { LanguageController } from './language-controller.ts'
import { PaymentWindow } from './payment-window.ts'
import { Resumption } from './resumption.ts'
import { arrivalIn } from './return-fragment.ts'
import { SessionRequests } from './session-requests.ts'
import { transition } from './session-transition.ts'
import { TypedDetails } from './typed-details.ts'

import type { CheckoutMethods, CheckoutView } from '../../server/api/view.ts'
import type { Answer } from '../bff/bff-client.ts'
import type { Changes, ElementHost, Press } from '../button/element-host.ts'
import type { RenderContext } from '../card/facts.ts'
import type { DomEvent } from '../state/events.ts'
import type { CheckoutState, HostedPage, Origin, Session } from '../state/state.ts'
import type { SessionEvent } from './session-transition.ts'
import type { ReactiveController } from '@lit/reactive-element'

// A router may draw the element only once the address has its route again.
if (globalThis.window) {
  arrivalIn(window)
}

/**
 * Matches the values of `launch`, `theme` and `method`, joined by commas, if each value is valid or empty. [assumed]
 * Another value counts as empty, and is reported to the developers.
 */
const KNOWN_VALUES = /^(auto|redirect|popup)?,(auto|light|dark)?,(page|prompt)?$/

/** Milliseconds between updates of the countdown, and between checks whether the pop-up is open. */
const TICK_MS = 1_000

export class Flow implements ReactiveController {
  session: Session = IDLE
  /** Whether the element is in the document. */
  isPresent = false
  /**
   * Milliseconds by which the BFF's clock is ahead of the device's clock. Of all measured values, the largest is kept,
   * because network latency makes the measured values too small.
   */
  clockSkewMs = -Infinity
  /** What the developers of the page should know of the error that is shown; empty text for shoppers. */
  hint = ''

  /** The operators that ask payers on the phone; `null` if they are not known. */
  methods: CheckoutMethods | null = null

  readonly card: Card
  readonly details: TypedDetails
  readonly language: LanguageController

  readonly #host: ElementHost
  readonly #page: PaymentWindow
  readonly #requests: SessionRequests
  readonly #resumption: Resumption
  #lastAnswer: Answer | null = null
  #cancelTick = () => {}

  constructor(host: ElementHost) {
    const { element, environment } = host
    this.#host = host
    this.details = new TypedDetails(host)
    this.language = new LanguageController(element, environment)
    this.card = new Card(host, () => this.#context)
    this.#page = new PaymentWindow(host, this.language)
    this.#requests = new SessionRequests(host, this)
    this.#resumption = new Resumption(host, this)
    element.addController(this)
    // What the attributes say is new to the session.
    for (const property of ['order', 'launch']) {
      element.requestUpdate(property)
    }
  }

  get state(): CheckoutState {
    return stateOf(this.session)
  }

  get mayStart(): boolean {
    return mayStart(this.session) && !this.isUnknown
  }

  get checkout(): CheckoutView | null {
    return viewOf(this.session)
  }

  /** Whether the shopper may have paid, and nothing is known of it yet: the first file's card stands. */
  get isUnknown(): boolean {
    const { session } = this
    return session.at === 'following' ? !session.view && !session.trouble : this.#resumption.isAwaited
  }

  hostConnected() {
    if (this.isPresent) {
      return
    }

    this.isPresent = true
    this.#continue()
    if (this.isFree && this.details.takeOver()) {
      this.send({ type: 'details', problems: [] })
    }
  }

  /** Stops requests, listeners and timers, unless the element was only moved within the page. */
  hostDisconnected() {
    queueMicrotask(() => {
      if (this.#host.element.isConnected) {
        return
      }

      this.isPresent = false
      this.#requests.stop()
      this.#cancelTick()
    })
  }

  /** Whether the element is in the document and has no checkout. */
  get isFree(): boolean {
    return this.session === IDLE && this.isPresent
  }

  resume(checkoutId: string, origin: Origin) {
    this.send({ type: 'resumed', checkoutId, origin })
  }

  /** Returns what a press has to do: `null` if nothing, or if bringing the open pop-up to the front was all. */
  takePress(asksPhone: boolean): 'start' | 'reopen' | null {
    const isOtherWay = asksPhone !== (this.#host.element.method === 'prompt')
    if (isOtherWay && this.state === 'error') {
      this.send({ type: 'reset' })
    }
    if (mayStart(this.session)) {
      return 'start'
    }

    // The session may not know yet that the pop-up was closed, because the check runs only once a second.
    const isOpen = hasPopup(this.session) && this.#page.isOpen
    if (isOpen) {
      this.#page.focus()
    }
    return !isOpen && payUrl(this.checkout) !== null ? 'reopen' : null
  }

  /** Continues after a press. */
  begin({ asksPhone, payer, opens, popup }: Press) {
    this.details.asksPhone = asksPhone
    this.details.isChanging = false
    if (!opens) {
      return this.#ask()
    }

    const page = this.#page.take(popup)
    const operator = this.details.operatorAfter(this.checkout)
    if (mayStart(this.session)) {
      this.send({ type: 'started', payer, page, operator })
    } else {
      this.#turnTo(page)
    }
  }

  /** Asks for what is missing; what was typed before the page was loaded again may be all. */
  #ask() {
    const { asksPhone } = this.details
    const missing = missingSetting(settingsOf(this.#host))
    if (missing) {
      this.send({ type: 'failed', failure: failure(`no_${missing}`) })
    } else if (isComplete(this.details.payer(), asksPhone)) {
      this.#host.press(asksPhone)
    } else {
      this.send({ type: 'details', problems: [] })
    }
  }

  /** Opens the hosted page after the session has started. */
  #turnTo(page: HostedPage) {
    this.send({ type: 'page', page })
    this.#page.show(payUrl(this.checkout), page)
  }

  reset() {
    this.details.forget()
    this.send({ type: 'reset' })
  }

  /** Closes the form for the payer's details when the surrounding form is reset. A started checkout continues. */
  resetForm() {
    if (this.state === 'details') {
      this.send({ type: 'reset' })
    }
  }

  /** Applies changed properties. Another `order` resets the session, and so does another `server` after an error. */
  update(changed: Changes) {
    const { element } = this.#host
    const { launch, theme, method, help } = element
    const before = (name: 'order' | 'server') => changed.get(name) ?? element[name]
    const hasAny = (...properties: string[]) => properties.some((property) => changed.has(property))
    const isOtherOrder = before('order') !== element.order
    const isMended = this.state === 'error' && (isOtherOrder || before('server') !== element.server)
    if (isMended || (isOtherOrder && before('order'))) {
      this.send({ type: 'reset' })
    }
    if (hasAny('order', 'server', 'checkoutId')) {
      this.#resumption.find(element.checkoutId)
    }

    const isUnknown = !KNOWN_VALUES.test(`${launch},${theme},${method}`) || helpLinks(help).includes(null)
    if (isUnknown && hasAny('launch', 'theme', 'method', 'help')) {
      this.#dispatch(errorEvent(failure('unknown_value'), this.checkout))
    }
    if (hasAny('order', 'server')) {
      this.details.recall()
    }

    this.card.prepare()
  }

  send(event: SessionEvent) {
    const before = this.session
    const after = (this.session = transition(before, event))
    this.hint = ''
    if (checkoutIdOf(after) !== checkoutIdOf(before)) {
      if (after.at === 'following') {
        useTabStorage(this.#host, (tab, key) => tab.setItem(key, after.checkoutId))
      }
      // The BFF no longer knows the stored checkout.
      else if (event.type === 'failed') {
        useTabStorage(this.#host, (tab, key) => tab.removeItem(key))
      }
    }

    const isStarted = before.at === 'starting' && after.at !== 'starting'
    if (isStarted && before.operator === null) {
      this.#page.show(payUrl(viewOf(after)), before.page)
    }
    if (workOf(before) !== workOf(after)) {
      this.#requests.restart(before.at === 'starting' ? this.#lastAnswer : null)
    }

    for (const each of eventsBetween(before, after)) {
      this.#dispatch(each)
    }

    if (isStarted && before.operator !== null) {
      this.#fallBack(viewOf(after))
    }

    this.#scheduleTick()
  }

  /** Dispatches a DOM event; after an error, also downloads what explains it, which only developers would miss. */
  #dispatch([name, detail]: DomEvent) {
    this.#host.dispatch(`checkout-${name}`, detail)
    if (!detail || !('code' in detail)) {
      return
    }

    const { session } = this
    const { element, environment } = this.#host
    import('../developer/console.ts')
      .then(({ explain }) => {
        const hint = explain(detail, element, settingsOf(this.#host).base, environment.window)
        if (session !== this.session) {
          return
        }

        this.hint = hint
        element.requestUpdate()
      })
      .catch(() => {})
  }

  /** Opens the hosted page if the BFF did not ask the payer on the phone. */
  #fallBack(view: CheckoutView | null) {
    if (view?.prompt?.methods.length === 0) {
      this.#dispatch(errorEvent(failure('prompt_off'), view))
    }
    if (payUrl(view) !== null) {
      this.#turnTo(this.#page.open())
    }
  }

  #continue() {
    this.#requests.restart()
    this.#scheduleTick()
  }

  receive(answer: Answer) {
    if ('failure' in answer) {
      return this.send({ type: 'failed', failure: answer.failure })
    }

    const { view } = answer
    this.#lastAnswer = answer
    const skewMs = Date.parse(view.server_time) - this.#host.environment.clock.now()
    if (skewMs > this.clockSkewMs) {
      this.clockSkewMs = skewMs
    }

    this.send({ type: 'view', view })
  }

  /** Lets the form say which operator a number belongs to. */
  receiveMethods(methods: CheckoutMethods | null) {
    this.methods = methods
    this.#host.element.requestUpdate()
  }

  pageChanged() {
    this.#scheduleTick()
  }

  /** After the return from the browser's cache, a pop-up without a URL would never get its URL. */
  pageLeft() {
    if (this.session.at === 'starting') {
      this.#page.close()
    }
  }

  pageCameBack() {
    if (this.isPresent) {
      this.#continue()
    }
  }

  /** Renders the element now, and then every second while a countdown is shown or a pop-up is open. */
  #scheduleTick() {
    const { clock, window } = this.#host.environment
    this.#cancelTick()
    this.#host.element.requestUpdate()
    const view = viewOf(this.session)
    const isTicking = hasPopup(this.session) || payUrl(view) || phoneAsks(view)
    if (!isTicking || !this.isPresent || window.document.hidden) {
      return
    }

    this.#cancelTick = clock.after(TICK_MS, () => {
      if (!hasPopup(this.session) || this.#page.isOpen) {
        return this.#scheduleTick()
      }

      this.send({ type: 'page', page: 'closed' })
      this.#requests.recheck()
    })
  }

  /** What the card shows, and what its buttons do. */
  get #context(): RenderContext {
    const { session, language, hint, details, methods } = this
    const { element, environment, drawContent, press } = this.#host
    const { window, clock } = environment
    return {
      session,
      words: language.words,
      hasWords: language.hasWords,
      hint,
      window,
      now: clock.now() + this.clockSkewMs,
      element,
      details,
      drawContent,
      methods: details.asksPhone ? methods : null,
      submit: (typed, invalid) => {
        details.keep(typed)
        if (invalid.length > 0) {
          this.send({ type: 'details', problems: invalid })
        } else {
          press(details.asksPhone)
        }
      },
      reopen: () => press(details.asksPhone),
      cancel: () => this.send({ type: 'reset' }),
      payOnPage: mayPayOnPage(session, element.method) ? () => press(false) : null,
    }
  }
}
