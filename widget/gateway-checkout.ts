import { LitElement, html, nothing } from 'lit'

import { returnAddress, serverBase } from './address.ts'
import { browserEnvironment } from './environment.ts'
import { placeFocus } from './focus.ts'
import { FormElement } from './form-element.ts'
import { styles } from './gateway-checkout.styles.ts'
import { formatLanguage, loadWords } from './language.ts'
import { en } from './locales/en.ts'
import { PAYER_FIELDS, readPayer } from './payer.ts'
import { SessionController } from './session-controller.ts'
import { IDLE, mayBegin, payerOf, stateOf, viewOf } from './session/state.ts'
import { action } from './templates/action.ts'
import { card } from './templates/card.ts'
import { detailsForm } from './templates/details-form.ts'

import type { PropertyDeclarations, PropertyValues } from 'lit'
import type { View } from '../server/contract/view.ts'
import type { Environment } from './environment.ts'
import type { Words } from './locale.ts'
import type { Payer } from './payer.ts'
import type { Tag } from './session-controller.ts'
import type { CheckoutState, Details, Session } from './session/state.ts'

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
 * @cssproperty --gateway-checkout-border
 * @cssproperty --gateway-checkout-radius
 * @cssproperty --gateway-checkout-font
 */
export class GatewayCheckout extends FormElement {
  static override shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  }
  static override styles = styles
  static override properties: PropertyDeclarations = {
    order: {},
    server: {},
    payerName: { attribute: 'payer-name' },
    payerEmail: { attribute: 'payer-email' },
    payerMsisdn: { attribute: 'payer-msisdn' },
    country: {},
    returnUrl: { attribute: 'return-url' },
    launch: {},
    lang: { reflect: true },
    label: {},
    theme: { reflect: true },
    disabled: { type: Boolean, reflect: true },
    name: { reflect: true },
    required: { type: Boolean, reflect: true },
    checkoutId: { attribute: 'checkout-id' },
  }

  /** The BFF's address for tags without a `server` attribute: the origin of the script, when the BFF served it. */
  static defaultServer = ''

  /** For tests and simulations: what stands in for parts of the browser. */
  static environment: Partial<Environment> = {}

  declare order: string
  declare server: string
  declare payerName: string
  declare payerEmail: string
  declare payerMsisdn: string
  /** ISO 3166-1 alpha-2 code, such as "KE"; completes national phone numbers. */
  declare country: string
  declare returnUrl: string
  declare launch: string
  declare lang: string
  declare label: string
  declare theme: string
  declare disabled: boolean
  declare name: string
  declare required: boolean
  declare checkoutId: string

  readonly #controller = new SessionController(
    this,
    () => this.#tag(),
    () => this.#environment,
  )
  #words: Words = en
  #wordsLang = 'en'
  #shown: Session = IDLE
  #hadFocus = false
  #isDisabledByForm = false

  constructor() {
    super()
    this.order = this.server = this.country = this.returnUrl = this.launch = this.label = ''
    this.payerName = this.payerEmail = this.payerMsisdn = this.checkoutId = ''
    this.lang = this.theme = this.name = ''
    this.disabled = this.required = false
  }

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
    const { payer, problems } = readPayer(this.#knownPayer(), this.country)
    if (problems.length > 0) this.#controller.askDetails(payer, [])
    else this.#controller.begin(payer)
  }

  /** Goes back to the button and forgets the checkout. A payment that is under way is not stopped by it. */
  reset(): void {
    this.#controller.reset()
  }

  /** A form's reset closes the form of ours that is open; a payment is no input to be discarded. */
  formResetCallback() {
    this.#controller.send({ type: 'details-cancelled' })
  }

  formDisabledCallback(isDisabled: boolean) {
    this.#isDisabledByForm = isDisabled
    this.requestUpdate()
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    this.#hadFocus = this.shadowRoot?.activeElement instanceof Element
    if (changed.get('order')) this.#controller.send({ type: 'reset' })
    if (changed.has('order') || changed.has('server') || changed.has('checkoutId')) {
      this.#controller.lookAround(this.checkoutId)
    }
    const lang = this.#lang
    if (lang !== this.#wordsLang) {
      this.#wordsLang = lang
      void this.#speak(lang)
    }
  }

  protected override render() {
    const { session, clockSkewMs } = this.#controller
    const words = this.#words
    const lang = formatLanguage(this.#lang, words)
    const { window, clock } = this.#environment
    const isOnline = window.navigator.onLine
    return html`<div part="base" class="base" lang=${words.language}>
      ${session.at === 'details' ? this.#detailsForm(session) : nothing}
      ${card({ session, words, lang, isOnline, serverNowMs: clock.now() + clockSkewMs })}
      ${action({
        session,
        words,
        lang,
        label: this.label,
        isDisabled: this.#isDisabled,
        start: () => this.start(),
        followLink: () => this.#controller.send({ type: 'link-followed' }),
      })}
      <slot name="footer"></slot>
    </div>`
  }

  protected override updated() {
    const { state, checkout } = this
    if (this.getAttribute('state') !== state) this.setAttribute('state', state)
    const root = this.shadowRoot
    const anchor = root?.querySelector<HTMLElement>('.base')
    if (!root || !anchor) return
    const isMissing = this.required && state !== 'paid'
    this.setFormState(checkout?.checkout_id ?? null, isMissing ? this.#words.required : '', anchor)
    const { session } = this.#controller
    placeFocus(root, session.at === 'details' && session !== this.#shown, this.#hadFocus)
    this.#shown = session
  }

  #detailsForm(details: Details) {
    const missing = readPayer(this.#ownPayer(), this.country).problems
    const fields = PAYER_FIELDS.filter((field) => missing.includes(field) || details.problems.includes(field))
    return detailsForm(
      details,
      fields,
      this.#words,
      (event) => this.#submit(event, details.draft),
      () => this.#controller.send({ type: 'details-cancelled' }),
    )
  }

  /** Runs inside the click on the form's button, so that a pop-up may open. */
  #submit(event: SubmitEvent, known: Payer) {
    event.preventDefault()
    const inputs = this.renderRoot.querySelectorAll('input')
    const typed = Object.fromEntries([...inputs].map(({ name, value }) => [name, value]))
    const draft = { ...known, ...typed }
    const { payer, problems } = readPayer(draft, this.country)
    if (problems.length > 0) this.#controller.askDetails(draft, problems)
    else this.#controller.begin(payer)
  }

  async #speak(lang: string) {
    const words = await loadWords(lang)
    if (lang !== this.#wordsLang || words === this.#words) return
    this.#words = words
    this.requestUpdate()
  }

  #tag(): Tag {
    const page = document.baseURI
    return {
      order: this.order,
      base: serverBase(this.server || GatewayCheckout.defaultServer, page),
      launch: this.launch,
      returnUrl: returnAddress(
        this.returnUrl,
        this.returnUrl ? page : this.#environment.window.location.href,
      ),
      lang: this.#lang,
      openingText: this.#words.sentence.starting.title,
    }
  }

  get #environment(): Environment {
    return { ...browserEnvironment(), ...GatewayCheckout.environment }
  }

  /** The tag's own language, else that of what surrounds it, else the browser's. */
  get #lang(): string {
    return this.lang || this.closest<HTMLElement>('[lang]:not([lang=""])')?.lang || navigator.language || 'en'
  }

  get #isDisabled(): boolean {
    return this.disabled || this.#isDisabledByForm
  }

  #ownPayer(): Payer {
    return { payer_name: this.payerName, payer_email: this.payerEmail, payer_msisdn: this.payerMsisdn }
  }

  /** What the page says of the payer, and where it says nothing, what the shopper typed before. */
  #knownPayer(): Payer {
    const own = this.#ownPayer()
    const earlier = payerOf(this.#controller.session)
    return {
      payer_name: own.payer_name || earlier.payer_name,
      payer_email: own.payer_email || earlier.payer_email,
      payer_msisdn: own.payer_msisdn || earlier.payer_msisdn,
    }
  }
}
