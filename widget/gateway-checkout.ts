import { LitElement } from 'lit'
import { returnAddress, serverBase } from './address.ts'
import { PROPERTIES, defineProperties, hasUnknownValue, rewrite } from './attributes.ts'
import { replaceWords } from './custom-words.ts'
import { diagnoseLater } from './diagnosis-loader.ts'
import { Entry } from './entry.ts'
import { browserEnvironment } from './environment.ts'
import { errorEvent } from './events.ts'
import { failure } from './failure.ts'
import { placeFocus } from './focus.ts'
import { LanguageController } from './language-controller.ts'
import { loadReceiptButtons } from './receipt-loader.ts'
import { SessionController } from './session-controller.ts'
import { IDLE, mayPayOnPage, mayStart, stateOf, viewOf } from './session/state.ts'
import { createStyleSheets } from './style-sheets.ts'
import { checkoutTemplate } from './templates/checkout.ts'

import type { PropertyValues } from 'lit'
import type { CheckoutView } from '../server/api/view.ts'
import type { CheckoutAttributes } from './attributes.ts'
import type { CheckoutWords } from './custom-words.ts'
import type { Environment } from './environment.ts'
import type { Words } from './locales/en.ts'
import type { Payer } from './payer.ts'
import type { CheckoutSettings } from './checkout-settings.ts'
import type { CheckoutState, Session } from './session/state.ts'

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
    this.finalize()
    return [...PROPERTIES.keys(), 'lang', 'state']
  }

  static override get styles(): CSSStyleSheet[] {
    return createStyleSheets(globalThis)
  }

  static override shadowRootOptions = { mode: 'open', delegatesFocus: true } as const
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
  declare disabled: boolean
  declare name: string
  declare required: boolean
  declare checkoutId: string

  readonly #internals = this.attachInternals()
  readonly #environment = GatewayCheckout.environment
  readonly #controller = new SessionController(this, this.#environment, () => this.#settings)
  readonly #language = new LanguageController(this, this.#environment)
  #entry = new Entry()
  /** The element's state at the last rendering. */
  #drawn: Session = IDLE
  #hadFocus = false
  #customWords: CheckoutWords | null | undefined

  static {
    defineProperties(this.prototype)
  }

  /** Words that replace the built-in words, by language: `{ en: { pay: 'Pay now' } }`. */
  get words(): CheckoutWords | null | undefined {
    return this.#customWords
  }

  set words(words) {
    this.#customWords = words
    this.requestUpdate()
  }

  /** The state that the element shows, and the value of the `state` attribute. */
  get state(): CheckoutState {
    return stateOf(this.#controller.session)
  }

  /** The last view of the checkout; `null` before the first view. */
  get checkout(): CheckoutView | null {
    return viewOf(this.#controller.session)
  }

  get form(): HTMLFormElement | null {
    return this.#internals.form
  }

  get validity(): ValidityState {
    return this.#internals.validity
  }

  checkValidity(): boolean {
    return this.#internals.checkValidity()
  }

  reportValidity(): boolean {
    return this.#internals.reportValidity()
  }

  /**
   * Acts like a click on the button. Outside a click handler, browsers block the pop-up, and the element shows a link.
   */
  start(): void {
    this.#press(this.method === 'prompt')
  }

  #press(asksPhone: boolean): void {
    this.#entry.asksPhone = asksPhone
    const isOtherWay = asksPhone !== (this.method === 'prompt')
    if (isOtherWay && this.state === 'error') this.#controller.send({ type: 'reset' })
    const { missing, session } = this.#controller
    if (this.#isDisabled) return
    if (!mayStart(session)) this.#controller.reopen()
    else if (missing) this.#controller.send({ type: 'failed', failure: failure(`no_${missing}`, false) })
    else if (this.#entry.isComplete(this.#given)) this.#startCheckout()
    else this.#controller.send({ type: 'details', problems: [] })
  }

  #startCheckout(): void {
    this.#controller.start(this.#entry.payer(this.#given), this.#entry.operatorAfter(this.checkout))
  }

  /** Removes the checkout from the element and shows the button again. A payment in progress continues. */
  reset(): void {
    this.#entry = new Entry()
    this.#controller.reset()
  }

  override attributeChangedCallback(attribute: string, before: string | null, after: string | null) {
    // A framework may remove the `state` attribute, because its markup does not contain the attribute.
    if (attribute !== 'state' || after !== this.state)
      this.requestUpdate(PROPERTIES.get(attribute), before ?? '')
  }

  override connectedCallback() {
    for (const property of [...PROPERTIES.values(), 'words']) rewrite(this, property)
    super.connectedCallback()
    diagnoseLater(this, this.#environment.window)
  }

  /** Creates new style sheets after a move to another document, because each style sheet belongs to one document. */
  adoptedCallback() {
    if (this.shadowRoot)
      this.shadowRoot.adoptedStyleSheets = createStyleSheets(this.ownerDocument.defaultView ?? {})
  }

  protected override createRenderRoot() {
    if (this.ownerDocument === document) return super.createRenderRoot()
    const root = this.attachShadow(GatewayCheckout.shadowRootOptions)
    this.adoptedCallback()
    return root
  }

  /** Closes the form for the payer's details when the surrounding form is reset. A started checkout continues. */
  formResetCallback() {
    if (this.state === 'details') this.#controller.send({ type: 'reset' })
  }

  formDisabledCallback() {
    this.requestUpdate()
  }

  /** Resets the element when the `order` attribute changes, or when the `server` attribute changes after an error. */
  protected override willUpdate(changed: PropertyValues<this>) {
    this.#hadFocus = Boolean(this.shadowRoot?.activeElement)
    const before = (name: 'order' | 'server') => changed.get(name) ?? this[name]
    const isOtherOrder = before('order') !== this.order
    const isMended = this.state === 'error' && (isOtherOrder || before('server') !== this.server)
    if (isMended || (isOtherOrder && before('order'))) this.#controller.send({ type: 'reset' })
    if (changed.has('order') || changed.has('server') || changed.has('checkoutId'))
      this.#controller.findCheckout(this.checkoutId)
    if (hasUnknownValue(this, changed))
      this.#controller.dispatch(errorEvent(failure('unknown_value', false), this.checkout))
  }

  protected override render() {
    const { session, clockSkewMs } = this.#controller
    return checkoutTemplate({
      session,
      words: this.#words,
      window: this.#environment.window,
      now: this.#environment.clock.now() + clockSkewMs,
      label: this.label,
      amount: this.amount,
      payee: this.payee,
      disabled: this.#isDisabled,
      entry: this.#entry,
      fields: () => this.#entry.shownFields(this.#given, session.at === 'details' ? session.problems : []),
      payer: () => this.#entry.payer(this.#given),
      start: () => this.start(),
      submit: (typed, invalid) => {
        Object.assign(this.#entry.typed, typed)
        if (invalid.length > 0) this.#controller.send({ type: 'details', problems: invalid })
        else this.#startCheckout()
      },
      cancel: () => this.#controller.send({ type: 'reset' }),
      payOnPage: mayPayOnPage(session, this.method) ? () => this.#press(false) : null,
    })
  }

  protected override updated() {
    const { session } = this.#controller
    if (this.getAttribute('state') !== this.state) this.setAttribute('state', this.state)
    if (session !== this.#drawn) this.#internals.setFormValue(this.checkout?.checkout_id ?? null)
    const valueMissing = this.required && this.state !== 'paid'
    if (valueMissing || this.validity.valueMissing)
      this.#internals.setValidity({ valueMissing }, this.#words.required)
    if (this.shadowRoot)
      placeFocus(this.shadowRoot, session.at === 'details' && session !== this.#drawn, this.#hadFocus)
    loadReceiptButtons(this.renderRoot, session, () => this.#words)
    this.#drawn = session
  }

  get #settings(): CheckoutSettings {
    const { order, country, returnUrl, launch, baseURI } = this
    const page = returnUrl ? baseURI : this.#environment.window.location.href
    return {
      order,
      base: serverBase(this.server || GatewayCheckout.defaultServer, baseURI),
      launch,
      fields: () => ({
        order,
        country,
        return_url: returnAddress(returnUrl, page),
        lang: this.#language.lang,
      }),
      text: () => this.#words.sentence.starting[0],
    }
  }

  get #words(): Words {
    return replaceWords(this.#language.words, this.#customWords)
  }

  get #given(): Payer {
    return { payer_name: this.payerName, payer_email: this.payerEmail, payer_msisdn: this.payerMsisdn }
  }

  get #isDisabled(): boolean {
    return this.disabled || this.matches(':disabled')
  }
}
