/** Renders the element's next action: the button's text, or a link. */

import { html } from '../lit.ts'
import { fillAmounts } from '../money.ts'
import { linkTarget } from '../popup.ts'
import {
  hasPopup,
  isPrompt,
  isPrompted,
  mayStart,
  operatorsOf,
  payUrl,
  stateOf,
  viewOf,
} from '../session/state.ts'
import { input } from './details-form.ts'

import type { Words } from '../locales/en.ts'
import type { Session } from '../session/state.ts'
import type { RenderContext } from './render-context.ts'

/**
 * Renders a link to the hosted page, for use after the browser blocked the pop-up. `noopener` prevents the hosted page
 * from navigating the merchant's page.
 */
export function pageLink({ session, words, window }: RenderContext) {
  const url = payUrl(viewOf(session))
  return html`<a part="button" href=${url} target=${linkTarget(window)} rel="noopener">${words.openPage}</a>`
}

/** Renders the phone number and the operator of a prompt that has ended without money: either may have been wrong. */
export function promptChoice(context: RenderContext) {
  const { session, entry } = context
  if (!isPrompt(viewOf(session)) || !mayStart(session)) return ''
  const correct = (event: Event & { currentTarget: HTMLElement }) => {
    const number = event.currentTarget.querySelector('input')?.value.trim()
    if (number) entry.keep({ payer_msisdn: number })
  }
  return html`<div @input=${correct}>${input('payer_msisdn', false, context)}</div>
    ${operatorChoice(context)}`
}

/** Renders the choice among the operators that can ask the payer on the phone. */
function operatorChoice({ session, words, entry }: RenderContext) {
  const operators = operatorsOf(session)
  if (operators.length === 0) return ''
  const choose = (event: Event & { currentTarget: HTMLSelectElement }) =>
    void (entry.operator = event.currentTarget.value)
  const asked = viewOf(session)?.prompt?.method
  return html`<div part="field">
    <label for="operator">${words.operator}</label>
    <select part="input" id="operator" @change=${choose}>
      ${operators.map(({ code, name }) => html`<option value=${code} ?selected=${code === asked}>${name}</option>`)}
    </select>
  </div>`
}

/**
 * Returns the button's text after the first press; empty if the form or a link replaces the button, or if the shopper
 * can neither pay nor try again.
 */
export function buttonText(session: Session, words: Words): string {
  if (session.at === 'details' || stateOf(session) === 'blocked') return ''
  if (mayStart(session)) return words.retry
  const view = viewOf(session)
  if (view === null || payUrl(view) === null) return ''
  if (hasPopup(session)) return words.overlay.show
  if (isPrompted(view)) return words.openPage
  if (view.outcome === 'unpaid') return words.retry
  return view.outcome === 'partial' ? fillAmounts(words.payRest, view, words.language) : words.openPage
}

/** Returns whether the shopper should look elsewhere: at the open pop-up, at the phone, or at the connection. */
export function isQuiet(session: Session, isOnline: boolean): boolean {
  return session.at === 'following' && (hasPopup(session) || isPrompted(session.view) || !isOnline)
}
