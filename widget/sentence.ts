/** The one sentence that a session shows and a screen reader hears, and the quiet note beside it. Pure. */

import { failureWords, outcomeWords, situation } from './locale.ts'
import { stateOf } from './session/state.ts'

import type { Sentence, Situation, Words } from './locale.ts'
import type { Session } from './session/state.ts'

/** `null` while there is nothing to say. */
export function sentence(session: Session, words: Words, lang: string): Sentence | null {
  const say = (situation: Situation) => {
    const [title, detail] = words.sentence[situation]
    return { title, detail }
  }
  switch (session.at) {
    case 'idle':
    case 'details':
      return null
    case 'starting':
      return say('starting')
    case 'error':
      return { title: words.failureTitle, detail: failureWords(session.failure.code, words) }
    case 'following':
      if (session.view === null) return say('checking')
      if (stateOf(session) === 'blocked') return say('blocked')
      return session.page === 'closed' && situation(session.view) === 'waiting'
        ? say('closed')
        : outcomeWords(session.view, words, lang)
  }
}

/** Why there is no news, while a checkout is followed. Never part of the outcome. */
export function note(session: Session, words: Words, isOnline: boolean): string {
  if (session.at !== 'following' || session.view?.settled) return ''
  return !isOnline ? words.offline : session.trouble ? words.troubled : ''
}
