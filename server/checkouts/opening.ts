/**
 * Computes the record of a checkout that the gateway has opened: from the gateway's response, or from the first status
 * of a prompt whose response was lost. Pure.
 */

import type { TransitionResult } from '../transactions/transition.ts'
import type { IntendedCheckout, OpenCheckout } from './record.ts'
import type { Opened } from './variants.ts'
import { DAY, MINUTE } from '../transactions/schedule.ts'
import { note, unchanged } from '../transactions/transition.ts'
import { isCharge } from './record.ts'

type Opening = TransitionResult<OpenCheckout, 'needs_attention'>

/** Returns the part of the record that is kept when the submission is deleted. */
export function keptOf({ requested, visit, people, prompt }: IntendedCheckout) {
  return { requested, visit, people, ...(prompt && { prompt }) }
}

export function open(intended: IntendedCheckout, answer: Opened, askedAt: number): Opening {
  const { checkout_reference, charge_request_id } = answer
  const record = openRecord(intended, answer, askedAt)
  if (record.prompt) return note(record, `The gateway prompts the payer under ${charge_request_id}.`)
  const name = checkout_reference === null ? 'it' : `checkout ${checkout_reference}`
  return note(record, `The gateway opened ${name}.`)
}

/** The session of a prompt whose response was lost. */
export const NO_ANSWER: Opened = {
  checkout_reference: null,
  charge_request_id: null,
  redirect_url: null,
  expires_at: null,
}

export function openRecord(
  intended: IntendedCheckout,
  { checkout_reference, charge_request_id, redirect_url, expires_at }: Opened,
  askedAt: number,
): OpenCheckout {
  // [assumed] If the response contains no time of expiry, the session has the lifetime that was requested. The request
  // of a charge contains no lifetime: its page may take money for a day.
  const { requested } = intended
  const lifetime = charge_request_id !== null || intended.prompt ? DAY : requested.expires_in * MINUTE
  const until = expires_at === null ? askedAt + lifetime : Date.parse(expires_at)
  return {
    phase: 'open',
    ...keptOf(intended),
    session: { checkout_reference, charge_request_id, redirect_url, expires_at: until },
    reported: null,
    settled_at: null,
    paid_emitted: false,
    unknown_at: null,
    contradiction: null,
    confirmation: isCharge(intended) ? { stage: 'open' } : null,
  }
}

/**
 * Returns the transition result for the gateway's response to a prompt, if the response arrives after a status of the
 * prompt was reported. The response contains the gateway's id and the time of expiry.
 */
export function storeLateAnswer(record: OpenCheckout, answer: Opened): Opening {
  const { session } = record
  if (!record.prompt || session.charge_request_id !== null) return unchanged(record)
  const { charge_request_id } = answer
  const expires_at = answer.expires_at === null ? session.expires_at : Date.parse(answer.expires_at)
  const historyEntry = `The gateway prompts the payer under ${charge_request_id}.`
  return note({ ...record, session: { ...session, charge_request_id, expires_at } }, historyEntry)
}
