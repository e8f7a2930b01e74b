/**
 * Chooses the element's sentence to the shopper, by what is known of the payment, and the notes below it, which screen
 * readers announce. The words are those of `en.ts` and its neighbours. Pure.
 */

import { fillAmounts } from '../state/money.ts'
import { isBlocked, isPayable, isPrompting, isUnpaid, payUrl, phoneAsks, viewOf } from '../state/state.ts'
import { fillIn } from './fill-in.ts'

import type { CheckoutView, OperatorView } from '../../server/api/view.ts'
import type { Failure } from '../state/failure.ts'
import type { HostedPage, Session } from '../state/state.ts'
import type { Sentence, Words } from './en.ts'

/**
 * Returns the message for the element's state: a title and a detail. Both are empty in the states that show only the
 * button or the form.
 *
 * @param now The BFF's time, in milliseconds since the Unix epoch.
 * @param payee Who takes the money; empty text if the page does not say it.
 * @param number The phone number that was asked; empty text if it is unknown, as after a return in another tab.
 */
export function describeSession(
  session: Session,
  words: Words,
  now: number,
  payee = '',
  number = '',
): Sentence {
  switch (session.at) {
    case 'idle':
    case 'details':
      return ['', '']
    case 'starting':
      return words.sentence[session.operator === null ? 'starting' : 'asking']
    case 'error':
      return describeFailure(session.failure, words)
    case 'following': {
      const { view, page } = session
      return view ? describeCheckout(view, words, now, payee, number, page) : words.sentence.checking
    }
  }
}

/**
 * Returns the message about a checkout, as it stands at a time: for the card and the server's pages.
 *
 * @param now The BFF's time, in milliseconds since the Unix epoch.
 */
export function describeCheckout(
  view: CheckoutView,
  words: Words,
  now: number,
  payee: string,
  number: string,
  page?: HostedPage,
): Sentence {
  if (isPrompting(view)) {
    return describePrompt(view, words, number, payee)
  }
  return isAwaited(view, now) ? words.sentence.checking : describeView(view, words, page)
}

/**
 * Returns whether the card says that the element checks the payment: nothing is known of the checkout yet, or its
 * session is over.
 *
 * @param now The BFF's time, in milliseconds since the Unix epoch.
 */
export function isChecking(session: Session, now: number): boolean {
  const view = viewOf(session)
  return view ? isAwaited(view, now) : session.at === 'following'
}

/**
 * Returns whether the session is over, and the gateway has yet to report the result: the checkout cannot be called paid,
 * and must not be paid again. After a payment of a part, the message goes on saying how much was received.
 *
 * @param now The BFF's time, in milliseconds since the Unix epoch.
 */
export function isAwaited(view: CheckoutView, now: number): boolean {
  return view.outcome !== 'partial' && isOver(view, now)
}

export function describeView(view: CheckoutView, words: Words, page?: HostedPage): Sentence {
  const reason = view.outcome === 'unpaid' ? view.payments.at(-1)?.reason : undefined
  const [title, detail] = ownSentence(words.reason, reason ?? '') ?? words.sentence[situation(view, page)]
  return [fillAmounts(title, view, words.language), fillAmounts(detail, view, words.language)]
}

/** Returns the message while a phone is asked: which phone, and who asks for how much for whom. */
function describePrompt(view: CheckoutView, words: Words, number: string, payee: string): Sentence {
  const [title, detail] = describeView(view, words)
  const end = number.replace(/\P{Nd}/gu, '').slice(-4)
  const operator = operatorOf(view)?.name
  const asks = fillAmounts(words.prompt.asks, view, words.language)
  return [
    end ? fillIn(words.prompt.phone, '{end}', end) : title,
    operator && payee ? fillIn(fillIn(asks, '{operator}', operator), '{payee}', payee) : detail,
  ]
}

/** Returns the text of the button or link to the payment page, while the checkout can be paid there. */
export function payText(view: CheckoutView, words: Words): string {
  if (view.outcome === 'unpaid') {
    return words.retry
  }
  return view.outcome === 'partial' ? fillAmounts(words.payRest, view, words.language) : words.openPage
}

/** Returns what stands below a phone number that belongs to an operator. */
export function describeOperator({ name, away }: OperatorView, words: Words): string {
  return fillIn(away ? words.operatorAway : words.operatorOfNumber, '{operator}', name)
}

function operatorOf({ prompt }: CheckoutView) {
  return prompt?.methods.find(({ code }) => code === prompt.method)
}

/**
 * Milliseconds without an answer to a prompt: after the first, the payer is told what to do if no message came; after
 * the second, that the phone is asked again only when this prompt has ended. [assumed]
 */
export const UNANSWERED_MS = 20_000
const LONG_UNANSWERED_MS = 60_000

