/** Renders the state of a payment in the card: icon, sentence, amount, countdown, receipt, and links to the shop. */

import { offeredAmount } from '../button/idle-look.ts'
import { formatMoney } from '../state/money.ts'
import { hasReceipt, isPrompting, payUrl, phoneAsks, stateOf, viewOf } from '../state/state.ts'
import { GLYPHS } from '../words/glyphs.ts'
import { failureNeedsShop, helpLinks, isCalm, needsShop } from '../words/help.ts'
import { amountText, paidAt, paidTo, receiptNumbers, timeFormat, timeLeft } from '../words/payment-facts.ts'
import { endNote, isChecking, safetyNote, staleNote } from '../words/sentence-choice.ts'
import { html } from './lit.ts'

import type { CheckoutMethods, CheckoutView } from '../../server/api/view.ts'
import type { CheckoutElement, ElementHost } from '../button/element-host.ts'
import type { TypedDetails } from '../checkout/typed-details.ts'
import type { Payer, PayerField } from '../state/payer.ts'
import type { Session } from '../state/state.ts'
import type { Sentence, Words } from '../words/en.ts'

/** The data and the functions that the templates receive. */
export interface RenderContext {
  session: Session
  words: Words
  /** Whether `words` will stay: they are in the shopper's language, or could not be downloaded in time. */
  hasWords: boolean
  /** A message about an error for the developers of the page; empty text for shoppers. */
  hint: string
  window: Window
  /** The BFF's time, in milliseconds since the Unix epoch. */
  now: number
  element: CheckoutElement
  /** What the shopper has typed and chosen. */
  details: TypedDetails
  drawContent: ElementHost['drawContent']
  /** The operators that ask payers on the phone; `null` if they are not known, or the form is not that of a prompt. */
  methods: CheckoutMethods | null
  /**
   * Submits the form. Browsers allow a pop-up while the shopper submits the form.
   *
   * @param typed The values of the form's fields.
   * @param invalid The fields that the browser found invalid.
   */
  submit: (typed: Partial<Payer>, invalid: readonly PayerField[]) => void
  cancel: () => void
  /** Brings an open pop-up to the front, or else opens the hosted page again. */
  reopen: () => void
  /** Starts a checkout on the hosted page after a prompt has ended; `null` if the page is not offered. */
  payOnPage: (() => void) | null
}

/** Returns the sentence of the card with its icon, notes and amount. */
export function contentOf([title, detail]: Sentence, context: RenderContext) {
  const { session, words, window, now } = context
  return {
    icon: iconOf(session),
    title,
    detail,
    note: [staleNote(session, words, window.navigator.onLine), safetyNote(viewOf(session), words, now)]
      .join(' ')
      .trim(),
    warning: endNote(viewOf(session), words, now),
    // The amount is large: its currency may stand on the next line, so that a long number is not torn.
    amount: shownAmount(context).replaceAll('\u00a0', ' '),
  }
}

/** Returns empty text in states without a sentence. */
function iconOf(session: Session): string {
  const glyphs: Readonly<Record<string, string>> = GLYPHS
  return glyphs[phoneAsks(viewOf(session)) ? 'prompted' : stateOf(session)] ?? ''
}

/** Returns the amount of the card; before the first view, the amount that the page says. */
export function shownAmount({ session, element, words }: RenderContext): string {
  const view = viewOf(session)
  if (view) {
    return amountText(view, words)
  }
  return session.at === 'following' ? offeredAmount(element.amount, words.language) : ''
}

/** Renders the part of the card that screen readers do not announce. */
export function facts(context: RenderContext) {
  const { session, words, now } = context
  const view = viewOf(session)
  const time = timeLeft(view, words, now)
  // Each second would be announced: screen readers have a timer instead.
  return html`<p class="heard" role="timer" aria-live="off" .textContent=${time}></p>
    ${view && payUrl(view) ? paidPart(view) : ''} ${isPrompting(view) ? promptCountdown(view, context) : ''}
    <div class="about soft">
      ${view ? payeeLine(view, context) : ''}
      <p part="countdown" aria-hidden="true" .textContent=${time}></p>
      <p class="pill" .textContent=${view?.environment === 'sandbox' ? words.testMode : ''}></p>
    </div>
    ${view && hasReceipt(view) ? receipt(view, context) : ''}
    <slot name=${stateOf(session)}></slot>`
}

/** Renders how much of the amount is paid. The sentence of a partial payment contains the same amounts as the bar. */
function paidPart({ outcome, amount, amount_paid }: CheckoutView) {
  const bar = html`<progress aria-hidden="true" max=${amount} value=${amount_paid}></progress>`
  return outcome === 'partial' ? bar : ''
}

