/** The one thing to do next, if there is one. */

import { element } from '../drawing.ts'
import { amounts, fill } from '../locale.ts'
import { hasPopup, mayBegin, payableAt, stateOf } from '../session/state.ts'

import type { Child } from '../drawing.ts'
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
export function action(context: ActionContext): Child {
  const { session, words, label, isDisabled, start, followLink } = context
  if (stateOf(session) === 'blocked') return link(payableAt(session), words, followLink)
  const text = buttonText(context)
  if (text === null) return null
  const isBusy = session.at === 'starting'
  return element(
    'button',
    {
      part: 'button',
      class: session.at === 'following' && hasPopup(session) ? null : 'primary',
      disabled: isDisabled,
      'aria-busy': String(isBusy),
      onclick: start,
    },
    isBusy ? element('i') : null,
    element(
      'span',
      { part: 'label' },
      session.at === 'idle' ? element('slot', { name: 'label' }, label || text) : text,
    ),
  )
}

/** What the button says, or `null` when there is nothing to do but wait. */
function buttonText({ session, words, lang }: ActionContext): string | null {
  if (session.at === 'idle') return words.pay
  if (session.at === 'starting') return words.sentence.starting.title
  if (mayBegin(session)) return session.at === 'error' ? words.retry : words.restart
  if (session.at !== 'following' || session.view === null || payableAt(session) === null) return null
  const { outcome } = session.view
  if (outcome === 'partial') return fill(words.payRest, amounts(session.view, lang))
  if (outcome === 'unpaid') return words.retry
  return hasPopup(session) ? words.returnToPage : words.openPage
}

/**
 * A link of the shopper's own is never blocked. It keeps its opener, so that the page it comes back to can say
 * that it is done and close itself.
 */
function link(href: string | null, words: Words, onclick: () => void): Child {
  const attributes = { part: 'button', class: 'primary', href, target: '_blank', rel: 'opener', onclick }
  return element('a', attributes, words.openPage)
}
