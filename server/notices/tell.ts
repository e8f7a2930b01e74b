/** Tells people of an event by one way. */

import type { NoticeWay } from '../store/store.ts'
import type { Message } from './message.ts'

/**
 * Sends a message. Resolves with a sentence about addresses that were refused while others got it; `null` if there are
 * none. Rejects with a {@link NoticeError} if nobody was told: the message is then sent again later.
 */
export type Tell = (message: Message) => Promise<string | null>

/** A way that is configured. */
export interface Teller {
  way: NoticeWay
  tell: Tell
}

/** Thrown if nobody was told. The message says why, and what to change. */
export class NoticeError extends Error {
  override readonly name = 'NoticeError'
}
