/** Airtime as a kind of transaction: one request to the gateway, with all its recipients. */

import type { AirtimeRecipient } from '../contract/airtime.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Kind } from '../transactions/kind.ts'
import type { AirtimeEvent, Observation } from './transition.ts'
import type { Airtime, Recipient } from './record.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { GatewayError } from '../gateway/errors.ts'
import { bindTransition } from '../transactions/transition.ts'
import { transition, isNeverSent } from './transition.ts'
import { outcomeOf, summarise } from './outcome.ts'
import { readAirtime } from './record.ts'
import { nextQueryAt, freshForMs } from './schedule.ts'
import { trackedRecipient } from './tracked.ts'

export function createAirtimeKind(client: GatewayClient): Kind {
  return {
    isUnsent: (transaction) => isNeverSent(readAirtime(transaction)),

    async send(transaction) {
      const { reference, record } = readAirtime(transaction)
      const recipients = record.recipients.flatMap(asked)
      const { response_code, response_description } = await client.sendAirtime({ reference, recipients })
      if (response_code === ACKNOWLEDGEMENT_CODE.accepted) return observe({ kind: 'accepted' })
      return observe(await settleRejection(reference, response_description))
    },

    ask: async ({ reference }) => observe(await ask(reference)),
    isToBeSentAgain: (transaction) => isNeverSent(readAirtime(transaction)),
    freshForMs: (transaction, now) => freshForMs(readAirtime(transaction), now),
  }

  async function ask(reference: string): Promise<Observation> {
    const entries = await client.getAirtimeStatus(reference)
    return entries ? { kind: 'status', entries } : { kind: 'unknown' }
  }

  /**
   * [assumed] 721 may also say that the reference was used before, and then nothing has failed: somebody sent the same
   * from another store. Only when the gateway knows none of it is it rejected.
   */
  async function settleRejection(reference: string, why: string): Promise<Observation> {
    try {
      const known = await ask(reference)
      return known.kind === 'status' ? known : { kind: 'rejected', why, isConfirmed: true }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      return { kind: 'rejected', why, isConfirmed: false }
    }
  }
}

/** What the merchant asked for, and the gateway is asked for. */
export function asked({ phone_number, amount }: Recipient): AirtimeRecipient[] {
  return amount === null ? [] : [{ phone_number, amount }]
}

const observe = bindTransition<Airtime, Observation, AirtimeEvent>({
  read: readAirtime,
  transition,
  outcomeOf: ({ record }) => outcomeOf(summarise([record])),
  nextQueryAt,
  describeEvent: ({ recipient, outcome }, airtime) => ({
    type: `airtime.${outcome}`,
    about: recipient.phone_number,
    data: trackedRecipient(airtime, recipient),
  }),
})
