import { html, LitElement, render } from 'lit'
import { PROPERTIES, defineProperties } from './attributes.ts'
import { drawFrame, frameIn } from './button.ts'
import styles from './button.css?inline'
import { Conductor } from './conductor.ts'
import { browserEnvironment } from '../browser/environment.ts'
import { CheckoutEvent } from '../session/events.ts'
import { loadFlow } from './flow-loader.ts'
import { styleSheet } from '../browser/style-sheets.ts'

import type { PropertyValues } from 'lit'
import type { CheckoutView } from '../../server/api/view.ts'
import type { CheckoutAttributes } from './attributes.ts'
import type { Frame } from './button.ts'
import type { CheckoutWords } from '../words/custom-words.ts'
import type { Environment } from '../browser/environment.ts'
import type { CheckoutState } from '../session/state.ts'

const adoptStyles = styleSheet(styles)

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
 * @fires checkout-settled - The checkout is settled. Fired once per checkout, for every outcome. `detail`: the view.
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
 * @csspart countdown - The remaining time.
 * @csspart warning - The warning two minutes before the session ends.
 * @csspart phone - The disclosure of the QR code with which a phone opens the hosted page.
 * @csspart overlay - The dialog over the page while the pop-up is open, with the attribute `overlay`.
 * @csspart receipt - The reference of a paid checkout, with its buttons.
 * @csspart error - The message below an input.
 *
 * @cssproperty --gateway-checkout-accent - The colour of the button and the focus ring.
 * @cssproperty --gateway-checkout-on-accent - The colour of the button's text.
 * @cssproperty --gateway-checkout-surface - The background of the status and the form.
 * @cssproperty --gateway-checkout-text - The colour of the text.
 * @cssproperty --gateway-checkout-radius - The radius of corners.
 * @cssproperty --gateway-checkout-font - The font family.
 */
export class GatewayCheckout extends LitElement implements CheckoutAttributes {
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang', 'state']
  }

  static formAssociated = true

  /** The BFF's URL for elements without a `server` attribute; empty if no BFF served this script. */
  static defaultServer = ''

  /** The browser APIs that new elements use. Tests and simulations replace these APIs. */
  static environment: Environment = browserEnvironment

  declare order: string
  declare server: string
  declare payerName: string
  declare payerEmail: string
  declare payerMsisdn: string
  declare country: string
  declare returnUrl: string
  declare launch: '' | 'auto' | 'redirect' | 'popup'
  declare method: '' | 'page' | 'prompt'
  declare label: string
  declare amount: string
  declare payee: string
  declare theme: '' | 'auto' | 'light' | 'dark'
  declare overlay: boolean
  declare disabled: boolean
  declare name: string
  declare required: boolean
  declare checkoutId: string
  /** Words that replace the built-in words, by language: `{ en: { pay: 'Pay now' } }`. */
  declare words: CheckoutWords | null | undefined

  readonly #internals = this.attachInternals()
  readonly #conductor: Conductor
  #frame: Frame | undefined

  static {
    defineProperties(this)
    this.createProperty('words', { attribute: false })
  }

  constructor() {
    super()
    this.#conductor = new Conductor({
      element: this,
      internals: this.#internals,
      environment: GatewayCheckout.environment,
      lit: { html, render },
      defaultServer: () => GatewayCheckout.defaultServer,
      press: (asksPhone) => this.#conductor.press(asksPhone),
      dispatch: (type, detail) => this.dispatchEvent(new CheckoutEvent(type, detail)),
    })
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
    return this.#conductor.state
  }

  /** The last view of the checkout; `null` before the first view. */
  get checkout(): CheckoutView | null {
    return this.#conductor.flow?.checkout ?? null
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
    this.#conductor.press(this.method === 'prompt')
  }

  /** Removes the checkout from the element and shows the button again. A payment in progress continues. */
  reset(): void {
    this.#conductor.reset()
  }

  override attributeChangedCallback(attribute: string, before: string | null, after: string | null) {
    // A framework may remove the `state` attribute, because its markup does not contain the attribute.
    if (attribute !== 'state' || after !== this.state)
      this.requestUpdate(PROPERTIES.get(attribute), before ?? '')
  }

  override connectedCallback() {
    // While the parser is inside a rendered shadow root, new nodes would stand beside those that are still to come.
    if (document.readyState === 'loading' && this.shadowRoot?.querySelector('[name=footer]') === null) {
      document.addEventListener('DOMContentLoaded', () => this.isConnected && this.connectedCallback())
      return
    }
    super.connectedCallback()
    this.#conductor.connect()
  }

  /** Adds other style sheets after a move to another document. */
  adoptedCallback() {
    if (this.shadowRoot) adoptStyles(this.shadowRoot)
    this.requestUpdate()
  }

  protected override createRenderRoot() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open', delegatesFocus: true })
    adoptStyles(root)
    return root
  }

  formResetCallback() {
    this.#conductor.flow?.resetForm()
  }

  formDisabledCallback() {
    this.requestUpdate()
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    this.#conductor.update(changed)
  }

  /** Draws what Lit never replaces; see `button.ts`. */
  protected override render() {
    const root = this.shadowRoot
    if (!root) return
    const frame = (this.#frame ??= frameIn(root))
    // A button that a server has rendered submits a form.
    frame.button.onclick ??= (event) => {
      event.preventDefault()
      this.start()
    }
    const { flow } = this.#conductor
    drawFrame(frame, flow?.card.draw(root, frame) ?? this.#conductor.idle())
  }

  protected override updated() {
    const { state } = this
    const { flow } = this.#conductor
    if (this.getAttribute('state') !== state) this.setAttribute('state', state)
    const valueMissing = this.required && state !== 'paid'
    if (valueMissing || this.validity.valueMissing)
      this.#internals.setValidity({ valueMissing }, flow?.language.words.required ?? 'Please pay first.')
    if (this.shadowRoot) flow?.card.updated(this.shadowRoot)
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
  if (!(registry?.get(name)?.prototype instanceof GatewayCheckout))
    registry?.define(name, class extends GatewayCheckout {})
}
