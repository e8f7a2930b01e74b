import { returnAddress, serverBase } from './address.ts'
import { adoptEarlyProperties, attributeOf, defineAttributes } from './attributes.ts'
import { draw, element } from './drawing.ts'
import { browserEnvironment } from './environment.ts'
import { placeFocus } from './focus.ts'
import { FormElement } from './form-element.ts'
import { styleSheet } from './gateway-checkout.styles.ts'
import { formatLanguage, loadWords } from './language.ts'
import { en } from './locales/en.ts'
import { PAYER_FIELDS, readPayer } from './payer.ts'
import { SessionController } from './session-controller.ts'
import { IDLE, mayBegin, payerOf, stateOf, viewOf } from './session/state.ts'
import { action } from './templates/action.ts'
import { card } from './templates/card.ts'
import { detailsForm } from './templates/details-form.ts'

import type { View } from '../server/contract/view.ts'
import type { Environment } from './environment.ts'
import type { Words } from './locale.ts'
import type { Payer } from './payer.ts'
import type { CheckoutState, Details, Session } from './session/state.ts'
import type { Tag } from './tag.ts'

const ATTRIBUTES = {
  texts: [
    'order',
    'server',
    'payerName',
    'payerEmail',
    'payerMsisdn',
    'country',
    'returnUrl',
    'launch',
    'label',
    'theme',
    'name',
    'checkoutId',
  ],
  flags: ['disabled', 'required'],
}

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
export class GatewayCheckout extends FormElement {
  static observedAttributes = [...ATTRIBUTES.texts, ...ATTRIBUTES.flags, 'lang'].map(attributeOf)

  /** The BFF's address for tags without a `server` attribute: the origin of the script, when the BFF served it. */
  static defaultServer = ''

  /** For tests and simulations: what stands in for parts of the browser. */
  static environment: Partial<Environment> = {}

  static {
    defineAttributes(this.prototype, ATTRIBUTES)
  }

  declare order: string
  declare server: string
  declare payerName: string
  declare payerEmail: string
  declare payerMsisdn: string
  /** ISO 3166-1 alpha-2 code, such as "KE"; completes national phone numbers. */
  declare country: string
  declare returnUrl: string
  declare launch: string
  declare label: string
  declare theme: string
  declare disabled: boolean
  declare name: string
  declare required: boolean
  declare checkoutId: string

  readonly #controller = new SessionController(this, () => this.#tag())
  #words: Words = en
  #wordsLang = 'en'
  #shown: Session = IDLE
  #isNew = false
  #isDisabledByForm = false

