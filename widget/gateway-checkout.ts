import { LitElement } from 'lit'
import { returnAddress, serverBase } from './address.ts'
import { PROPERTIES, defineProperties, rewrite } from './attributes.ts'
import { browserEnvironment } from './environment.ts'
import { failure } from './failure.ts'
import styles from './gateway-checkout.css?inline'
import { replaceWords } from './custom-words.ts'
import { obstacle } from './news.ts'
import { LanguageController } from './language-controller.ts'
import { PAYER_FIELDS } from './payer.ts'
import { SessionController } from './session-controller.ts'
import { IDLE, mayStart, stateOf, viewOf } from './session/state.ts'
import { checkout } from './templates/checkout.ts'

import type { PropertyValues } from 'lit'
import type { CheckoutView } from '../server/api/view.ts'
import type { CheckoutWords } from './custom-words.ts'
import type { Environment } from './environment.ts'
import type { Words } from './locales/en.ts'
import type { Payer, PayerField } from './payer.ts'
import type { CheckoutState, Session } from './session/state.ts'
import type { Form, Tag } from './tag.ts'
import type { Scene } from './templates/scene.ts'

/** What `launch` and `theme` may say. */
const KNOWN = /^(auto|redirect|popup)?,(auto|light|dark)?$/

/**
 * A button that takes a payment: it opens the gateway's hosted page, follows the checkout, and shows only what
 * the gateway has confirmed.
 *
 * @slot label - What the button says, instead of the `label` attribute.
 * @slot paid - Added under the sentence once paid; likewise `partial`, `unpaid` and `expired`.
 * @slot partial
 * @slot unpaid
 * @slot expired
 * @slot footer - Always shown, at the end.
 *
 * @fires checkout-open - Cancelable, inside the click, before any window or request. `detail`: the view or null.
 * @fires checkout-change - Every confirmed change. `detail`: the view, as in all events below unless said.
 * @fires checkout-paid
 * @fires checkout-partial
 * @fires checkout-unpaid
 * @fires checkout-expired
 * @fires checkout-settled - Once per checkout, whatever the outcome.
 * @fires checkout-close - The pop-up looks closed. `detail`: the view or null.
 * @fires checkout-error - `detail`: `{ code, message, retryable, view }`.
 *
 * @csspart base - Everything.
 * @csspart button - The button, and the link in its place when a pop-up was blocked.
 * @csspart label - The words on the button.
 * @csspart form
 * @csspart field
 * @csspart input
 * @csspart status - The sentence on how things stand.
 * @csspart amount
 * @csspart countdown
 * @csspart receipt
 * @csspart error
 *
 * @cssproperty --gateway-checkout-accent - The button and the focus ring.
 * @cssproperty --gateway-checkout-on-accent - Words on the button.
 * @cssproperty --gateway-checkout-surface - Behind the sentence and the form.
 * @cssproperty --gateway-checkout-text
 * @cssproperty --gateway-checkout-radius
 * @cssproperty --gateway-checkout-font
 */
export class GatewayCheckout extends LitElement {
  static override get observedAttributes(): string[] {
    this.finalize()
    return [...PROPERTIES.keys(), 'lang', 'state']
  }

  static override get styles(): CSSStyleSheet[] {
    return sheetsIn(globalThis)
  }

  static override shadowRootOptions = { mode: 'open', delegatesFocus: true } as const
  static formAssociated = true

  /** The BFF's address for tags without a `server` attribute: the origin of the script, when the BFF served it. */
  static defaultServer = ''

  /** For tests and simulations: what stands in for parts of the browser. */
  static environment: Environment = browserEnvironment

  declare order: string
  declare server: string
  declare payerName: string
  declare payerEmail: string
  declare payerMsisdn: string
  /** ISO 3166-1 alpha-2 code, such as "KE"; completes national phone numbers. */
  declare country: string
  declare returnUrl: string
  declare launch: '' | 'auto' | 'redirect' | 'popup'
  declare label: string
  declare theme: '' | 'auto' | 'light' | 'dark'
  declare disabled: boolean
  declare name: string
  declare required: boolean
  declare checkoutId: string