/**
 * Returns the advice below the message. If no payment was confirmed: not to pay again if the SMS says that money left.
 * If a prompt has had no answer for `UNANSWERED_MS`: what to do if no message came. Otherwise empty text.
 *
 * @param now The BFF's time, in milliseconds since the Unix epoch.
 */
export function safetyNote(view: CheckoutView | null, words: Words, now: number): string {
  if (!view) {
    return ''
  }
  if (isUnpaid(view)) {
    return words.sms
  }
  if (!isUnanswered(view, now)) {
    return ''
  }

  const dial = operatorOf(view)?.dial
  return dial ? fillIn(words.prompt.dial, '{dial}', dial) : words.prompt.quiet
}

/**
 * Returns whether an open prompt has had no answer for at least `ms`. [assumed] They count from the view's last change.
 */
export function isUnanswered(view: CheckoutView, now: number, ms = UNANSWERED_MS): boolean {
  return isPrompting(view) && now - Date.parse(view.updated_at) >= ms
}

export function describeFailure({ code, retryable }: Failure, words: Words): Sentence {
  // The BFF refuses a prompt with `operator_unavailable`, which is also the reason of a failed payment.
  const sentence = ownSentence(words.failure, code) ?? ownSentence(words.reason, code)
  return sentence ?? (retryable ? words.failure.again : words.failure.other)
}

/** Returns the sentence with a name; `null` if there is none. A name such as "constructor" names a function. */
function ownSentence(sentences: Readonly<Record<string, Sentence>>, name: string): Sentence | null {
  const sentence = sentences[name]
  return Array.isArray(sentence) ? sentence : null
}

/** Returns a note if the shown view may be out of date; otherwise empty text. */
export function staleNote(session: Session, words: Words, isOnline: boolean): string {
  if (session.at !== 'following' || session.view?.settled || !session.trouble) {
    return ''
  }
  return isOnline ? words.troubled : words.offline
}

/**
 * The remaining time at which the element warns that the session ends, in milliseconds. In every language, `endsSoon`
 * says this time in words: change both together. [assumed] [WCAG 2.2: 2.2.1]
 */
const WARNING_MS = 120_000

/**
 * Returns whether the session has ended before the gateway has reported what became of it. A prompt on the phone may
 * outlast the session.
 *
 * @param now The BFF's time, in milliseconds since the Unix epoch.
 */
export function isOver(view: CheckoutView, now: number): boolean {
  return isPayable(view) && !phoneAsks(view) && Date.parse(view.expires_at) <= now
}

/**
 * Returns a note about the end: of the session, once it is over or ends within `WARNING_MS`; or of a prompt without an
 * answer for `LONG_UNANSWERED_MS`, because the phone is asked again only when that prompt has ended. Otherwise empty
 * text. The warning stays the same until the end, so that screen readers announce it once. After a payment of a part,
 * no new checkout can be started.
 *
 * @param now The BFF's time, in milliseconds since the Unix epoch.
 */
export function endNote(view: CheckoutView | null, words: Words, now: number): string {
  if (view === null) {
    return ''
  }
  if (isOver(view, now)) {
    return words.ended
  }
  // A prompt that may still be approved is not followed by another: the order would be paid twice.
  if (isUnanswered(view, now, LONG_UNANSWERED_MS)) {
    return words.prompt.ends
  }

  const leftMs = Date.parse(view.expires_at) - now
  if (payUrl(view) === null || !(leftMs > 0 && leftMs <= WARNING_MS)) {
    return ''
  }
  return view.outcome === 'partial' ? words.endsSoon : `${words.endsSoon} ${words.startAgain}`
}

/** Returns the key of the message for a view. Some outcomes have several messages. */
function situation(view: CheckoutView, page?: HostedPage): keyof Words['sentence'] {
  const { status, outcome, settled, discrepancy, expires_at, updated_at } = view
  if (isBlocked(view, page)) {
    return 'blocked'
  }
  if (phoneAsks(view)) {
    return 'prompted'
  }
  if (outcome === 'waiting' && (page === 'open' || page === 'closed')) {
    return page
  }
  if (outcome === 'paid' && discrepancy === 'excess') {
    return 'overpaid'
  }
  if (outcome === 'partial') {
    return settled ? 'partialEnded' : outcome
  }
  if (outcome !== 'unpaid' && outcome !== 'expired') {
    return outcome
  }

  // An answer on the phone, or a refusal, can end a checkout long before its time is over. Only 820 means expired.
  const isTimeOver = status === 820 || (settled && Date.parse(expires_at) <= Date.parse(updated_at))
  if (!isTimeOver) {
    return 'unpaid'
  }
  return outcome === 'unpaid' ? 'unpaidEnded' : outcome
}
