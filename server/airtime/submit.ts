/**
 * Creates airtime requests from the merchant's list of recipients. Stores the requests, and sends each request to the
 * gateway at most once.
 *
 * The merchant's reference is the idempotency key. If the merchant sends the same list again with the same reference,
 * the existing requests are returned. A different list with the same reference is refused.
 *
 * A list of more than 1,000 recipients is split into several requests, each with its own reference. All requests are
 * stored in one database transaction before the first request is sent. After a crash, the merchant can therefore send
 * the list again: no request is created twice.
 */

import type { Refusal, FieldError } from '../api/refusal.ts'
import type { Created, SubmitDeps } from '../transactions/synchronizer.ts'
import type { Airtime, AirtimeRecord } from './record.ts'
import { invalid, refuse, MOST_ERRORS } from '../api/refusal.ts'
import { readAirtime, requestedOf } from './record.ts'
import { AirtimeRecipient, MOST_RECIPIENTS, recipientsOf } from '../contract/airtime.ts'
import { newTransaction } from '../transactions/record.ts'
import { z } from 'zod'
import { reference as referenceRule } from '../contract/fields.ts'
import { MOST_RECIPIENTS_AT_ONCE } from '../api/airtime.ts'
import { mapLimit } from '../work/work-loop.ts'
import { NEW_SUBMISSION } from '../transactions/submission.ts'
import { airtimeKind } from './kind.ts'
import { newTraceId } from '../http/trace.ts'
import { localCurrencyOf } from '../contract/phone-number.ts'
import { exactnessRuleOf, isExactIn } from '../money/money.ts'
import { safeParse } from '../contract/parse.ts'

const REUSED = refuse('reference_reused', 'Another list was sent under this reference.')

const MOST_SENT_AT_ONCE = 4
const UNREPORTED = { reported: null, alarm: null, told: [] }

/**
 * Creates airtime requests from the body of `POST /api/airtime`, or finds the existing requests with the reference in
 * the body. Resolves with a refusal if the body is invalid, or if the reference was used for another list of
 * recipients.
 *
 * @param signal A signal that aborts when the client disconnects. Requests to the gateway that are already in flight
 * still finish, and the worker sends the other requests later.
 */
export async function submitAirtime(
  deps: SubmitDeps,
  body: unknown,
  signal: AbortSignal,
  traceId: string | null,
): Promise<Created<Airtime> | Refusal> {
  const { store, account, synchronizer } = deps
  const order = readOrder(body)
  if ('errors' in order) return invalid(order.errors)
  const rows = rowsOf(order, traceId, deps)
  const terms = rows.map(({ record }) => record.recipients.flatMap(requestedOf))
  const submitted = await deps.synchronizer.submitOnce(rows, airtimeKind, terms, REUSED)
  if (submitted.kind === 'refused') return submitted
  await sendAll(submitted.rows, synchronizer, signal)
  const [first, ...others] = (await store.list(account, 'airtime', order.reference)).map(readAirtime)
  if (!first) throw new Error(`Airtime ${order.reference} is gone from the store.`)
  return { kind: submitted.kind, rows: [first, ...others] }
}

/**
 * Sends the requests to the gateway, at most four at the same time. After the first lost response, no further request
 * is sent, because further responses would probably be lost too. The worker sends the remaining requests later.
 */
async function sendAll(
  requests: readonly Airtime[],
  synchronizer: SubmitDeps['synchronizer'],
  signal: AbortSignal,
): Promise<void> {
  let isGoingOn = true
  await mapLimit(requests, MOST_SENT_AT_ONCE, async ({ id }) => {
    if (!isGoingOn || signal.aborted) return
    const { kind } = await synchronizer.submit(id)
    if (kind === 'unclear') isGoingOn = false
  })
}

function rowsOf({ reference: group, recipients }: Order, traceId: string | null, deps: SubmitDeps) {
  const { fingerprints } = deps
  const trace_id = traceId ?? newTraceId(deps.randomness)
  return chunk(group, recipients).map((request, index) => {
    const record: AirtimeRecord = {
      phase: 'intended',
      recipients: request.recipients.map((recipient) => ({
        ...recipient,
        fingerprint: fingerprints.of('phone', recipient.phone_number),
        ...UNREPORTED,
      })),
      request_fingerprint: fingerprints.of('terms', JSON.stringify(request.recipients)),
      ...NEW_SUBMISSION,
    }
    const { reference } = request
    const row = { kind: 'airtime', reference, group, attempt: index + 1, record, trace_id } as const
    return { ...newTransaction(deps, row), record }
  })
}