  /** What is shown now; also the `state` attribute. */
  get state(): CheckoutState {
    return stateOf(this.#controller.session)
  }

  /** The last view, or `null` while there is none. */
  get checkout(): View | null {
    return viewOf(this.#controller.session)
  }

  /**
   * Does what a press of the button does. Call it inside a click of the shopper's, or the pop-up is blocked and
   * a link stands in for it.
   */
  start(): void {
    if (this.#isDisabled) return
    const { session } = this.#controller
    if (!mayBegin(session)) return this.#controller.reopen()
    const own = this.#ownPayer()
    const earlier = payerOf(session)
    const draft = {
      payer_name: own.payer_name || earlier.payer_name,
      payer_email: own.payer_email || earlier.payer_email,
      payer_msisdn: own.payer_msisdn || earlier.payer_msisdn,
    }
    this.#submit(draft, [])
  }

  /** Goes back to the button and forgets the checkout. A payment that is under way is not stopped by it. */
  reset(): void {
    this.#controller.reset()
  }

  connectedCallback() {
    adoptEarlyProperties(this, ATTRIBUTES)
    this.root.adoptedStyleSheets = [styleSheet()]
    if (this.#controller.isFree()) this.#isNew = true
    this.#controller.connect()
  }

  disconnectedCallback() {
    this.#controller.disconnect()
  }

  /** Another order is another payment: what is shown of the old one goes, and stays remembered for its own. */
  attributeChangedCallback(name: string, before: string | null, after: string | null) {
    if (before === after) return
    if (name === 'order' && before) this.#controller.send({ type: 'reset' })
    if (name === 'order' || name === 'server' || name === 'checkout-id') this.#isNew = true
    this.requestUpdate()
  }

  /** A form's reset closes the form of ours that is open; a payment is no input to be discarded. */
  formResetCallback() {
    this.#controller.send({ type: 'details-cancelled' })
  }

  formDisabledCallback(isDisabled: boolean) {
    this.#isDisabledByForm = isDisabled
    this.requestUpdate()
  }

  protected override update() {
    if (this.#isNew) {
      this.#isNew = false
      this.#controller.lookAround(this.checkoutId)
    }
    void this.#speak(this.#lang)
    const { session } = this.#controller
    const hadFocus = this.root.activeElement !== null
    draw(this.root, [this.#drawing(session)])
    if (this.getAttribute('state') !== this.state) this.setAttribute('state', this.state)
    this.internals.setFormValue(this.checkout?.checkout_id ?? null)
    const isMissing = this.required && this.state !== 'paid'
    this.internals.setValidity({ valueMissing: isMissing }, this.#words.required)
    placeFocus(this.root, session.at === 'details' && session !== this.#shown, hadFocus)
    this.#shown = session
  }

  #drawing(session: Session) {
    const words = this.#words
    const lang = formatLanguage(this.#lang, words)
    const { window, clock } = this.#environment
    const isOnline = window.navigator.onLine
    const serverNowMs = clock.now() + this.#controller.clockSkewMs
    const { label } = this
    const isDisabled = this.#isDisabled
    const start = () => this.start()
    const followLink = () => this.#controller.send({ type: 'link-followed' })
    return element(
      'div',
      { part: 'base', class: 'base', lang: words.language },
      card({ session, words, lang, isOnline, serverNowMs }),
      session.at === 'details'
        ? this.#detailsForm(session)
        : action({ session, words, lang, label, isDisabled, start, followLink }),
      element('slot', { name: 'footer' }),
    )
  }

  #detailsForm(details: Details) {
    const missing = readPayer(this.#ownPayer(), this.country).problems
    return detailsForm({
      details,
      fields: PAYER_FIELDS.filter((field) => missing.includes(field) || details.problems.includes(field)),
      words: this.#words,
      hasCountry: this.country !== '',
      submit: (typed) => this.#submit({ ...details.draft, ...typed }, null),
      cancel: () => this.#controller.send({ type: 'details-cancelled' }),
    })
  }

  /**
   * Begins, when the payer is complete; else asks. Runs inside the click, so that a pop-up may open.
   *
   * @param problems what to say is wrong, or `null` for whatever is.
   */
  #submit(draft: Payer, problems: [] | null) {
    const read = readPayer(draft, this.country)
    if (read.problems.length > 0) this.#controller.askDetails(draft, problems ?? read.problems)
    else this.#controller.begin(read.payer)
  }

  async #speak(lang: string) {
    if (lang === this.#wordsLang) return
    this.#wordsLang = lang
    const words = await loadWords(lang)
    if (lang !== this.#wordsLang) return
    this.#words = words
    this.requestUpdate()
  }

  #tag(): Tag {
    const { order, launch, returnUrl } = this
    const environment = this.#environment
    return {
      order,
      base: serverBase(this.server || GatewayCheckout.defaultServer, document.baseURI),
      launch,
      returnUrl: returnAddress(returnUrl, returnUrl ? document.baseURI : environment.window.location.href),
      lang: this.#lang,
      openingText: this.#words.sentence.starting.title,
      environment,
    }
  }

  get #environment(): Environment {
    return { ...browserEnvironment(), ...GatewayCheckout.environment }
  }

  /** The tag's own language, else that of what surrounds it, else the browser's. */
  get #lang(): string {
    return (
      this.closest<HTMLElement>('[lang]:not([lang=""])')?.lang || this.#environment.window.navigator.language
    )
  }

  get #isDisabled(): boolean {
    return this.disabled || this.#isDisabledByForm
  }

  #ownPayer(): Payer {
    return { payer_name: this.payerName, payer_email: this.payerEmail, payer_msisdn: this.payerMsisdn }
  }
}