/**
 * Renders the time that is left as a thin line, which says nothing to screen readers. [assumed] A prompt has ended when
 * its session ends, at the latest.
 */
function promptCountdown({ updated_at, expires_at }: CheckoutView, { now }: RenderContext) {
  const end = Date.parse(expires_at)
  const max = end - Date.parse(updated_at)
  return html`<progress class="left" aria-hidden="true" max=${max} value=${end - now}></progress>`
}

/** Renders the payee and, after the payment, its time. */
function payeeLine(view: CheckoutView, context: RenderContext) {
  const { payee } = context.element
  const isPaid = view.outcome === 'paid'
  if (!payee && !isPaid) {
    return ''
  }

  const { language } = context.words
  const name = isPaid ? paidTo(payee, context.words) : payee
  const time = isPaid ? timeFormat(language).format(new Date(paidAt(view))) : ''
  return html`<p part="payee">
    ${face(context)}<span .textContent=${name}></span> <time .textContent=${time}></time>
  </p>`
}

/** Renders the logo of the payee, or else the first letter of the name. A logo that does not load is left out. */
export function face({ element: { payee, logo } }: RenderContext) {
  const leaveOut = ({ currentTarget }: Event & { currentTarget: HTMLElement }) => currentTarget.remove()
  if (logo) {
    return html`<img class="face" src=${logo} alt="" @error=${leaveOut} />`
  }
  return payee ? html`<span class="face" aria-hidden="true" .textContent=${Array.from(payee)[0]}></span>` : ''
}

/**
 * Formats an amount and a time, each in a task of its own, when the browser is idle. Chromium takes 10 ms for its first
 * format, and six times as long on a slow phone.
 */
export function prepareFormats(window: Window, { language }: Words): void {
  window.requestIdleCallback?.(() => formatMoney('0', 'KES', language))
  window.requestIdleCallback?.(() => timeFormat(language).format())
}

/**
 * Renders the numbers of a payment. The last one, which is seldom needed, is in a disclosure, so that the card stays low.
 * `receipt-buttons.ts` adds its buttons to this markup.
 */
function receipt(view: CheckoutView, context: RenderContext) {
  const { words } = context
  const line = ([label, number]: readonly [string, string]) =>
    html`<p>
      <span><span .textContent=${label}></span> <bdi .textContent=${number}></bdi></span>
    </p>`
  const numbers = receiptNumbers(view, words).map(line)
  return html`<div part="receipt" class="soft">
    ${numbers.slice(0, -1)}
    <details>
      <summary .textContent=${words.receipt.title}></summary>
      ${numbers.at(-1)} ${isCalm(view) ? help(context) : ''}
      <div></div>
    </details>
  </div>`
}

/** Renders the links to the shop if the shopper may need it. */
export function help(context: RenderContext) {
  const { session, now } = context
  const view = viewOf(session)
  const isNeeded =
    session.at === 'error'
      ? failureNeedsShop(session.failure)
      : isChecking(session, now) || (view && needsShop(view, now))
  return isNeeded ? shopLinks(context) : ''
}

/**
 * Renders the links to the shop: in view after an error and in a receipt, and otherwise folded, with the reference of the
 * order, which no receipt contains.
 */
export function shopLinks({ session, words, element }: RenderContext) {
  const links = helpLinks(element.help).filter((link) => link !== null)
  if (links.length === 0) {
    return ''
  }

  const addresses = links.map(
    ({ href, text }) =>
      html`<a href=${href} target="_blank" rel="noopener" dir="auto" .textContent=${text}></a> `,
  )
  const view = viewOf(session)
  const isError = session.at === 'error'
  if (isError || (view && hasReceipt(view))) {
    // The sentence of an error asks to contact the shop.
    const label = isError ? '' : words.contact
    return html`<p part="help" class="soft"><span .textContent=${label}></span> ${addresses}</p>`
  }

  const order = view ? `${words.order} \u2068${view.order}\u2069` : ''
  return html`<details part="help" class="soft">
    <summary .textContent=${words.contact}></summary>
    <span .textContent=${order}></span> ${addresses}
  </details>`
}

/**
 * Downloads the buttons of the receipt. If the download fails, the receipt has no buttons.
 *
 * @param words Read when the buttons arrive: imports may end in another order than they began, and the words of
 *   another language may have arrived meanwhile.
 */
export function loadReceiptButtons(root: ParentNode, session: Session, words: () => Words): void {
  const view = viewOf(session)
  if (!view || !hasReceipt(view)) {
    return
  }

  import('./receipt-buttons.ts').then(
    ({ addReceiptButtons }) => addReceiptButtons(root, view, words()),
    () => {},
  )
}
