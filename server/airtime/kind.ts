/**
 * Implements the transaction kind `airtime`. Each transaction is one request to the gateway, with all its recipients.
 */

import type { AirtimeRecipient } from '../contract/airtime.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { AirtimeEvent, Observation } from './transition.ts'
import type { Airtime, Recipient } from './record.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { GatewayError } from '../gateway/errors.ts'
import { bindTransition } from '../transactions/transition.ts'
import { transition } from './transition.ts'
import { outcomeOf, summarise } from './outcome.ts'
import { readAirtime } from './record.ts'
import { trackedRecipient } from './tracked.ts'

export function createAirtimeKind(client: GatewayClient): Kind {
  return {
    submissionOf(transaction) {
      const { record } = readAirtime(transaction)
      return record.phase === 'intended' ? record : null
    },
    progressOf: (transaction) => progressOf(readAirtime(transaction)),

    async send(transaction) {
      const { reference, record } = readAirtime(transaction)
      const recipients = record.recipients.flatMap(requestedOf)
      const { response_code, response_description } = await client.sendAirtime({ reference, recipients })
      if (response_code === ACKNOWLEDGEMENT_CODE.accepted) return observe({ kind: 'accepted' })
      return observe(await settleRejection(reference, response_description))
    },

    queryStatus: async ({ reference }) => observe(await queryStatus(reference)),
  }

  async function queryStatus(reference: string): Promise<Observation> {
    const entries = await client.getAirtimeStatus(reference)
    return entries ? { kind: 'status', entries } : { kind: 'unknown' }
  }

  /**
   * [assumed] 721 may also mean that the reference was used before, from another store: then nothing has failed. The
   * request counts as rejected only if the gateway does not know its reference.
   */
  async function settleRejection(reference: string, why: string): Promise<Observation> {
    try {
      const known = await queryStatus(reference)
      return known.kind === 'status' ? known : { kind: 'rejected', why, isConfirmed: true }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      return { kind: 'rejected', why, isConfirmed: false }
    }
  }
}

/** Returns the recipient as requested; an empty list for a number that was not requested. */
export function requestedOf({ phone_number, amount }: Recipient): AirtimeRecipient[] {
  return amount === null ? [] : [{ phone_number, amount }]
}

const observe = bindTransition<Airtime, Observation, AirtimeEvent>({
  read: readAirtime,
  transition,
  outcomeOf: ({ record }) => outcomeOf(summarise([record])),
  progressOf,
  describeEvent: ({ recipient, outcome }, airtime) => ({
    type: `airtime.${outcome}`,
    about: recipient.phone_number,
    data: trackedRecipient(airtime, recipient),
  }),
})

function progressOf({ record, created_at }: Airtime): Progress {
  switch (record.phase) {
    case 'intended':
      return record.stuck === null ? { stage: 'unacknowledged' } : { stage: 'open', since: created_at }
    case 'rejected':
      return { stage: record.is_confirmed ? 'ended' : 'unacknowledged' }
    case 'accepted': {
      const { settled_at } = record
      return settled_at === null ? { stage: 'open', since: created_at } : { stage: 'settled', at: settled_at }
    }
  }
}
