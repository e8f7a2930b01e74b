/** The one thing to do next, if there is one. */

import { html, nothing } from 'lit'

import { money, remaining } from '../locale.ts'
import { mayBegin, payableAt, stateOf, viewOf } from '../session/state.ts'

import type { TemplateResult } from 'lit'
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

/** One button through all states, so that focus stays where it is while its words change. */
export function action(context: ActionContext): TemplateResult | typeof nothing {
  const { session, words, label, isDisabled, start, followLink } = context
  const url = payableAt(session)
  if (stateOf(session) === 'blocked' && url !== null) return link(url, words, followLink)

  const isFirst = session.at === 'idle' || session.at === 'starting'
  const text = isFirst ? null : furtherText(context)
  if (!isFirst && text === null) return nothing
  const isBusy = session.at === 'starting'
  const isQuiet = session.at === 'following' && session.page === 'open' && session.view?.outcome === 'waiting'
  return html`<button
    part="button"
    class="button ${isQuiet ? 'quiet' : 'primary'}"
    type="button"
    ?disabled=${isDisabled}
    aria-busy=${isBusy ? 'true' : 'false'}
    @click=${start}
  >
    ${isBusy ? html`<span class="spinner"></span>` : nothing}
    <span part="label">
      ${isBusy ? words.opening : isFirst ? html`<slot name="label">${label || words.pay}</slot>` : text}
    </span>
  </button>`
}

/** What the button says after the first press, or `null` when there is nothing to do but wait. */
function furtherText({ session, words, lang }: ActionContext): string | null {
  if (session.at === 'error') return session.failure.retryable ? words.retry : null
  if (session.at !== 'following') return null
  if (mayBegin(session)) return words.startAgain
  const view = viewOf(session)
  if (view === null || payableAt(session) === null) return null
  if (view.outcome === 'partial') return words.payRest(money(remaining(view), view.currency, lang))
  if (view.outcome === 'unpaid') return words.retry
  return session.page === 'open' ? words.returnToPage : words.openPage
}

/**
 * A link of the shopper's own is never blocked. It keeps its opener, so that the page it comes back to can say
 * that it is done and close itself.
 */
function link(url: string, words: Words, followLink: () => void) {
  return html`<a
    part="button"
    class="button primary"
    href=${url}
    target="_blank"
    rel="opener"
    @click=${followLink}
  >
    ${words.openPage}<span class="unseen"> (${words.opensInNewTab})</span>
  </a>`
}
