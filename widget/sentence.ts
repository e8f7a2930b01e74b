/** The one sentence that a session shows and a screen reader hears, and the quiet note beside it. Pure. */

import { withAmounts } from './locale.ts'
import { stateOf } from './session/state.ts'

import type { Words } from './locales/en.ts'
import type { Following, Session } from './session/state.ts'

/** A title of a few words and one plain explanation; both empty while there is nothing to say. */
export type Sentence = readonly [title: string, detail: string]

export function sentence(session: Session, words: Words): Sentence {
  switch (session.at) {
    case 'idle':
    case 'details':
      return ['', '']
    case 'starting':
      return words.sentence.starting
    case 'error': {
      const { code, retryable } = session.failure
      const known: Record<string, string> = words.failure
      return [words.failureTitle, known[code] ?? (retryable ? words.failure.again : words.failure.other)]
    }
    case 'following': {
      const [title, detail] = words.sentence[situation(session)]
      return [title, session.view ? withAmounts(detail, session.view, words.language) : detail]
    }
  }
}

/** Why there is no news, while a checkout is followed. Never part of the outcome. */
export function note(session: Session, words: Words, isOnline: boolean): string {
  if (session.at !== 'following' || session.view?.settled) return ''
  return !isOnline ? words.offline : session.trouble ? words.troubled : ''
}

/** What a shopper would tell apart within one outcome. */
function situation(session: Following): keyof Words['sentence'] {
  const { view, page } = session
  if (view === null) return 'checking'
  const { outcome, settled, discrepancy, payments } = view
  if (stateOf(session) === 'blocked') return 'blocked'
  if (outcome === 'waiting' && payments.at(-1)?.outcome === 'waiting') return 'prompted'
  if (outcome === 'waiting' && page === 'closed') return 'closed'
  if (outcome === 'paid' && discrepancy === 'excess') return 'overpaid'
  return settled && (outcome === 'partial' || outcome === 'unpaid') ? `${outcome}Ended` : outcome
}
