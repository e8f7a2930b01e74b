/** The element's class, with all that a page needs before the first press; the second file (`../checkout/flow.ts`) has the rest. */

import { ReactiveElement } from '@lit/reactive-element'

import { CheckoutEvent } from '../state/events.ts'
import { isComplete } from '../state/payer.ts'
import { PROPERTIES, assignEarly, defineProperties } from './attributes.ts'
import { drawContent } from './card-content.ts'
import { clearChecking, drawChecking } from './checking-card.ts'
import { givenPayer, isDisabled, postPress, settingsOf } from './checkout-settings.ts'
import { browserEnvironment } from './environment.ts'
import { loadFlow, loadFlowWhenIdle, secondFile } from './flow-loader.ts'
import styles from './frame.css?inline'
import { drawFrame, frameIn } from './frame.ts'
import { idleLook } from './idle-look.ts'
import { prefersPopup } from './launch.ts'
import { mayResume } from './left-checkout.ts'
import { openPopup, POPUP } from './popup.ts'
import { styleSheet } from './style-sheets.ts'
import { useTabStorage } from './tab-memory.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { Flow } from '../checkout/flow.ts'
import type { CheckoutState } from '../state/state.ts'
import type { CheckoutWords } from '../words/custom-words.ts'
import type { CheckoutAttributes } from './attributes.ts'
import type { ElementHost, Press } from './element-host.ts'
import type { Environment } from './environment.ts'
import type { Frame, Look } from './frame.ts'
import type { PropertyValues } from '@lit/reactive-element'

const adoptStyles = styleSheet(styles)

/** How long a shopper waits for the second file, in milliseconds. [assumed] A browser would wait for minutes. */
const LONGEST_DOWNLOAD_MS = 20_000

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- `defineProperties` defines each property.
export interface GatewayCheckout extends CheckoutAttributes {}

/**
 * A button that takes a payment. The element opens the gateway's hosted page, follows the checkout, and shows only what
 * the gateway has confirmed.
 *
 * @slot label - The button's text, instead of the `label` attribute.
 * @slot paid - Content below the status once the checkout is paid.
 * @slot partial - Content below the status while a part of the amount is paid.
 * @slot unpaid - Content below the status while the checkout is unpaid.
 * @slot expired - Content below the status once the checkout has expired.
 * @slot footer - Content at the end of the element, in every state.
 *
 * @fires checkout-open - The hosted page is about to open, in the click. `preventDefault()` cancels. `detail`: the view or null.
 * @fires checkout-change - The gateway has confirmed a change. `detail`: the view.
 * @fires checkout-paid - The gateway has confirmed full payment. `detail`: the view.
 * @fires checkout-partial - The gateway has confirmed payment of a part of the amount. `detail`: the view.
 * @fires checkout-unpaid - Nothing is paid: a payment failed, or the session ended. `detail`: the view.
 * @fires checkout-expired - The session ended, and the shopper never tried to pay. `detail`: the view.
 * @fires checkout-settled - The checkout is settled, whatever its outcome. Once per checkout and page load. `detail`: the view.
 * @fires checkout-close - The pop-up looks closed, which says nothing of the payment. `detail`: the view or null.
 * @fires checkout-error - An error, never a failed payment. `detail`: `{ code, message, retryable, view }`.
 *
 * @csspart base - The container of all other parts.
 * @csspart button - The button, and the link in its place when a pop-up was blocked.
 * @csspart label - The button's text.
 * @csspart form - The form for the payer's details.
 * @csspart field - A label with its input.
 * @csspart input - An input of the form.
 * @csspart status - The title and the explanation of the state.
 * @csspart terms - The payee before a checkout, and the amount if the button does not show it.
 * @csspart amount - The amount to pay, and the paid amount.
 * @csspart payee - Who is paid, and once paid, when.
 * @csspart countdown - The remaining time.
 * @csspart warning - The warning two minutes before the session ends.
 * @csspart phone - The disclosure of the QR code with which a phone opens the hosted page.
 * @csspart overlay - The dialog over the page while the pop-up is open, with the attribute `overlay`.
 * @csspart receipt - The numbers of a payment, with their buttons.
 * @csspart help - Where the shopper reaches the shop, from the attribute `help`.
 * @csspart error - The message below an input.
 *
 * @cssproperty --gateway-checkout-accent - The colour of the button and the focus ring.
 * @cssproperty --gateway-checkout-on-accent - The colour of the button's text.
 * @cssproperty --gateway-checkout-surface - The background of the status and the form.
 * @cssproperty --gateway-checkout-text - The colour of the text.
 * @cssproperty --gateway-checkout-radius - The radius of corners.
 * @cssproperty --gateway-checkout-font - The font family.
 */
