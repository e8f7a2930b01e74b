/**
 * The second file: what the element does after the first press. It follows a checkout and draws every state but the idle
 * one.
 */

import { PROPERTIES } from './attributes.ts'
import styles from '../card/card.css?inline'
import { isDisabled, missingSetting, settingsOf } from './checkout-settings.ts'
import { replaceWords } from '../words/custom-words.ts'
import { Entry } from '../session/entry.ts'
import { errorEvent } from '../session/events.ts'
import { failure } from '../bff/failure.ts'
import { idleLook } from './idle-look.ts'
import { LanguageController } from '../words/language-controller.ts'
import { setLit } from '../card/lit.ts'
import { SessionController } from '../session/session-controller.ts'
import { arrivalIn } from '../browser/return-fragment.ts'
import { describeSession, endNote, staleNote } from '../words/sentence.ts'
import { IDLE, hasPopup, isPrompted, mayPayOnPage, mayStart, stateOf, viewOf } from '../session/state.ts'
import { styleSheet } from '../browser/style-sheets.ts'
import { loadReceiptButtons, prepareFormats } from '../card/card.ts'
import { drawCheckout, loadCode } from '../card/checkout.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { Frame, Look } from './button.ts'
import type { Changes, Conduct, EarlyPress, ElementHost } from './element-host.ts'
import type { Words } from '../words/en.ts'
import type * as Overlay from '../card/overlay.ts'
import type { Waiting } from '../browser/popup.ts'
import type { CheckoutState, Session } from '../session/state.ts'
import type { RenderContext } from '../card/card.ts'

/**
 * The time after which a found checkout is shown before its first view, in milliseconds. If the BFF responds earlier,
 * screen readers announce only the outcome. [assumed]
 */
const LATE_MS = 1_000

// A router may draw the element only once the address has its route again.
if (globalThis.window) arrivalIn(window)

const adoptCardStyles = styleSheet(styles)

/** Matches the values of `launch`, `theme` and `method`, joined by commas, if each value is valid or empty. */
const KNOWN_VALUES = /^(auto|redirect|popup)?,(auto|light|dark)?,(page|prompt)?$/

/** Characters of a button's text with an amount below a million. */
const USUAL_LENGTH = 16

export class Flow implements Conduct {
  readonly #host: ElementHost
  readonly #controller: SessionController
  readonly #language: LanguageController
  readonly #entry: Entry
  readonly #overlay = new OverlayLoader()
  /** The element's state at the last rendering. */
  #drawn: Session = IDLE
  #isNew = true
  /** Whether the first state after the idle one waits for its words, or for the first view of a found checkout. */
  #isHeld = false
  /** Whether the wait for that view has begun, and whether it has ended without a view. */
  #isTimed = false
  #isLate = false
  /** Whether a node in the shadow root had the focus before the update. */
  #hadFocus = false

  constructor(host: ElementHost) {
    setLit(host.lit)
    this.#host = host
    this.#entry = new Entry(host)
    this.#entry.recall()
    this.#controller = new SessionController(host, () => this.#waiting)
    this.#language = new LanguageController(host.element, host.environment)
  }

