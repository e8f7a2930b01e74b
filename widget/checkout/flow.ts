/**
 * The second file: the checkout of a tag (`session-transition.ts`), connected to the browser by requests, pop-up, DOM events and storage.
 * While the element is outside the document, no timer, listener or request runs.
 */

import { isRecord } from '../bff/answer.ts'
import { askMethods, askUntilAdmitted } from '../bff/bff-client.ts'
import { watchStatus } from '../bff/status-watcher.ts'
import { initiateForm, missingSetting, settingsOf } from '../button/checkout-settings.ts'
import { prefersPopup } from '../button/launch.ts'
import { openPopup, Popup } from '../button/popup.ts'
import { useTabStorage } from '../button/tab-memory.ts'
import { Card } from '../card/card.ts'
import { errorEvent, eventsBetween } from '../state/events.ts'
import { failure } from '../state/failure.ts'
import { isComplete } from '../state/payer.ts'
import {
  IDLE,
  checkoutIdOf,
  hasPopup,
  phoneAsks,
  mayPayOnPage,
  mayStart,
  payUrl,
  stateOf,
  viewOf,
  workOf,
} from '../state/state.ts'
import { helpLinks } from '../words/help.ts'
import { claim } from './arrival.ts'
import { LanguageController } from './language-controller.ts'
import { arrivalIn, arrivals } from './return-fragment.ts'
import { transition } from './session-transition.ts'
import { TypedDetails } from './typed-details.ts'

import type { CheckoutMethods, CheckoutView } from '../../server/api/view.ts'
import type { Answer } from '../bff/bff-client.ts'
import type { Changes, ElementHost, Press } from '../button/element-host.ts'
import type { Waiting } from '../button/popup.ts'
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

/** Window events after which the page may have become visible, hidden, online or offline. */
const PAGE_CHANGES = ['visibilitychange', 'pageshow', 'focus', 'online', 'offline']

export class Flow implements ReactiveController {
  session: Session = IDLE
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
  readonly #popup = new Popup()
  /** Whether the element is in the document. */
  #isPresent = false
  /** The running initiate request or status watch. */
  #work: AbortController | null = null
  /** Polls the status of the watched checkout. */
  #recheck = () => {}
  #lastAnswer: Answer | null = null
  #cancelTick = () => {}
  /** How many answers about the checkout in the URL's fragment are awaited. */
  #claims = 0

