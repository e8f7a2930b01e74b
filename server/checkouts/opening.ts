/**
 * Computes the record of a checkout that the gateway has opened: from the gateway's response, or from the first status
 * of a prompt whose response was lost. Pure.
 */

import type { TransitionResult } from '../transactions/transition.ts'
import type { CheckoutRecord, IntendedCheckout, OpenCheckout, Prompt } from './record.ts'
import type { Opened } from './variants.ts'
import { addNamedId } from '../payins/named-ids.ts'
import { DAY, MINUTE } from '../transactions/schedule.ts'
import { contradict, note, unchanged } from '../transactions/transition.ts'
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
    ...(intended.prompt && charge_request_id !== null && { prompt: withoutNames(intended.prompt) }),
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
  const { session, prompt, reported } = record
  const { charge_request_id, expires_at } = answer
  if (!prompt || session.charge_request_id === charge_request_id) return unchanged(record)
  const until = expires_at === null ? session.expires_at : Date.parse(expires_at)
  const taken = {
    ...record,
    prompt: withoutNames(prompt),
    session: { ...session, charge_request_id, expires_at: until },
  }
  const historyEntry = `The gateway prompts the payer under ${charge_request_id}.`
  if (session.charge_request_id === null || !reported) return note(taken, historyEntry)
  const why = `${historyEntry} Before, it reported the status of ${session.charge_request_id} as that of this prompt.`
  return contradict(taken, reported.status, why)
}

/** Stores an id that a callback has named. */
export function addName(
  record: CheckoutRecord,
  id: string,
): TransitionResult<CheckoutRecord, 'needs_attention'> {
  const { prompt } = record
  const named_ids = prompt && addNamedId(prompt.named_ids, id)
  if (!prompt || !named_ids || named_ids === prompt.named_ids) return unchanged(record)
  return note({ ...record, prompt: { ...prompt, named_ids } }, `A callback names it ${id}.`)
}

/** Returns the record without the ids in `wrong`, which belong to other charges. */
export function withoutIds<Record extends CheckoutRecord>(record: Record, wrong: readonly string[]): Record {
  const { prompt } = record
  const named_ids = prompt?.named_ids.filter((id) => !wrong.includes(id)) ?? []
  if (!prompt || named_ids.length === prompt.named_ids.length) return record
  return { ...record, prompt: { ...prompt, named_ids } }
}

/** Returns the record with the gateway's id, which a callback named and a status query confirmed. */
export function withConfirmedId<Record extends CheckoutRecord>(
  record: Record,
  id: string | undefined,
): Record {
  const { prompt } = record
  if (id === undefined || record.phase !== 'open' || !prompt || record.session.charge_request_id !== null)
    return record
  const session = { ...record.session, charge_request_id: id }
  return { ...record, prompt: withoutNames(prompt), session }
}

function withoutNames(prompt: Prompt): Prompt {
  return { ...prompt, named_ids: [] }
}
