/** The one thing to do next, if there is one. */

import { html, nothing } from 'lit'
import { amounts, fill } from '../locale.ts'
import { hasPopup, mayBegin, payableAt, stateOf } from '../session/state.ts'

import type { Words } from '../locale.ts'
import type { Session } from '../session/state.ts'

export interface ActionContext {
  session: Session
  words: Words
  lang: string
  /** The merchant's word on the button, or empty. */
  label: string
  isDisabled: boolean
  start: () => void
  followLink: () => void
}

/**
 * One button through all states, so that focus stays where it is while its words change. A link of the shopper's
 * own is never blocked; it keeps its opener, so that the page it comes back to can say that it is done.
 */
export function action(context: ActionContext) {
  const { session, words, label, isDisabled, start, followLink } = context
  if (stateOf(session) === 'blocked')
    return html`<a
      part="button"
      class="primary"
      href=${payableAt(session)}
      target="_blank"
      rel="opener"
      @click=${followLink}
      >${words.openPage}</a
    >`
  const text = buttonText(context)
  const isBusy = session.at === 'starting'
  return (
    text &&
    html`<button
      part="button"
      class=${hasPopup(session) && !isBusy ? '' : 'primary'}
      ?disabled=${isDisabled}
      aria-busy=${isBusy}
      @click=${start}
    >
      ${isBusy ? html`<i></i>` : nothing}
      <span part="label"
        >${session.at === 'idle' ? html`<slot name="label">${label || text}</slot>` : text}</span
      >
    </button>`
  )
}

/** What the button says, or `null` when there is nothing to do but wait. */
function buttonText({ session, words, lang }: ActionContext): string | null {
  if (session.at === 'idle') return words.pay
  if (session.at === 'starting') return words.sentence.starting[0]
  if (mayBegin(session)) return session.at === 'error' ? words.retry : words.restart
  if (session.at !== 'following' || session.view === null || payableAt(session) === null) return null
  const { outcome } = session.view
  if (outcome === 'partial') return fill(words.payRest, amounts(session.view, lang))
  if (outcome === 'unpaid') return words.retry
  return hasPopup(session) ? words.returnToPage : words.openPage
}
