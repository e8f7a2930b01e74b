/**
 * Draws an open checkout, or the idle state after one: the sentence about it, and what the shopper can do next, by the
 * button, a link, a form or a choice.
 */

import { writeAttribute } from '../button/frame.ts'
import { isDesktop, prefersPopup } from '../button/launch.ts'
import { mayStart, operatorsOf, remedyOf } from '../state/next-steps.ts'
import { hasPopup, phoneAsks, paysByPrompt, payUrl, stateOf, viewOf } from '../state/state.ts'
import { groupDigits } from '../words/digit-groups.ts'
import { isCalm } from '../words/help.ts'
import { describeSession, isChecking, payText } from '../words/sentence-choice.ts'
import { detailsForm, input } from './details-form.ts'
import { facts, help, contentOf } from './facts.ts'
import { html, render } from './lit.ts'

import type { Frame, Look } from '../button/frame.ts'
import type { Session } from '../state/state.ts'
import type { Words } from '../words/en.ts'
import type { RenderContext } from './facts.ts'

/**
 * Renders the status, and the parts of the card before and after the button. Returns the look of the frame.
 *
 * @param idle The look of the frame without a checkout.
 */
export function drawCheckout(frame: Frame, idle: Look, context: RenderContext): Look {
  const { base, card, status, button, label, terms } = frame
  const { session, words, hint, now, element, details, drawContent } = context
  const state = stateOf(session)
  const view = viewOf(session)
  const number = details.payer().payer_msisdn
  const [title, detail] = describeSession(session, words, now, element.payee, number)
  const isStarting = state === 'idle' || state === 'starting'
  const text = isStarting ? idle.text : buttonText(session, words)
  // While the checkout starts, the sentence stands under the button that was pressed.
  const isCard = title !== '' && state !== 'starting'
  const content = contentOf([title, (state === 'error' && hint) || detail], context)
  drawContent(status, title ? content : null)
  // The size of the amount follows its longest word.
  const lengths = content.amount.split(' ').map(({ length }) => length)
  status.style.setProperty('--longest', `${Math.max(...lengths)}`)
  status.querySelector('.said > :last-child')?.setAttribute('part', 'warning')
  const form = session.at === 'details' ? detailsForm(session, context) : ''
  const link = state === 'blocked' ? pageLink(context) : ''
  // The remedy for a failed payment comes first, and is the only conspicuous button.
  const isRemedy = remedyOf(session) === 'page'
  const beforeButton = isRemedy ? otherWay(context) : ''
  const afterButton = isRemedy ? '' : otherWay(context)
  const shown = html`${isCard ? facts(context) : ''} ${promptChoice(context)} ${form || link} ${beforeButton}`
  render(shown, card, { renderBefore: button })
  render(html`${afterButton} ${phoneCode(context)} ${isCalm(view) ? '' : help(context)}`, card)
  writeAttribute(card, 'class', (isCard || state === 'details') && cardClass(context))
  // The page's own label stays while the checkout starts.
  writeAttribute(label, 'name', isStarting ? 'label' : 'no-label')
  // If this page stays, it makes room for the card before the first view arrives, so that nothing jumps.
  writeAttribute(base, 'class', staysHere(session) ? 'base room' : 'base')
  writeAttribute(button, 'class', buttonClass(context))
  // In states with a button or link, a focusable status would take the focus instead of the button, because the shadow
  // root delegates the focus to its first focusable node.
  writeAttribute(status, 'tabindex', title !== '' && !text && state !== 'blocked' && '-1')
  // While the checkout starts, the sentence replaces the terms. Their height is kept, so that the page below does not move.
  terms.style.minBlockSize = state === 'starting' ? `${terms.offsetHeight}px` : ''
  if (isStarting) {
    const note = idle.terms || staysHere(session) ? title : ''
    return { ...idle, state, isBusy: state === 'starting', terms: note || idle.terms }
  }

  const { language, dir } = words
  return { ...idle, state, language, dir, text, terms: '' }
}

/** Returns the class of the card: a result is centred, and the card is as tall as the result that is probably next. */
function cardClass({ session, now }: RenderContext): string {
  if (stateOf(session) !== 'paid' && !isChecking(session, now)) {
    return 'card'
  }

  const isAwaited = session.at === 'following' && !session.view && !session.trouble
  return isAwaited ? 'tall middle card' : 'middle card'
}

/**
 * Renders a link to the hosted page, for use after the browser blocked the pop-up. `noopener` prevents the hosted page
 * from navigating the merchant's page.
 */
function pageLink({ session, words, window }: RenderContext) {
  const url = payUrl(viewOf(session))
  // On a phone the link opens in this window, because browsers inside other apps often open no second window.
  const target = prefersPopup('auto', window) ? '_blank' : '_self'
  return html`<a
    part="button"
    href=${url}
    target=${target}
    rel="noopener"
    .textContent=${words.openPage}
  ></a>`
}

/** Renders the button that leads to the hosted page after a prompt. */
function otherWay({ session, words, payOnPage }: RenderContext) {
  const style = remedyOf(session) === 'page' ? 'loud' : 'plain'
  return payOnPage
    ? html`<button class=${style} @click=${payOnPage} .textContent=${words.otherWay}></button>`
    : ''
}

/**
 * Renders the phone number and the operator of a prompt that has ended without money: either may have been wrong. Both
 * are text until the shopper changes them.
 */