  readonly #internals = this.attachInternals()
  readonly #environment = GatewayCheckout.environment
  readonly #controller = new SessionController(this, this.#environment, () => this.#tag())
  readonly #language = new LanguageController(this, this.#environment)
  /** What the shopper wrote, which goes before what the page says. */
  #typed: Partial<Payer> = {}
  #shown: Session = IDLE
  #hadFocus = false
  #customWords: CheckoutWords | null | undefined

  static {
    defineProperties(this.prototype)
  }

  /** The page's own sentences, by language: `{ en: { pay: 'Pay now' } }`. */
  get words(): CheckoutWords | null | undefined {
    return this.#customWords
  }

  set words(words) {
    this.#customWords = words
    this.requestUpdate()
  }

  /** What is shown now; also the `state` attribute. */
  get state(): CheckoutState {
    return stateOf(this.#controller.session)
  }

  /** The last view, or `null` while there is none. */
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
   * Does what a press of the button does. Call it inside a click of the shopper's, or the pop-up is blocked and
   * a link stands in for it.
   */
  start(): void {
    if (this.#isDisabled) return
    if (!mayStart(this.#controller.session)) return this.#controller.reopen()
    const payer = this.#payer
    if (!this.#controller.isUsable()) return
    if (PAYER_FIELDS.every((field) => payer[field])) this.#controller.begin(payer)
    else this.#controller.send({ type: 'asked', problems: [] })
  }

  /** Goes back to the button and forgets the checkout. A payment that is under way is not stopped by it. */
  reset(): void {
    this.#typed = {}
    this.#controller.reset()
  }

  override attributeChangedCallback(attribute: string, before: string | null, after: string | null) {
    // A page that is drawn anew over what is there takes away the state, which its server did not write.
    if (attribute !== 'state' || after !== this.state)
      this.requestUpdate(PROPERTIES.get(attribute), before ?? '')
  }

  override connectedCallback() {
    for (const property of [...PROPERTIES.values(), 'words']) rewrite(this, property)
    super.connectedCallback()
  }

  /** A document takes no style sheet of another's, and takes it off what moves in. */
  adoptedCallback() {
    if (this.shadowRoot) this.shadowRoot.adoptedStyleSheets = sheetsIn(this.ownerDocument.defaultView ?? {})
  }

  protected override createRenderRoot() {
    if (this.ownerDocument === document) return super.createRenderRoot()
    const root = this.attachShadow(GatewayCheckout.shadowRootOptions)
    this.adoptedCallback()
    return root
  }

  /** A form's reset closes the form of ours that is open; a payment is no input to be discarded. */
  formResetCallback() {
    if (this.state === 'details') this.#controller.send({ type: 'reset' })
  }

  formDisabledCallback() {
    this.requestUpdate()
  }

  /**
   * Another order is another payment: what is shown of the old one goes, and stays remembered for its own. An error
   * goes, too, once the tag is given what it may have been for want of.
   */
  protected override willUpdate(changed: PropertyValues<this>) {
    this.#hadFocus = Boolean(this.shadowRoot?.activeElement)
    const before = (name: 'order' | 'server') => changed.get(name) ?? this[name]
    const isOther = before('order') !== this.order
    const isMended = this.state === 'error' && (isOther || before('server') !== this.server)
    if (isMended || (isOther && before('order'))) this.#controller.send({ type: 'reset' })
    if (changed.has('order') || changed.has('server') || changed.has('checkoutId'))
      this.#controller.lookAround(this.checkoutId)
    if ((changed.has('launch') || changed.has('theme')) && !KNOWN.test(`${this.launch},${this.theme}`))
      this.#controller.tell(obstacle(failure('unknown_value', false), this.checkout))
  }

  protected override render() {
    const { session, clockSkewMs } = this.#controller
    const { window, clock } = this.#environment
    const words = this.#words
    const scene: Scene = {
      session,
      words,
      isOnline: window.navigator.onLine,
      serverNowMs: clock.now() + clockSkewMs,
      label: this.label,
      isDisabled: this.#isDisabled,
      missing: () => this.#missing,
      payer: () => this.#payer,
      press: () => this.start(),
      submit: (typed, wrong) => this.#submit(typed, wrong),
      cancel: () => this.#controller.send({ type: 'reset' }),
    }
    return checkout(scene)
  }

  protected override updated() {
    const { session } = this.#controller
    if (this.getAttribute('state') !== this.state) this.setAttribute('state', this.state)
    if (session !== this.#shown) this.#internals.setFormValue(this.checkout?.checkout_id ?? null)
    const valueMissing = this.required && this.state !== 'paid'
    if (valueMissing || this.validity.valueMissing)
      this.#internals.setValidity({ valueMissing }, this.#words.required)
    this.#placeFocus(session.at === 'details' && session !== this.#shown)
    if (this.state === 'paid') this.#furnishReceipt()
    this.#shown = session
  }

  /** Runs inside the press, so that a pop-up may open. */
  #submit(typed: Partial<Payer>, wrong: readonly PayerField[]) {
    this.#typed = { ...this.#typed, ...typed }
    if (wrong.length > 0) this.#controller.send({ type: 'asked', problems: wrong })
    else this.#controller.begin(this.#payer)
  }

  /**
   * A form that has just opened, or came back with a fault, takes the focus to where something is to be written.
   * Otherwise focus is left alone, and only caught when the thing that had it is gone: by what can be pressed next,
   * and while there is nothing, by the status.
   */
  #placeFocus(isNewForm: boolean) {
    const isLost =
      this.#hadFocus && !this.shadowRoot?.activeElement?.matches('a, input, button:not([hidden])')
    const find = (place: string) => this.renderRoot.querySelector<HTMLElement>(place)
    const next = isNewForm ? '[aria-invalid=true], input:invalid' : '[part=button]:not([hidden])'
    if (isNewForm || isLost) (find(next) ?? find('[role=status]'))?.focus()
  }

  /** A payment is made without it: the reference is there to be read. */
  #furnishReceipt() {
    import('./receipt.ts').then(
      ({ default: furnish }) => this.checkout && furnish(this.renderRoot, this.checkout, this.#words),
      () => {},
    )
  }

  #tag(): Tag {
    const { order, launch, baseURI } = this
    return {
      order,
      base: serverBase(this.server || GatewayCheckout.defaultServer, baseURI),
      launch,
      form: () => this.#form,
      openingText: () => this.#words.sentence.starting[0],
    }
  }

  get #form(): Form {
    const { order, country, returnUrl, baseURI } = this
    const page = returnUrl ? baseURI : this.#environment.window.location.href
    return { order, country, return_url: returnAddress(returnUrl, page), lang: this.#language.lang }
  }

  get #words(): Words {
    return replaceWords(this.#language.words, this.#customWords)
  }

  get #isDisabled(): boolean {
    return this.disabled || this.matches(':disabled')
  }

  /** What the page says of the payer. */
  get #given(): Payer {
    return { payer_name: this.payerName, payer_email: this.payerEmail, payer_msisdn: this.payerMsisdn }
  }

  /** What the shopper is asked for: what the page does not say, or what was asked for before. */
  get #missing(): PayerField[] {
    const { session } = this.#controller
    const given = this.#given
    return PAYER_FIELDS.filter(
      (field) =>
        !given[field] ||
        field in this.#typed ||
        (session.at === 'details' && session.problems.includes(field)),
    )
  }

  get #payer(): Payer {
    return { ...this.#given, ...this.#typed }
  }
}

/**
 * The browser's own style sheet, of which a server has none: Lit's `css` guards what is put into one, at four times
 * the size, and nothing is put into this.
 */
function sheetsIn({ CSSStyleSheet }: Partial<typeof globalThis>): CSSStyleSheet[] {
  if (CSSStyleSheet === undefined) return []
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  return [sheet]
}
