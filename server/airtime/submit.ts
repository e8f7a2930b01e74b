/**
 * Creates airtime requests from the merchant's list, and sends each of them at most once.
 *
 * The merchant's reference is the idempotency key. If the merchant sends the same list again with the same reference,
 * the existing requests are returned. A different list with the same reference is refused.
 *
 * A transaction is one request to the gateway. A list of more than 1,000 recipients is split into several requests,
 * each with its own reference. All requests are stored in one database transaction before the first request is sent.
 * After a crash, the merchant can therefore send the list again: no request is created twice.
 */

import { z } from 'zod'

import { MAX_RECIPIENTS_AT_ONCE } from '../api/airtime.ts'
import { MAX_ERRORS, invalid, isRefusal, refuse } from '../api/refusal.ts'
import { AirtimeRecipient, MAX_RECIPIENTS, recipientsOf } from '../contract/airtime.ts'
import { exactnessRuleOf, isExactIn } from '../contract/currency.ts'
import { isExact, MAX_FRACTION_DIGITS } from '../contract/decimal.ts'
import { reference as referenceRule } from '../contract/fields.ts'
import { LONGEST } from '../contract/lengths.ts'
import { safeParse } from '../contract/parse.ts'
import { localCurrencyOf } from '../contract/phone-number.ts'
import { newTraceId } from '../http/exchange.ts'
import { newTransaction } from '../transactions/new-transaction.ts'
import { NEW_SUBMISSION } from '../transactions/submission.ts'
import { textOfTerms } from '../transactions/terms.ts'
import { mapLimit } from '../work/map-limit.ts'
import { airtimeKind } from './kind.ts'
import { readAirtime } from './record.ts'

import type { AirtimeOrder } from '../api/airtime.ts'
import type { FieldError, Refusal } from '../api/refusal.ts'
import type { AirtimeRequest } from '../contract/airtime.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { Created, SubmitDeps } from '../transactions/sender.ts'
import type { Airtime, AirtimeRecord } from './record.ts'

const REUSED = refuse('reference_reused', 'Another list was sent under this reference.')

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
  const { store, account, sender } = deps
  const order = readOrder(body)
  if (isRefusal(order)) {
    return order
  }

  const requests = chunk(order)
  const trace_id = traceId ?? newTraceId(deps.randomness)
  const shared = { kind: 'airtime', group: order.reference, trace_id } as const
  const rows = requests.map(({ reference, recipients }, index) => {
    const record = newRecord(recipients, deps.fingerprints)
    return newTransaction(deps, { ...shared, reference, attempt: index + 1, record })
  })
  const terms = requests.map(({ recipients }) => recipients)
  const submitted = await sender.submitOnce({ rows, kind: airtimeKind, terms, reused: REUSED })
  if (submitted.kind === 'refused') {
    return submitted
  }

  await sendAll(submitted.rows, sender, signal)
  const [first, ...others] = (await store.list(account, 'airtime', order.reference)).map(readAirtime)
  if (!first) {
    throw new Error(`Airtime ${order.reference} is gone from the store.`)
  }
  return { kind: submitted.kind, rows: [first, ...others] }
}

/** The maximum number of requests of one list that are sent at the same time. [assumed] */
const MAX_SENT_AT_ONCE = 4

/**
 * Sends the requests to the gateway. After the first lost response, no further request is sent, because further
 * responses would probably be lost too. The worker sends the remaining requests later.
 */
async function sendAll(
  requests: readonly Airtime[],
  sender: SubmitDeps['sender'],
  signal: AbortSignal,
): Promise<void> {
  let isLost = false
  await mapLimit(requests, MAX_SENT_AT_ONCE, async ({ id }) => {
    if (isLost || signal.aborted) {
      return
    }

    const { kind } = await sender.submit(id)
    if (kind === 'unclear') {
      isLost = true
    }
  })
}

