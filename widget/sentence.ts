/** The one sentence that a session shows and a screen reader hears, and the quiet note beside it. Pure. */

import { failureWords, outcomeWords } from './locale.ts'
import { stateOf } from './session/state.ts'

import type { Sentence, Words } from './locale.ts'
import type { Session } from './session/state.ts'

/** `null` while there is nothing to say. */
export function sentence(session: Session, words: Words, lang: string): Sentence | null {
  switch (session.at) {
    case 'idle':
    case 'details':
      return null
    case 'starting':
      return { title: words.opening, detail: '' }
    case 'error':
      return { title: words.failureTitle, detail: failureWords(session.failure.code, words) }
    case 'following': {
      if (session.view === null) return words.checking
      if (stateOf(session) === 'blocked') return words.blocked
      const said = outcomeWords(session.view, words, lang)
      const hasLeft = session.page === 'closed' && said === words.waiting
      return hasLeft ? { ...said, detail: words.pageClosed } : said
    }
  }
}

/** Why there is no news, while a checkout is followed. Never part of the outcome. */
export function note(session: Session, words: Words, isOnline: boolean): string {
  if (session.at !== 'following' || session.view?.settled === true) return ''
  if (!isOnline) return words.offline
  return session.trouble === null ? '' : words.troubled
}
