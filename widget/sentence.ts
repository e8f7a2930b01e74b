/** Selects the sentence that the element shows and a screen reader reads out, and the note below it. Pure. */

import { fillAmounts } from './money.ts'
import { isBlocked } from './session/state.ts'

import type { CheckoutView } from '../server/api/view.ts'
import type { Failure } from './failure.ts'
import type { Sentence, Words } from './locales/en.ts'
import type { HostedPage, Session } from './session/state.ts'

/**
 * Returns the title and the detail of the sentence for a session. Both are empty where the button or the form is
 * enough.
 */
export function describeSession(session: Session, words: Words): Sentence {
  switch (session.at) {
    case 'idle':
    case 'details':
      return ['', '']
    case 'starting':
      return words.sentence.starting
    case 'error':
      return describeFailure(session.failure, words)
    case 'following':
      return session.view ? describeView(session.view, words, session.page) : words.sentence.checking
  }
}

export function describeView(view: CheckoutView, words: Words, page?: HostedPage): Sentence {
  const [title, detail] = words.sentence[situation(view, page)]
  return [title, fillAmounts(detail, view, words.language)]
}

export function describeFailure({ code, retryable }: Failure, words: Words): Sentence {
  const byCode: Readonly<Record<string, Sentence>> = words.failure
  return byCode[code] ?? (retryable ? words.failure.again : words.failure.other)
}

/** Returns a note that explains why the shown view may be out of date; empty text if the view is current or final. */
export function staleNote(session: Session, words: Words, isOnline: boolean): string {
  if (session.at !== 'following' || session.view?.settled) return ''
  return !isOnline ? words.offline : session.trouble ? words.troubled : ''
}

/** Returns the name of the sentence for a view. Some outcomes have several sentences. */
function situation(view: CheckoutView, page?: HostedPage): keyof Words['sentence'] {
  const { outcome, settled, discrepancy, payments } = view
  if (isBlocked(view, page)) return 'blocked'
  if (outcome === 'waiting' && payments.at(-1)?.outcome === 'waiting') return 'prompted'
  if (outcome === 'waiting' && page === 'closed') return 'closed'
  if (outcome === 'paid' && discrepancy === 'excess') return 'overpaid'
  return settled && (outcome === 'partial' || outcome === 'unpaid') ? `${outcome}Ended` : outcome
}