interface Order {
  reference: string
  recipients: AirtimeRecipient[]
}

/**
 * Splits a list of recipients into requests with at most 1,000 recipients each.
 *
 * [assumed] If one request is enough, its reference is the merchant's reference. Otherwise, a number is appended to the
 * merchant's reference for each request, as in `REF-1`.
 */
function chunk(reference: string, recipients: readonly AirtimeRecipient[]): Order[] {
  const count = Math.ceil(recipients.length / MOST_RECIPIENTS)
  return Array.from({ length: count }, (_, index) => ({
    reference: count === 1 ? reference : `${reference}-${index + 1}`,
    recipients: recipients.slice(index * MOST_RECIPIENTS, (index + 1) * MOST_RECIPIENTS),
  }))
}

const Body = z.object(
  { reference: referenceRule, recipients: recipientsOf(z.unknown(), MOST_RECIPIENTS_AT_ONCE) },
  'must be an object',
)

function readOrder(body: unknown): Order | { errors: FieldError[] } {
  const { data, error } = safeParse(Body, body)
  if (!data)
    return { errors: error.issues.map(({ path, message }) => ({ path: path.join('.') || 'body', message })) }
  const { reference } = data
  const read = readRecipients(data.recipients)
  if ('errors' in read) return read
  const { recipients } = read
  // A reference has at most 64 characters, including the appended number.
  const names = chunk(reference, recipients).map((request) => referenceRule.safeParse(request.reference))
  if (names.every(({ success }) => success)) return { reference, recipients }
  const longest = 64 - `-${names.length}`.length
  const rule = `must be at most ${longest} characters for ${names.length} requests to the gateway`
  return { errors: [{ path: 'reference', message: rule }] }
}

/**
 * The maximum number of fraction digits of an amount in an unknown currency. [assumed] Every local currency has at most
 * two fraction digits.
 */
const FRACTION_DIGITS = 2

/**
 * Parses a list of recipients. Returns the recipients in the format of the gateway's API. If any recipient is invalid,
 * returns a list of errors instead. Parsing stops as soon as there are more than {@link MOST_ERRORS} errors.
 */
export function readRecipients(
  given: readonly unknown[],
): { recipients: AirtimeRecipient[] } | { errors: FieldError[] } {
  const recipients: AirtimeRecipient[] = []
  const errors: FieldError[] = []
  const first = new Map<string, number>()
  for (const [index, one] of given.entries()) {
    if (errors.length > MOST_ERRORS) break
    const { data, error } = safeParse(AirtimeRecipient, one)
    if (!data) {
      for (const { path, message } of error.issues)
        errors.push({ path: [`recipients[${index}]`, ...path].join('.'), message })
      continue
    }
    recipients.push(data)
    const rule = brokenRuleOf(data)
    if (rule !== null) errors.push({ path: `recipients[${index}].amount`, message: rule })
    const sameAs = first.get(data.phone_number)
    // The gateway identifies a recipient by the request's reference and the phone number, so each number must be
    // unique.
    if (sameAs === undefined) first.set(data.phone_number, index)
    else
      errors.push({
        path: `recipients[${index}].phone_number`,
        message: `is the same as recipients[${sameAs}]`,
      })
  }
  return errors.length > 0 ? { errors } : { recipients }
}

/** An amount is in the local currency of its phone number, and as exact as this currency. [spec: Airtime request] */
function brokenRuleOf({ phone_number, amount }: AirtimeRecipient): string | null {
  const currency = localCurrencyOf(phone_number)
  if (currency !== null) return isExactIn(currency, amount) ? null : exactnessRuleOf(currency)
  const [, fraction = ''] = amount.split('.')
  return fraction.length <= FRACTION_DIGITS ? null : `must have at most ${FRACTION_DIGITS} fraction digits`
}