export class GatewayCheckout extends ReactiveElement {
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...PROPERTIES.keys(), 'lang', 'state']
  }

  static formAssociated = true

  /** The BFF's URL for elements without a `server` attribute; empty if no BFF served this script. */
  static defaultServer = ''

  /** The browser APIs that new elements use. Tests and simulations replace these APIs. */
  static environment: Environment = browserEnvironment

  /** Words that replace the built-in words, by language: `{ en: { pay: 'Pay now' } }`. */
  declare words: CheckoutWords | null | undefined

  readonly #internals = this.attachInternals()
  readonly #host: ElementHost = {
    element: this,
    properties: PROPERTIES,
    internals: this.#internals,
    environment: GatewayCheckout.environment,
    defaultServer: () => GatewayCheckout.defaultServer,
    idleLook: () => idleLook(this.#host),
    drawContent,
    press: (asksPhone) => this.#press(asksPhone),
    dispatch: (type, detail) => this.dispatchEvent(new CheckoutEvent(type, detail)),
  }
  /** The session and all that it needs, from the second file; `null` before that file has arrived. */
  #flow: Flow | null = null
  /** The press that opens its pop-up, or waits for the second file. */
  #pendingPress: Press | null = null
  /** The second file, if there may be a checkout to resume: on its way, or not to be had. */
  #resuming: 'loading' | 'lost' | null = null
  #frame: Frame | undefined

  static {
    defineProperties(this.prototype)
    this.createProperty('words', { attribute: false })
  }

  constructor() {
    super()
    this.#addFlow()
  }

  /**
   * Downloads the part of the element that a page needs after the first press. Without this call, the element downloads
   * it when the browser is idle. Resolves also if the download fails; the first press then tries again.
   */
  static async preload(): Promise<void> {
    await loadFlow().catch(() => {})
  }

  /** The state that the element shows, and the value of the `state` attribute. */
  get state(): CheckoutState {
    if (this.#isUnknown) {
      return 'waiting'
    }
    return this.#flow?.state ?? (this.#pendingPress?.opens ? 'starting' : 'idle')
  }

  /** Whether the shopper may have paid, and nothing is known of it yet. */
  get #isUnknown(): boolean {
    return this.#flow?.isUnknown ?? this.#resuming !== null
  }

  /** The last view of the checkout; `null` before the first view. */
  get checkout(): CheckoutView | null {
    return this.#flow?.checkout ?? null
  }

  /**
   * Whether a new payment may start here: none has begun, or the last one has ended and the gateway has confirmed that
   * nothing was paid. While it is `false`, money may move, and the page should offer no other order.
   */
  get mayStart(): boolean {
    return this.#flow?.mayStart ?? this.state === 'idle'
  }

  /** The form that contains the element; `null` outside a form. */
  get form(): HTMLFormElement | null {
    return this.#internals.form
  }

  /** Whether the element is valid, and why not. See `required`. */
  get validity(): ValidityState {
    return this.#internals.validity
  }

  /** Returns whether the element is valid. */
  checkValidity(): boolean {
    return this.#internals.checkValidity()
  }

  /** Returns whether the element is valid, and shows the shopper why it is not. */
  reportValidity(): boolean {
    return this.#internals.reportValidity()
  }

  /**
   * Acts like a click on the button. Outside a click handler, browsers block the pop-up, and the element shows a link.
   */
  start(): void {
    this.#press(this.method === 'prompt')
  }

  /** Removes the checkout from the element and shows the button again. A payment in progress continues. */
  reset(): void {
    useTabStorage(this.#host, (tab, key) => tab.removeItem(key))
    this.#drop()
    this.#flow?.reset()
  }

  override attributeChangedCallback(attribute: string, before: string | null, after: string | null) {
    // A framework may remove the `state` attribute, because its markup does not contain the attribute.
    if (attribute !== 'state' || after !== this.state) {
      this.requestUpdate(PROPERTIES.get(attribute), before ?? '')
    }
  }

  override connectedCallback() {
    // While the parser is inside a rendered shadow root, new nodes would stand beside those that are still to come.
    if (document.readyState === 'loading' && this.shadowRoot?.querySelector('[name=footer]') === null) {
      document.addEventListener('DOMContentLoaded', () => this.isConnected && this.connectedCallback())
      return
    }

    assignEarly(this)
    super.connectedCallback()
    // The element's new ancestors may have another `lang`, and an idle element looks for its checkout again.
    this.requestUpdate(this.state === 'idle' ? 'checkoutId' : undefined)
    if (this.#flow) {
      return
    }

    // One element after the other, so that a page with many elements stays responsive.
    loadFlowWhenIdle(this.#host.environment).then(
      () => this.#addFlow(),
      () => {},
    )
  }

  /** Adds other style sheets after a move to another document. */
  adoptedCallback() {
    if (this.shadowRoot) {
      adoptStyles(this.shadowRoot)
    }

    this.requestUpdate()
  }

  protected override createRenderRoot() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open', delegatesFocus: true })
    adoptStyles(root)
    return root
  }

  formResetCallback() {
    this.#flow?.resetForm()
  }

  formDisabledCallback() {
    this.requestUpdate()
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (this.#flow) {
      return this.#flow.update(changed)
    }

    const order = changed.get('order')
    if (order && order !== this.order) {
      this.#drop()
    }
    if ((['order', 'server', 'checkoutId'] as const).some((name) => changed.has(name))) {
      this.#findCheckout()
    }
  }

  /** Draws what Lit never replaces; see `frame.ts`. */
  protected override update(changed: PropertyValues<this>) {
    if (this.shadowRoot) {
      this.#draw(this.shadowRoot)
    }

    super.update(changed)
  }

  #draw(root: ShadowRoot): void {
    this.#frame ??= frameIn(root)
    const frame = this.#frame
    // A button that a server has rendered submits a form.
    frame.button.onclick ??= (event) => {
      event.preventDefault()
      if (this.#isUnknown) {
        this.#host.environment.window.location.reload()
      } else {
        this.start()
      }
    }
    if (this.state === 'idle' && frame.card.className) {
      clearChecking(frame)
    }

    const look = this.#isUnknown
      ? drawChecking(this.#host, frame, this.#resuming === 'lost')
      : this.#flow?.card.draw(root, frame)
    drawFrame(frame, look ?? this.#lookBeforeFlow())
  }

  protected override updated() {
    const { state } = this
    if (this.getAttribute('state') !== state) {
      this.setAttribute('state', state)
    }

    const valueMissing = this.required && state !== 'paid'
    if (valueMissing || this.validity.valueMissing) {
      this.#internals.setValidity(
        { valueMissing },
        // The first file has this sentence in English only.
        this.#flow?.language.words.required ?? 'Please pay first.',
      )
    }
    if (this.shadowRoot) {
      this.#flow?.card.updated(this.shadowRoot, this.#isUnknown)
    }
  }

  /** Asks the page, and opens the pop-up inside the click. Then the press belongs to the session. */
  #press(asksPhone: boolean): void {
    const { environment, dispatch } = this.#host
    const { window } = environment
    if (this.#pendingPress) {
      this.#pendingPress.popup?.focus()
      return
    }
    if (isDisabled(this) || this.#isUnknown) {
      return
    }

    const task = this.#flow ? this.#flow.takePress(asksPhone) : 'start'
    if (task === null) {
      return
    }

    const { base, order } = settingsOf(this.#host)
    const payer = this.#flow?.details.payer() ?? givenPayer(this)
    const opens = task === 'reopen' || Boolean(base && order && isComplete(payer, asksPhone))
    // The press is known before the pop-up opens: Firefox meanwhile runs other tasks, which may press again.
    const press: Press = { asksPhone, payer, opens }
    this.#pendingPress = press
    if (opens && !dispatch('checkout-open', this.checkout)) {
      return this.#drop()
    }

    if (opens && (task === 'reopen' || !asksPhone) && prefersPopup(this.launch, window)) {
      press.popup = openPopup(window, this.#lookBeforeFlow())
    }

    // One of those tasks may have reset the element.
    if (this.#pendingPress !== press) {
      press.popup?.close()
    } else if (this.#flow) {
      this.#begin(this.#flow)
    } else {
      this.#awaitPress(press)
    }
  }

  /** Waits for the second file. If it cannot be had, a plain form opens the hosted page. */
  #awaitPress(press: Press): void {
    const { window } = this.#host.environment
    this.requestUpdate()
    // A browser may keep this page in its back/forward cache, and the pop-up would never get a URL.
    window.addEventListener('pagehide', () => this.#drop(), { once: true })
    this.#awaitFlow(() => {
      if (this.#pendingPress !== press) {
        return
      }

      const isFramed = prefersPopup('redirect', window)
      if (isFramed) {
        // The hosted page refuses to be framed. The form opens it in the pop-up, which `#drop` must not close.
        press.popup = null
      }

      this.#drop()
      postPress(this.#host, press, isFramed ? POPUP : '_top')
    })
  }

  /** Stops waiting for the second file. */
  #drop(): void {
    this.#pendingPress?.popup?.close()
    this.#pendingPress = null
    this.#resuming = null
    this.requestUpdate()
  }

  /** Continues with the second file if it has arrived. */
  #addFlow(): void {
    if (this.#flow || !secondFile) {
      return
    }

    this.#flow = new secondFile.Flow(this.#host)
    this.#resuming = null
    this.#begin(this.#flow)
  }

  #begin(flow: Flow): void {
    const press = this.#pendingPress
    this.#pendingPress = null
    if (press) {
      flow.begin(press)
    }
  }

  /** What the element shows before the second file has arrived. */
  #lookBeforeFlow(): Look {
    return { ...idleLook(this.#host), state: this.state, isBusy: this.#pendingPress !== null }
  }

  /** Downloads the second file at once if there may be a checkout to resume. */
  #findCheckout(): void {
    this.#resuming = mayResume(this.#host) && !this.#pendingPress ? 'loading' : null
    if (this.#resuming === null) {
      return
    }

    this.#awaitFlow(() => {
      this.#resuming &&= 'lost'
      this.requestUpdate()
    })
  }

  /** Downloads the second file. Calls `fail` if it cannot be had, and also when it would be late. */
  #awaitFlow(fail: () => void): void {
    this.#host.environment.clock.after(LONGEST_DOWNLOAD_MS, fail)
    loadFlow().then(() => this.#addFlow(), fail)
  }
}

/**
 * Defines the element under a name of its own, beside a `<gateway-checkout>` of another version on the same page. Does
 * nothing on a server, and if this version has already defined the name.
 *
 * @param name The name of the tag, such as "checkout-v2".
 * @throws {DOMException} If the name is not a valid name of a custom element, or another class has it.
 */
export function define(name: string): void {
  const { customElements: registry } = globalThis
  if (!(registry?.get(name)?.prototype instanceof GatewayCheckout)) {
    registry?.define(name, class extends GatewayCheckout {})
  }
}