  get state(): CheckoutState {
    return stateOf(this.#controller.session)
  }

  get checkout(): CheckoutView | null {
    return viewOf(this.#controller.session)
  }

  get required(): string {
    return this.#words.required
  }

  /** Continues after a press for which the element has waited. */
  begin({ asksPhone, payer, isStart, popup }: EarlyPress): void {
    if (!isStart) return this.press(asksPhone)
    this.#entry.asksPhone = asksPhone
    this.#controller.begin(payer, popup, this.#entry.operatorAfter(null))
  }

  press(asksPhone: boolean): void {
    this.#entry.asksPhone = asksPhone
    const isOtherWay = asksPhone !== (this.#host.element.method === 'prompt')
    if (isOtherWay && this.state === 'error') this.#controller.send({ type: 'reset' })
    const { session } = this.#controller
    const missing = missingSetting(settingsOf(this.#host))
    if (isDisabled(this.#host.element)) return
    if (!mayStart(session)) this.#controller.reopen()
    else if (missing) this.#controller.send({ type: 'failed', failure: failure(`no_${missing}`, false) })
    else if (this.#entry.isComplete()) this.#startCheckout()
    else this.#controller.send({ type: 'details', problems: [] })
  }

  #startCheckout(): void {
    this.#controller.start(this.#entry.payer(), this.#entry.operatorAfter(this.checkout))
  }

  reset(): void {
    this.#entry.forget()
    this.#controller.reset()
  }

  /** Closes the form for the payer's details when the surrounding form is reset. A started checkout continues. */
  resetForm(): void {
    if (this.state === 'details') this.#controller.send({ type: 'reset' })
  }

  /** Resets the element when the `order` attribute changes, or when the `server` attribute changes after an error. */
  update(changed: Changes): void {
    const { element } = this.#host
    this.#hadFocus = Boolean(element.shadowRoot?.activeElement)
    const before = (name: 'order' | 'server') => changed.get(name) ?? element[name]
    const isOtherOrder = before('order') !== element.order
    const isMended = this.state === 'error' && (isOtherOrder || before('server') !== element.server)
    if (isMended || (isOtherOrder && before('order'))) this.#controller.send({ type: 'reset' })
    const isChanged = (property: string) => this.#isNew || changed.has(property)
    if (['order', 'server', 'checkoutId'].some(isChanged)) this.#controller.findCheckout(element.checkoutId)
    const { launch, theme, method } = element
    if (['launch', 'theme', 'method'].some(isChanged) && !KNOWN_VALUES.test(`${launch},${theme},${method}`))
      this.#controller.dispatch(errorEvent(failure('unknown_value', false), this.checkout))
    if (changed.has('order') || changed.has('server')) this.#entry.recall()
    if (this.#isNew) diagnoseLater(this.#host)
    this.#isNew = false
    this.#overlay.close(element.shadowRoot, this.#controller.session)
  }

  draw(root: ShadowRoot, frame: Frame): Look {
    adoptCardStyles(root)
    const { session } = this.#controller
    const idle = this.#idleLook('idle', false)
    // Most elements of a page never leave this state.
    if (session === IDLE && this.#drawn === IDLE) return idle
    this.#isHeld = this.#drawn === IDLE && !this.#canSpeak(idle.language)
    if (this.#isHeld) {
      const isFound = session.at === 'following' && session.origin !== 'initiate'
      return this.#idleLook(isFound ? 'waiting' : 'starting', !isFound)
    }
    return drawCheckout(frame, idle, this.#context)
  }

  /** Lets a long amount break before or after its currency: otherwise a word is torn in a narrow element. */
  #idleLook(state: CheckoutState, isBusy: boolean): Look {
    const look = idleLook(this.#host, state, isBusy)
    if (look.text.length > USUAL_LENGTH) look.text = look.text.replace('\u00a0', ' ')
    return look
  }

  /** Returns whether the element can say what it knows, once and in its language. */
  #canSpeak(language: string): boolean {
    const { session } = this.#controller
    const isUnknown = session.at === 'following' && !session.view && !session.trouble
    return (this.#language.hasWords || language === 'en') && (this.#isLate || !isUnknown)
  }

  updated(root: ShadowRoot): void {
    const { session } = this.#controller
    const isNew = session !== this.#drawn
    if (isNew) this.#host.internals.setFormValue(this.checkout?.checkout_id ?? null)
    // The card is then drawn faster when the answer arrives.
    if (isNew && session.at === 'starting') prepareFormats(this.#host.environment.window, this.#words)
    if (this.#isHeld) {
      if (session.at === 'following') this.#waitForView()
      return
    }
    placeFocus(root, session.at === 'details' && isNew, this.#hadFocus)
    loadReceiptButtons(root, session, () => this.#words)
    loadCode(root, session, () => this.#words)
    if (this.#host.element.overlay) this.#overlay.open(root, () => this.#context)
    if (this.checkout?.settled && !mayStart(session)) this.#entry.forgetStored()
    this.#drawn = session
  }

  #waitForView(): void {
    if (this.#isTimed) return
    this.#isTimed = true
    this.#host.environment.clock.after(LATE_MS, () => {
      this.#isLate = true
      this.#host.element.requestUpdate()
    })
  }

  get #context(): RenderContext {
    const { session, clockSkewMs, hint } = this.#controller
    const { element, environment } = this.#host
    const { window, clock } = environment
    return {
      session,
      words: this.#words,
      hint,
      window,
      now: clock.now() + clockSkewMs,
      element,
      entry: this.#entry,
      submit: (typed, invalid) => {
        this.#entry.keep(typed)
        if (invalid.length > 0) this.#controller.send({ type: 'details', problems: invalid })
        else this.#startCheckout()
      },
      reopen: () => this.#controller.reopen(),
      cancel: () => this.#controller.send({ type: 'reset' }),
      payOnPage: mayPayOnPage(session, element.method) ? () => this.press(false) : null,
    }
  }

  get #waiting(): Waiting {
    const idle = idleLook(this.#host, 'starting', true)
    const { language, sentence } = this.#words
    return language === idle.language ? { ...idle, text: sentence.starting[0] } : idle
  }

  get #words(): Words {
    return replaceWords(this.#language.words, this.#host.element.words)
  }
}

/** Shows the overlay while the pop-up is open, until the shopper leaves the overlay. */
class OverlayLoader {
  #module: typeof Overlay | null = null
  #adoptStyles: (root: ShadowRoot) => void = () => {}
  #isRequested = false
  /** Whether the shopper has left the overlay of the pop-up that is open. */
  #hasLeft = false

  /**
   * Closes the overlay if its time is over. Called before the element renders what has happened: outside an open modal
   * dialog, nothing is announced.
   */
  close(root: ShadowRoot | null, session: Session): void {
    if (!hasPopup(session)) this.#hasLeft = false
    if (root && !this.#isWanted(session)) this.#module?.closeOverlay(root)
  }

  /**
   * Opens the overlay, or updates an open one.
   *
   * @param context Read again when the module has arrived: the checkout may have ended meanwhile.
   */
  open(root: ShadowRoot, context: () => RenderContext): void {
    const { session, words, window, now, reopen } = context()
    if (!this.#isWanted(session)) return
    this.#adoptStyles(root)
    if (this.#module)
      return this.#module.openOverlay(root, {
        words: words.overlay,
        detail: describeSession(session, words, now)[1],
        stale: staleNote(session, words, window.navigator.onLine),
        ending: endNote(session, words, now),
        show: reopen,
        leave: () => (this.#hasLeft = true),
      })
    if (this.#isRequested) return
    this.#isRequested = true
    import('../card/overlay.ts').then(
      (module) => {
        this.#module = module
        this.#adoptStyles = styleSheet(module.styles)
        this.open(root, context)
      },
      () => {},
    )
  }

  #isWanted(session: Session): boolean {
    return (
      !this.#hasLeft && stateOf(session) === 'waiting' && hasPopup(session) && !isPrompted(viewOf(session))
    )
  }
}

/**
 * Moves the keyboard focus inside the element after an update.
 *
 * If the update opened the form or marked invalid fields, the first invalid input gets the focus. Otherwise, if the
 * update removed the focused node, the button gets the focus. If there is no such input or button, the status text gets
 * the focus.
 *
 * @param isNewForm Whether the update opened the form or marked invalid fields.
 * @param hadFocus Whether a node in `root` had the focus before the update.
 */
function placeFocus(root: ShadowRoot, isNewForm: boolean, hadFocus: boolean): void {
  const isLost = hadFocus && !root.activeElement?.matches('a, input, select, summary, button:not([hidden])')
  const find = (selector: string) => root.querySelector<HTMLElement>(selector)
  const target = isNewForm ? '[aria-invalid=true], input:invalid' : '[part=button]:not([hidden])'
  if (isNewForm || isLost) (find(target) ?? find('[role=status]'))?.focus()
}

/** Matches attributes that are common on any element. */
const COMMON = /^(class|id|lang|slot|state|style)$|^(aria|data|on)/

/**
 * Downloads the console messages about mistakes in the markup, if the markup looks unusual. Looks once the page is
 * complete: until then, a parser may still add content to the tag.
 */
function diagnoseLater({ element, environment: { window } }: ElementHost): void {
  const check = () => {
    const isUnusual =
      element.getAttributeNames().some((name) => !PROPERTIES.has(name) && !COMMON.test(name)) ||
      element.country.length > 2 ||
      // A form is content that pays without JavaScript.
      element.querySelector(':scope > :not(form, [slot])') ||
      window.document.querySelector(`form[action$="/checkout/initiate"]:not(${element.localName} *)`)
    if (isUnusual)
      import('../developer/diagnosis.ts').then(
        ({ diagnose }) => diagnose(element, [...PROPERTIES.keys()], window),
        () => {},
      )
  }
  if (window.document.readyState === 'complete') check()
  else window.addEventListener('load', check, { once: true })
}
