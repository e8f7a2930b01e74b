/**
 * Defines the schemas of airtime requests, of their acknowledgements, and of the states that the gateway reports for
 * recipients. [spec: Airtime request, Airtime callback and status entry]
 */

import { z } from 'zod'

import {
  boundedList,
  coded,
  decimal,
  orRequired,
  possibleMsisdn,
  positive,
  reference,
  reported,
  reportedNumber,
} from './fields.ts'
import { field } from './openapi-field.ts'
import { ACKNOWLEDGEMENT_CODE, AIRTIME_STATUS } from './status.ts'

const { accepted, rejected } = ACKNOWLEDGEMENT_CODE

/** The maximum number of recipients in one request to the gateway. [spec: Limits] */
export const MAX_RECIPIENTS = 1000

/** A recipient of airtime. */
export const AirtimeRecipient = z.object(
  {
    phone_number: possibleMsisdn,
    amount: field(
      positive,
      'Amount, as decimal text in major units of the local currency of the number. More than 0, and as exact as that currency: whole in UGX, RWF and XOF, at most 2 fraction digits in the others.',
      '100.00',
    ),
  },
  'must be an object',
)
export type AirtimeRecipient = z.output<typeof AirtimeRecipient>

/** Returns the schema of a list of 1 to `max` recipients. */
export const recipientsOf = <Recipient extends z.ZodType>(recipient: Recipient, max: number) =>
  z
    .array(recipient, orRequired('must be a list'))
    .refine((list) => list.length > 0, 'must have at least 1 recipient')
    .refine((list) => list.length <= max, `must have at most ${max} recipients`)
    .meta({ minItems: 1, maxItems: max })

export const AirtimeRequest = z.object({
  reference: reference.meta({ examples: ['AIRTIME-2026-11-0001'] }),
  recipients: field(recipientsOf(AirtimeRecipient, MAX_RECIPIENTS), '1 to 1000 recipients.'),
})
export type AirtimeRequest = z.output<typeof AirtimeRequest>

/**
 * The gateway's response to an airtime request. `response_code` is 720 (accepted) or 721 (rejected). The HTTP status of
 * the response does not show whether the request was accepted. [spec: Endpoints, note 5]
 */
export const AirtimeAcknowledgement = z.object({
  reference: reported('Your reference.', 'AIRTIME-2026-11-0001'),
  response_code: field(coded([accepted, rejected]), '720 accepted, 721 rejected.'),
  response_description: field(z.string().catch(''), 'Description of the response.', 'Accepted.'),
})
export type AirtimeAcknowledgement = z.output<typeof AirtimeAcknowledgement>

/**
 * The state of one recipient of airtime, as the gateway reports it in callbacks and in responses to status queries. An
 * amount and a status that cannot be read become null, because there may be money in them.
 */
export const AirtimeEntry = z.object({
  phone_number: field(reportedNumber, 'Phone number of the recipient.', '254700000001'),
  amount: field(decimal.nullable().catch(null), 'Amount, in major units of the local currency.', '100.00'),
  service_status: field(
    coded(Object.values(AIRTIME_STATUS)).nullable().catch(null),
    '600 unprocessed, 601 processing, 602 delivered, 603 failed, 604 jammed, 605 reversed, 606 refunded, 607 tried again.',
  ),
  external_reference: reported('Your reference of the request.', 'AIRTIME-2026-11-0001'),
  provider_reference: reported("The network's id of the transaction.", 'QK71P0ZX'),
  correlation_id: reported("The gateway's id of the recipient.", '5f2a7c'),
  message: reported('Description of the result.', 'The airtime was delivered.'),
})
export type AirtimeEntry = z.output<typeof AirtimeEntry>

/** The maximum number of entries in a status list. [assumed] A list may repeat each recipient of a request once. */
const MAX_ENTRIES = 2 * MAX_RECIPIENTS

/**
 * The gateway's response to a status query for an airtime request: a list with one entry per recipient.
 *
 * [assumed] An entry without a phone number is omitted, so that the other recipients are still reported. An empty list
 * is valid. A list is invalid if it has entries and none of them names a recipient.
 */
export const AirtimeStatusList = boundedList(AirtimeEntry.nullable().catch(null), MAX_ENTRIES).transform(
  (entries, context) => {
    const readable = entries.filter((entry) => entry !== null)
    if (readable.length > 0 || entries.length === 0) {
      return readable
    }

    context.addIssue({ code: 'custom', message: 'has no entry that can be read' })
    return z.NEVER
  },
)
