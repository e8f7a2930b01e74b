/**
 * What the shopper may do next in a state: start a checkout, choose another operator or number, or pay on the hosted page
 * after a prompt. While a checkout can be paid, `payUrl` of `state.ts` is where. Pure.
 */

import { isUnpaid, paysByPrompt, viewOf } from './state.ts'

import type { Session } from './state.ts'

/** Returns whether a new checkout may start. [assumed] The last checkout, if any, must have ended without a payment. */
export function mayStart(session: Session): boolean {
  switch (session.at) {
    case 'idle':
    case 'details':
      return true
    case 'error':
      return session.failure.retryable
    case 'starting':
      return false
    case 'following':
      return !!session.view?.settled && isUnpaid(session.view)
  }
}

/** Returns the operators among which the shopper can choose before the phone is asked again; empty if there is one. */
export function operatorsOf(session: Session): readonly { code: string; name: string }[] {
  const methods = mayStart(session) && viewOf(session)?.prompt?.methods
  return methods && methods.length > 1 ? methods : []
}

/**
 * Returns whether the shopper may pay on the hosted page after a prompt: the prompt has ended without money, or was
 * refused before it reached the phone.
 *
 * @param method The `method` attribute.
 */
export function mayPayOnPage(session: Session, method: string): boolean {
  if (method !== 'prompt') {
    return false
  }
  if (session.at === 'error') {
    return /^(too_many_requests|gateway_refused|amount_out_of_bounds|operator_unavailable)$/.test(
      session.failure.code,
    )
  }
  return mayStart(session) && paysByPrompt(viewOf(session))
}

/**
 * Returns what helps after a failure, if trying the same again does not: another number, or the hosted page. Returns
 * `null` if the failed payment was made on the hosted page, where the shopper chooses both.
 */
export function remedyOf(session: Session): 'number' | 'page' | null {
  if (session.at === 'error') {
    return 'page'
  }

  const view = viewOf(session)
  if (!paysByPrompt(view) || !mayStart(session)) {
    return null
  }

  const reason = view?.payments.at(-1)?.reason ?? ''
  if (/^(not_enough_money|limit_reached|number_not_registered)$/.test(reason)) {
    return 'number'
  }
  return reason === 'operator_unavailable' ? 'page' : null
}
