/** Defines a way in which people are told of an event: `email.ts` and `http.ts` implement it. */

import type { NoticeWay } from '../store/notices.ts'
import type { Message } from './message.ts'

/** Sends a message to one reader. Rejects with a {@link NoticeError} if it is not known that the reader was told. */
export type Tell = (message: Message, reader: string) => Promise<void>

/** A way that is configured. */
export interface Teller {
  way: NoticeWay
  /** Each is told alone: who refuses a message keeps it from nobody else, and nobody is told twice because of it. */
  readers: readonly string[]
  tell: Tell
}

/** In the words of one server, a secret that it was sent is hidden however short it is. */
export const SHORTEST_SECRET = 1

/** What became of a message, which decides when it is sent again, and whether others are sent. */
export type Failure =
  /** No message is taken now: nobody answers, the secret is wrong, or the service asks to wait. This one was not taken. */
  | 'away'
  /** This message was refused. Others may be taken. */
  | 'refused'
  /** It was handed over, and nobody said whether it was taken. */
  | 'unanswered'

/** Says why a reader was not told, and what to change. */
export class NoticeError extends Error {
  override readonly name = 'NoticeError'
  readonly failure: Failure
  /** How long the service asks to wait, in milliseconds; `null` if it does not. */
  readonly waitMs: number | null

  constructor(message: string, failure: Failure, waitMs: number | null = null) {
    super(message)
    this.failure = failure
    this.waitMs = waitMs
  }
}