function newRecord(recipients: readonly AirtimeRecipient[], fingerprints: Fingerprints): AirtimeRecord {
  return {
    phase: 'intended',
    recipients: recipients.map(({ phone_number, amount }) => ({
      phone_number,
      fingerprint: fingerprints.of('phone', phone_number),
      amount,
      reported: null,
      missing_since: null,
      alarm: null,
      resolution: null,
      told: [],
    })),
    request_fingerprint: fingerprints.of('terms', textOfTerms(recipients)),
    ...NEW_SUBMISSION,
  }
}

/**
 * Splits a merchant's list into requests to the gateway with at most 1,000 recipients each.
 *
 * [assumed] If one request is enough, its reference is the merchant's reference. Otherwise, a number is appended to the
 * merchant's reference for each request, as in `REF-1`.
 */
function chunk({ reference, recipients }: AirtimeOrder): AirtimeRequest[] {
  const count = Math.ceil(recipients.length / MAX_RECIPIENTS)
  return Array.from({ length: count }, (_, index) => ({
    reference: count === 1 ? reference : `${reference}-${index + 1}`,
    recipients: recipients.slice(index * MAX_RECIPIENTS, (index + 1) * MAX_RECIPIENTS),
  }))
}

const Body = z.object(
  { reference: referenceRule, recipients: recipientsOf(z.unknown(), MAX_RECIPIENTS_AT_ONCE) },
  'must be an object',
)

function readOrder(body: unknown): AirtimeOrder | Refusal {
  const { data, error } = safeParse(Body, body)
  if (!data) {
    return invalid(error.issues.map(({ path, message }) => ({ path: path.join('.') || 'body', message })))
  }

  const { recipients, errors } = readRecipients(data.recipients)
  if (errors.length > 0) {
    return invalid(errors)
  }

  const order = { reference: data.reference, recipients }
  const requests = chunk(order)
  if (requests.every(({ reference }) => referenceRule.safeParse(reference).success)) {
    return order
  }

  const most = LONGEST.reference - `-${requests.length}`.length
  const rule = `must be at most ${most} characters for ${requests.length} requests to the gateway`
  return invalid([{ path: 'reference', message: rule }])
}

/**
 * Parses a list of recipients. Returns the recipients in the format of the gateway's API, and the errors. Parsing stops
 * as soon as there are more than {@link MAX_ERRORS} errors.
 */
export function readRecipients(list: readonly unknown[]) {
  const recipients: AirtimeRecipient[] = []
  const errors: FieldError[] = []
  const indexByNumber = new Map<string, number>()
  for (const [index, item] of list.entries()) {
    if (errors.length > MAX_ERRORS) {
      break
    }

    const addError = (path: PropertyKey[], message: string) =>
      errors.push({ path: [`recipients[${index}]`, ...path].join('.'), message })
    const { data, error } = safeParse(AirtimeRecipient, item)
    if (!data) {
      for (const { path, message } of error.issues) {
        addError(path, message)
      }

      continue
    }

    recipients.push(data)
    const rule = findBrokenRule(data)
    if (rule !== null) {
      addError(['amount'], rule)
    }

    // The gateway identifies a recipient by the request's reference and the phone number, so each number is unique.
    const sameAs = indexByNumber.get(data.phone_number)
    if (sameAs === undefined) {
      indexByNumber.set(data.phone_number, index)
    } else {
      addError(['phone_number'], `is the same as recipients[${sameAs}]`)
    }
  }

  return { recipients, errors }
}

/**
 * Returns the rule that the amount breaks; `null` if it breaks none. The amount is in the local currency of the phone
 * number, and as exact as this currency. [spec: Airtime request]
 */
function findBrokenRule({ phone_number, amount }: AirtimeRecipient): string | null {
  const currency = localCurrencyOf(phone_number)
  if (currency !== null) {
    return isExactIn(currency, amount) ? null : exactnessRuleOf(currency)
  }
  if (isExact(amount, MAX_FRACTION_DIGITS)) {
    return null
  }
  return `must have at most ${MAX_FRACTION_DIGITS} fraction digits`
}
