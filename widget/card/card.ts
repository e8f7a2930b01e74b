/**
 * Draws the element after the first press, each time that its session changes, and moves the focus. `draw-checkout.ts`
 * renders the card of an open checkout. The first state after the idle one is drawn when the words of the shopper's
 * language have arrived, so that it is not announced in two languages.
 */

import { styleSheet } from '../button/style-sheets.ts'
import { mayStart } from '../state/next-steps.ts'
import { IDLE, hasPopup, phoneAsks, stateOf, viewOf } from '../state/state.ts'
import { describeSession, endNote, staleNote } from '../words/sentence-choice.ts'
import styles from './card.css?inline'
import { drawCheckout, loadCode } from './draw-checkout.ts'
import { face, shownAmount, loadReceiptButtons, prepareFormats, shopLinks } from './facts.ts'
import { keepFieldEvents } from './field-events.ts'
import { html, render } from './lit.ts'

import type { ElementHost } from '../button/element-host.ts'
import type { Frame, Look } from '../button/frame.ts'
import type { Session } from '../state/state.ts'
import type { RenderContext } from './facts.ts'
import type * as OverlayModule from './overlay.ts'
import type { OverlayTools } from './overlay.ts'

const adoptStyles = styleSheet(styles)

/** Characters of a button's text with an amount below a million. */
const USUAL_LENGTH = 16

export class Card {
  readonly #host: ElementHost
  readonly #context: () => RenderContext
  readonly #overlay = new Overlay()
  /** The element's state at the last rendering. */
  #drawn: Session = IDLE
  /** Whether the first state after the idle one waits for the words. */
  #isHeld = false
  /** Whether a node in the shadow root had the focus before the update. */
  #hadFocus = false

  /**
   * @param context Read at each drawing, and again when a module has arrived: the checkout may have ended meanwhile.
   */
  constructor(host: ElementHost, context: () => RenderContext) {
    this.#host = host
    this.#context = context
    diagnoseLater(host)
  }

  /** Called before the card is drawn. */
  prepare(): void {
    const { shadowRoot } = this.#host.element
    this.#hadFocus = Boolean(shadowRoot?.activeElement)
    this.#overlay.close(shadowRoot, this.#context().session)
  }

  draw(root: ShadowRoot, frame: Frame): Look {
    const context = this.#context()
    const { session } = context
    const idle = this.#host.idleLook()
    // Lets a long amount break before or after its currency: otherwise a word is torn in a narrow element.
    if (idle.text.length > USUAL_LENGTH) {
      idle.text = idle.text.replace('\u00a0', ' ')
    }
    // Most elements of a page never leave this state.
    if (session === IDLE && this.#drawn === IDLE) {
      adoptStyles(root)
      // Removes the links to the shop from the card of a checkout that turned out to be of another order.
      if (root.querySelector('[part=help]')) {
        render('', frame.card)
      }
      return idle
    }

    const canSpeak = context.hasWords || idle.language === 'en'
    this.#isHeld = this.#drawn === IDLE && !canSpeak
    const isFound = session.at === 'following' && session.origin !== 'initiate'
    // The first file has drawn the card of a checkout that was found.
    if (this.#isHeld && isFound) {
      return { ...idle, state: 'waiting', text: '', terms: '' }
    }

    adoptStyles(root)
    keepFieldEvents(root)
    if (!this.#isHeld) {
      return drawCheckout(frame, idle, context)
    }
    return { ...idle, state: 'starting', isBusy: true }
  }

  /**
   * Called after the card was drawn.
   *
   * @param isUnknown Whether the card of the first file is shown. It gets the links to the shop.
   */
  updated(root: ShadowRoot, isUnknown: boolean): void {
    const context = this.#context()
    const { session, words, hasWords, details, element, window } = context
    if (isUnknown) {
      const card = hasWords && root.querySelector<HTMLElement>('.card')
      if (!card) {
        return
      }

      adoptStyles(root)
      return void render(shopLinks(context), card)
    }

    const checkout = viewOf(session)
    const isNew = session !== this.#drawn
    if (isNew) {
      this.#host.internals.setFormValue(checkout?.checkout_id ?? null)
    }
    // The card is then drawn faster when the answer arrives.
    if (isNew && session.at === 'starting') {
      prepareFormats(window, words)
    }
    if (this.#isHeld) {
      return
    }

    placeFocus(root, session.at === 'details' && isNew, this.#hadFocus)
    const currentWords = () => this.#context().words
    loadReceiptButtons(root, session, currentWords)
    loadCode(root, session, currentWords)
    if (element.overlay) {
      this.#overlay.open(root, this.#context)
    }
    if (checkout?.settled && !mayStart(session)) {
      details.forgetStored()
    }

    this.#drawn = session
  }
}

/** What the overlay's module needs of this file. */
const TOOLS: OverlayTools = { html, render, styleSheet }

/** Shows the overlay while the pop-up is open, until the shopper closes the overlay. */
class Overlay {
  #module: typeof OverlayModule | null = null
  #isRequested = false
  /** Whether the shopper has left the overlay of the pop-up that is open. */
  #hasLeft = false

