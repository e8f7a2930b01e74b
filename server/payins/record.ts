/** The fields that the records of all pay-ins have. */

import { z } from 'zod'

import { CheckoutError } from '../contract/errors.ts'
import { Alarm } from '../transactions/alarm.ts'
import { Consulted } from '../transactions/consulted.ts'
import { ServiceConfirmation } from '../transactions/kind.ts'
import { missing_since } from '../transactions/missing-report.ts'
import { storedTime } from '../transactions/record.ts'
import { submissionState } from '../transactions/submission.ts'
import { ReportedState } from './reported-state.ts'

/**
 * The gateway's id by which a callback named the pay-in; `null` if none did. The id counts only once the gateway's answer
 * about it names our reference and amount. A callback may come in every phase: also a refused request may have arrived.
 */
export const namedId = z.string().nullable()

/** The fields of a pay-in that the gateway has neither acknowledged nor reported. */
export const intendedFields = submissionState(CheckoutError.nullable())

/** The fields of a pay-in that the gateway knows. */
export const openFields = {
  /** When the gateway first answered about the pay-in, by its clock, in milliseconds since the Unix epoch. */
  answered_at: storedTime,
  /** What the gateway last reported; `null` if it has reported nothing yet. */
  reported: ReportedState.nullable(),
  /**
   * The time of the status query that settled the pay-in or that last changed the settled pay-in, in milliseconds since
   * the Unix epoch; `null` while the pay-in is unsettled.
   */
  settled_at: storedTime.nullable(),
  /**
   * The id by which a callback named the pay-in, once the gateway's answer about it has named our reference and amount,
   * or the id in a response to the request with another total; `null` otherwise. The response to the request may still arrive, with a page.
   */
  found_id: z.string().nullable(),
  missing_since,
  /**
   * The time at which the gateway did not know the pay-in any more, after the session of its hosted page had ended, by
   * the gateway's clock as `reported.at`, in milliseconds since the Unix epoch. The pay-in ends with what the gateway
   * last reported. `null` otherwise.
   */
  gone_at: storedTime.nullable(),
  /** Why a person has to check the pay-in, apart from what was reported; `null` if there is no such reason. */
  alarm: Alarm.nullable(),
  consulted: Consulted.exactOptional(),
  /** The service confirmation; `null` if the pay-in was not sent as a charge. Only charges need one. */
  confirmation: ServiceConfirmation.nullable(),
}
const OpenFields = z.object(openFields)
export type OpenFields = z.output<typeof OpenFields>

/** The fields of a pay-in about which the gateway has reported nothing. */
export const UNREPORTED = {
  reported: null,
  settled_at: null,
  found_id: null,
  missing_since: null,
  gone_at: null,
  alarm: null,
}
