import type { Json, Mailbox } from './connection.ts'

/** Returns a mailbox whose callbacks have other bodies. */
export function rewritten(mailbox: Mailbox, change: (body: Json) => Json): Mailbox {
  return {
    url: mailbox.url,
    get received() {
      return mailbox.received.map((callback) => ({ ...callback, body: change(callback.body) }))
    },
    get answers() {
      return mailbox.answers
    },
    set answers(status) {
      mailbox.answers = status
    },
  }
}