function promptChoice(context: RenderContext) {
  const { session, details, element, words } = context
  if (!paysByPrompt(viewOf(session)) || !mayStart(session)) {
    return ''
  }

  const change = async () => {
    details.isChanging = true
    element.requestUpdate()
    await element.updateComplete
    const field = element.shadowRoot?.querySelector<HTMLInputElement>('#payer_msisdn')
    field?.focus()
    field?.select()
  }

  if (isNumberKept(context)) {
    const number = groupDigits(details.payer().payer_msisdn)
    const isAsked = remedyOf(session) === 'number'
    return html`<div class="asked">
        <span>
          <span class="heard" .textContent=${words.payer_msisdn}></span>
          <bdi id="asked" dir="ltr" .textContent=${number}></bdi>
          <span class="soft" .textContent=${askedOperator(session)}></span>
        </span>
        ${isAsked ? '' : html`<button class="plain" aria-describedby="asked" @click=${change} .textContent=${words.change}></button>`}
      </div>
      ${isAsked ? html`<button class="loud" @click=${change} .textContent=${words.otherNumber}></button>` : ''}`
  }

  const correct = ({ target }: Event & { target: HTMLInputElement }) => {
    details.keep({ payer_msisdn: target.value })
    details.isChanging = true
    element.requestUpdate()
  }

  return html`<div @input=${correct}>${input('payer_msisdn', [], { ...context, methods: null })}</div>
    ${operatorChoice(context)}`
}

/** Returns whether the number of the last prompt is known, and not being changed. */
function isNumberKept({ details }: RenderContext): boolean {
  return !details.isChanging && details.payer().payer_msisdn !== ''
}

/** Returns the name of the operator that asked last; empty text if it is unknown. */
function askedOperator(session: Session): string {
  const prompt = viewOf(session)?.prompt
  return prompt?.methods.find(({ code }) => code === prompt.method)?.name ?? ''
}

/** Renders the choice among the operators that can ask the payer on the phone. */
function operatorChoice({ session, words, details }: RenderContext) {
  const operators = operatorsOf(session)
  if (operators.length === 0) {
    return ''
  }

  const choose = (event: Event & { currentTarget: HTMLSelectElement }) =>
    void (details.operator = event.currentTarget.value)
  const asked = viewOf(session)?.prompt?.method
  return html`<div part="field">
    <label for="operator" .textContent=${words.operator}></label>
    <select part="input" id="operator" @change=${choose}>
      ${operators.map(({ code, name }) => html`<option value=${code} ?selected=${code === asked} .textContent=${name}></option>`)}
    </select>
  </div>`
}

/**
 * Returns the button's text after the first press; empty if the form or a link replaces the button, or if the shopper
 * can neither pay nor try again.
 */
function buttonText(session: Session, words: Words): string {
  if (session.at === 'details' || stateOf(session) === 'blocked') {
    return ''
  }
  if (mayStart(session)) {
    return words.retry
  }

  const view = viewOf(session)
  if (view === null || payUrl(view) === null) {
    return ''
  }
  return hasPopup(session) ? words.overlay.show : payText(view, words)
}

/** Returns whether the page stays while the shopper pays: in a pop-up, or on the phone. */
function staysHere(session: Session): boolean {
  return session.at === 'starting' && (session.page !== 'none' || session.operator !== null)
}

/**
 * Returns the class of the button: inconspicuous if another button is the remedy, or while the shopper should look
 * elsewhere, at the open pop-up, at the phone, or at the connection.
 */
function buttonClass(context: RenderContext): string | false {
  const { session, window, payOnPage } = context
  const remedy = remedyOf(session)
  const isRemedied = remedy === 'page' ? payOnPage !== null : remedy === 'number' && isNumberKept(context)
  if (isRemedied || phoneAsks(viewOf(session))) {
    return 'plain'
  }

  const isElsewhere =
    session.at === 'following' &&
    (hasPopup(session) || (session.trouble !== null && !window.navigator.onLine))
  return isElsewhere && 'quiet'
}

/** Renders a closed disclosure on a desktop, while the shopper has not tried to pay yet. */
function phoneCode({ session, words, window, element }: RenderContext) {
  const view = viewOf(session)
  const isUntried = /^(waiting|blocked)$/.test(stateOf(session)) && !phoneAsks(view)
  if (!isDesktop(window) || payUrl(view) === null || !isUntried) {
    return ''
  }

  return html`<details part="phone" @toggle=${() => element.requestUpdate()}>
    <summary .textContent=${words.phone.open}></summary>
    <p class="soft" .textContent=${words.phone.scan}></p>
    <div class="code"></div>
  </details>`
}

/**
 * Downloads and draws the code when the shopper has opened the disclosure. If the download fails, closes the
 * disclosure: the shopper can open it again, or pay on this device.
 *
 * @param words Read when the module has arrived: the words of another language may have arrived meanwhile.
 */
export function loadCode(root: ParentNode, session: Session, words: () => Words): void {
  const disclosure = root.querySelector<HTMLDetailsElement>('[part=phone]')
  const place = disclosure?.querySelector('.code')
  const url = payUrl(viewOf(session))
  if (!disclosure?.open || !place || url === null) {
    return
  }

  import('./qr-code.ts').then(
    ({ drawCode }) => drawCode(place, url, words().phone),
    () => (disclosure.open = false),
  )
}