  /**
   * Closes the overlay if the pop-up is no longer waited for. Called before the element renders the new state: outside
   * an open modal dialog, nothing is announced.
   */
  close(root: ShadowRoot | null, session: Session): void {
    if (!hasPopup(session)) {
      this.#hasLeft = false
    }

    if (root && !this.#isWanted(session)) {
      this.#module?.closeDialog(root, TOOLS)
    }
  }

  /**
   * Opens the overlay, or updates an open one.
   *
   * @param context Read again when the module has arrived: the checkout may have ended meanwhile.
   */
  open(root: ShadowRoot, context: () => RenderContext): void {
    const current = context()
    const { session, words, window, element, now, reopen } = current
    if (!this.#isWanted(session)) {
      return
    }
    if (!this.#module) {
      return this.#load(() => this.open(root, context))
    }

    this.#module.openDialog(root, TOOLS, {
      words: words.overlay,
      amount: shownAmount(current),
      face: face(current),
      payee: element.payee,
      detail: describeSession(session, words, now)[1],
      stale: staleNote(session, words, window.navigator.onLine),
      ending: endNote(viewOf(session), words, now),
      show: reopen,
      leave: () => (this.#hasLeft = true),
    })
  }

  #load(then: () => void): void {
    if (this.#isRequested) {
      return
    }

    this.#isRequested = true
    import('./overlay.ts').then(
      (module) => {
        this.#module = module
        then()
      },
      () => {},
    )
  }

  #isWanted(session: Session): boolean {
    const isWaiting = stateOf(session) === 'waiting' && hasPopup(session)
    return isWaiting && !phoneAsks(viewOf(session)) && !this.#hasLeft
  }
}

/**
 * Moves the keyboard focus inside the element after an update.
 *
 * If the update opened the form or marked invalid fields, the first invalid input gets the focus. Otherwise, if the
 * update removed the focused node, the button of the remedy gets the focus, or else the button. If there is no such
 * input or button, the status text gets the focus.
 *
 * @param isNewForm Whether the update opened the form or marked invalid fields.
 * @param hadFocus Whether a node in `root` had the focus before the update.
 */
function placeFocus(root: ShadowRoot, isNewForm: boolean, hadFocus: boolean): void {
  const isLost = hadFocus && !root.activeElement?.matches('a, input, select, summary, button:not([hidden])')
  const find = (selector: string) => root.querySelector<HTMLElement>(selector)
  const target = find(isNewForm ? '[aria-invalid=true], input:invalid' : '.loud')
  if (isNewForm || isLost) {
    ;(target ?? find('[part=button]:not([hidden])') ?? find('[role=status]'))?.focus()
  }
}

/** Matches attributes that are common on any element. */
const COMMON = /^(class|id|lang|slot|state|style)$|^(aria|data|on)/

/**
 * Downloads the console messages about mistakes in the markup, if the markup looks unusual. Looks once the page is
 * complete: until then, a parser may still add content to the tag.
 */
function diagnoseLater({ element, properties, environment: { window } }: ElementHost): void {
  const check = () => {
    const isUnusual =
      element.getAttributeNames().some((name) => !properties.has(name) && !COMMON.test(name)) ||
      element.country.length > 2 ||
      // A form is content that pays without JavaScript.
      element.querySelector(':scope > :not(form, [slot])') ||
      window.document.querySelector(`form[action$="/checkout/initiate"]:not(${element.localName} *)`)
    if (isUnusual) {
      import('../developer/diagnosis.ts').then(
        ({ diagnose }) => diagnose(element, [...properties.keys()], window),
        () => {},
      )
    }
  }

  // The attributes of a new element are complete at its first update.
  void element.updateComplete.then(() => {
    if (window.document.readyState === 'complete') {
      check()
    } else {
      window.addEventListener('load', check, { once: true })
    }
  })
}