  constructor(host: ElementHost) {
    const { element, environment } = host
    this.#host = host
    this.details = new TypedDetails(host)
    this.language = new LanguageController(element, environment)
    this.card = new Card(host, () => this.#context)
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
    return mayStart(this.session) && !this.isChecking
  }

  get checkout(): CheckoutView | null {
    return viewOf(this.session)
  }

  /** Whether the shopper may have paid, and nothing is known of it yet: the first file's card stands. */
  get isChecking(): boolean {
    const { session } = this
    return session.at === 'following' ? !session.view && !session.trouble : this.isFree && this.#claims > 0
  }

  hostConnected() {
    if (this.#isPresent) {
      return
    }

    this.#isPresent = true
    this.#continue()
  }

  /** Stops requests, listeners and timers, unless the element was only moved within the page. */
  hostDisconnected() {
    queueMicrotask(() => {
      if (this.#host.element.isConnected) {
        return
      }

      this.#isPresent = false
      this.#work?.abort()
      this.#cancelTick()
    })
  }

  /** Whether the element is in the document and has no checkout. */
  get isFree(): boolean {
    return this.session === IDLE && this.#isPresent
  }

  /**
   * Resumes the first checkout found in the `checkout-id` attribute (`checkoutId`), the tab's storage and the URL's
   * fragment: that of the fragment only after the BFF has confirmed that it belongs to the order.
   */
  #findCheckout(checkoutId: string) {
    const { base, order } = settingsOf(this.#host)
    if (base === null) {
      return
    }
    if (checkoutId) {
      return this.resume(checkoutId, 'attribute')
    }
    if (!this.isFree) {
      return
    }

    const { environment } = this.#host
    const { window } = environment
    const arrival = arrivalIn(window)
    const stored = order && useTabStorage(this.#host, (tab, key) => tab.getItem(key))
    if (stored) {
      this.resume(stored, 'memory')
      if (stored === arrival) {
        arrivals.delete(window)
      }
    } else if (order && arrival) {
      this.#claims += 1
      void claim(arrival, this, () => settingsOf(this.#host), environment).then(() => {
        this.#claims -= 1
        this.#host.element.requestUpdate()
      })
    }
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
    const isOpen = hasPopup(this.session) && this.#popup.isOpen
    if (isOpen) {
      this.#popup.focus()
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

    const page = popup === undefined ? 'none' : this.#popup.take(popup, this.#waiting)
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
    this.#showPage(payUrl(this.checkout), page)
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
      this.#findCheckout(element.checkoutId)
    }

    const isUnknown =
      !KNOWN_VALUES.test(`${launch},${theme},${method}`) ||
      helpLinks(help, this.language.words).includes(null)
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
      this.#showPage(payUrl(viewOf(after)), before.page)
    }
    if (workOf(before) !== workOf(after)) {
      this.#restartWork(before.at === 'starting' ? this.#lastAnswer : null)
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
    if (payUrl(view) === null) {
      return
    }

    const { window } = this.#host.environment
    const waiting = this.#waiting
    const isPopup = prefersPopup(this.#host.element.launch, window)
    this.#turnTo(isPopup ? this.#popup.take(openPopup(window, waiting), waiting) : 'none')
  }

  #continue() {
    this.#restartWork()
    this.#scheduleTick()
  }

  /** Stops the running requests, then starts what the new state needs. */
  #restartWork(last: Answer | null = null) {
    // Abort only running work: `abort()` creates an error, which is slow on a page with many elements.
    this.#work?.abort()
    this.#work = null
    this.#recheck = () => {}
    const { session } = this
    const environment = this.#host.environment
    if (workOf(session) === null || (session.at === 'following' && !this.#isPresent)) {
      return
    }

    const work = (this.#work = new AbortController())
    const { signal } = work
    const { base, fields } = settingsOf(this.#host)
    const url = `${base}/checkout/`
    if (session.at === 'details') {
      if (!this.details.asksPhone) {
        return
      }

      const country = encodeURIComponent(fields().country)
      return void this.#nameOperators(`${url}methods?country=${country}`, signal)
    }

    this.#listen(work)

    // A response after the abort is ignored, which is safe: an initiate request can be repeated.
    const receive = (answer: Answer) => {
      if (!signal.aborted) {
        this.#receive(answer)
      }
    }

    if (session.at === 'starting') {
      const body = initiateForm(
        session,
        fields(),
        prefersPopup(this.#host.element.launch, environment.window),
      )
      void askUntilAdmitted(`${url}initiate`, { method: 'POST', body }, receive, environment, signal)
    } else if (session.at === 'following') {
      const id = encodeURIComponent(session.checkoutId)
      this.#recheck = watchStatus(`${url}status/${id}`, receive, environment, last, signal)
    }
  }

  /** Lets the form say which operator a number belongs to. Without an answer, the form says nothing of operators. */
  async #nameOperators(url: string, signal: AbortSignal) {
    const methods = await askMethods(url, this.#host.environment, signal)
    if (!signal.aborted) {
      this.methods = methods
      this.#host.element.requestUpdate()
    }
  }

  /** Listens for window events until `work` is aborted. */
  #listen(work: AbortController) {
    const { window } = this.#host.environment
    const { signal } = work

    const recheck = () => {
      this.#recheck()
      this.#scheduleTick()
    }

    for (const type of PAGE_CHANGES) {
      window.addEventListener(type, recheck, { signal })
    }

    window.addEventListener('message', (message) => this.#receiveMessage(message), { signal })

    // A browser may keep this page in its back/forward cache. After the return, an older response would be out of date,
    // and a pop-up without a URL would never get its URL.
    const leave = () => {
      work.abort()
      if (this.session.at === 'starting') {
        this.#popup.close()
      }

      window.addEventListener('pageshow', () => this.#isPresent && this.#continue(), { once: true })
    }

    window.addEventListener('pagehide', leave, { signal })
  }

  #receive(answer: Answer) {
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

  /** Polls the status when the return page in the pop-up reports that the shopper has left the hosted page. */
  #receiveMessage({ origin, data }: MessageEvent<unknown>) {
    const { base } = settingsOf(this.#host)
    if (base === null || origin !== new URL(base).origin || !isRecord(data)) {
      return
    }
    if (data.type === 'gateway-checkout' && data.checkout_id === checkoutIdOf(this.session)) {
      this.#recheck()
    }
  }

  /** Renders the element now, and then every second while a countdown is shown or a pop-up is open. */
  #scheduleTick() {
    const { clock, window } = this.#host.environment
    this.#cancelTick()
    this.#host.element.requestUpdate()
    const view = viewOf(this.session)
    const isTicking = hasPopup(this.session) || payUrl(view) || phoneAsks(view)
    if (!isTicking || !this.#isPresent || window.document.hidden) {
      return
    }

    this.#cancelTick = clock.after(TICK_MS, () => {
      if (!hasPopup(this.session) || this.#popup.isOpen) {
        return this.#scheduleTick()
      }

      this.send({ type: 'page', page: 'closed' })
      this.#recheck()
    })
  }

  /** What the card shows, and what its buttons do. */
  get #context(): RenderContext {
    const { session, language, hint, details, methods } = this
    const { element, environment, press } = this.#host
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

  /** What a pop-up shows whose URL is not known yet. */
  get #waiting(): Waiting {
    const idle = this.#host.idleLook()
    const { language, sentence } = this.language.words
    return language === idle.language ? { ...idle, text: sentence.starting[0] } : idle
  }

  /**
   * Opens the hosted page at `url`, in this window if `page` is `none`, otherwise in the pop-up. If `url` is `null`,
   * closes the pop-up.
   */
  #showPage(url: string | null, page: HostedPage) {
    if (url === null) {
      this.#popup.close()
    } else if (page === 'none') {
      this.#host.environment.window.location.assign(url)
    } else {
      this.#popup.navigate(url)
    }
  }
}
