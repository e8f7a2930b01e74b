/**
 * The transaction kind `charge`: how charges are created, sent to the gateway (at most once, because the gateway does
 * not deduplicate them) and queried, and what the API returns of them.
 *
 * The merchant's external_reference is the idempotency key. A repeated request returns the existing charge. A different
 * request with the same reference is refused. The splits (shares for partner accounts) are validated before the request
 * is stored or sent.
 */

import { z } from 'zod'

import { CHARGES_OFF, distinct, fieldErrorsOf, invalid, RECOVERY_UNCOMPARED, refuse } from '../api/refusal.ts'
import { currencyOf, partnerSharesIn, valueFor } from '../config/gateway.ts'
import { ChargeRequest, splitSettlementsIn } from '../contract/charge.ts'
import { canonical, compare } from '../contract/decimal.ts'
import { failureReasonOf } from '../contract/failure-reason.ts'
import { referenceKey } from '../contract/fields.ts'
import { safeParse } from '../contract/parse.ts'
import { dated } from '../gateway/gateway-clock.ts'
import { isTotalOf, totalOf } from '../money/charge-total.ts'
import { findInexact } from '../money/currency.ts'
import { completeSplits, findSplitErrors } from '../money/splits.ts'
import { moneyOf } from '../payins/outcome.ts'
import { erasePayer, observeRefusal } from '../payins/payer.ts'
import {
  isHeld,
  isUnserved,
  payInProgress,
  sendDecision,
  trackedFulfilmentOf,
} from '../payins/service-confirmation.ts'
import { queryCharge } from '../payins/status-query.ts'
import { CANNOT_OPEN } from '../privacy/personal.ts'
import { UNDECIDED } from '../transactions/kind.ts'
import { commonFieldsOf, iso, newTransaction } from '../transactions/record.ts'
import { mayHaveLostById, NEW_SUBMISSION, submissionProgress } from '../transactions/submission.ts'
import { announce, isNewResolution, tell } from '../transactions/transition.ts'
import { determineOutcome, expiryOf, readCharge, transition, withoutPayer } from './record.ts'

import type { TrackedCharge } from '../api/charge.ts'
import type { FieldError, Refusal } from '../api/refusal.ts'
import type { Config } from '../config/config.ts'
import type { ChargeTerms, ServiceCodes } from '../config/gateway.ts'
import type { ChargeStatus, SplitSettlement } from '../contract/charge.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Created, SubmitDeps } from '../transactions/synchronizer.ts'
import type { TrackedEvent } from '../transactions/transition.ts'
import type { Charge, ChargeRecord, KeptRequest, Observation } from './record.ts'

/** The type of an event about a charge, without the prefix `charge.`. */
type ChargeEvent = TrackedEvent | 'overpaid'

export const chargeKind: Kind<Charge, Observation, ChargeEvent> = {
  read: readCharge,
  transition,
  announce(before, after) {
    const old = determineOutcome(before)
    const standing = determineOutcome(after)
    const isResolved = isNewResolution(before.record, after.record)
    const { record, events } = announce(after.record, old, standing, isResolved)
    if (isResolved || !isExcessNews(before, after)) {
      return { record, events }
    }

    return { record: tell(record, ['overpaid']), events: [...events, 'overpaid'] }
  },
  outcomeOf: (charge) => determineOutcome(charge).outcome,
  progressOf({ record, ...row }) {
    if (record.resolution && record.phase !== 'open') {
      return { stage: 'settled', at: record.resolution.at }
    }

    switch (record.phase) {
      case 'intended':
        return submissionProgress(record, row)
      case 'refused':
      case 'abandoned':
        // The gateway may have the charge all the same: its status is queried as that of a settled one.
        return row.sent_at === null ? { stage: 'ended' } : { stage: 'settled', at: row.sent_at }
      case 'open':
        return payInProgress(record, row, expiryOf(record))
    }
  },
  requestOf: ({ request, given_digest }) => ({
    amount: `${request.amount} ${request.currency_code}`,
    fingerprint: given_digest,
  }),
  describeEvent: (event, charge) => ({
    type: `charge.${event}`,
    // Events are kept for long. The page of a card payment may contain details of the card or its owner.
    data: { ...chargeOf(charge), auth_url: null, html: null },
  }),
  familyOf: () => 'charge',
  sendRule: () => 'once',

  async send({ record, trace_id: traceId, sent_at: sentAt }, { client }) {
    if (record.phase !== 'intended') {
      return { kind: 'unknown', at: null }
    }

    const { request } = record.call
    if (!request) {
      return { kind: 'refused', why: CANNOT_OPEN, refusal: null }
    }

    try {
      const posted = await dated((options) => client.postCharge(request, { ...options, traceId, sentAt }))
      return { kind: 'acknowledged', ...posted }
    } catch (error) {
      return observeRefusal(error, request)
    }
  },

  async queryStatus(charge, { client, config }) {
    const { record, reference, trace_id } = charge
    const open = record.phase === 'open' ? record : null
    const status = await queryCharge(client, {
      reference,
      trace_id,
      charge_request_id: open?.answer?.charge_request_id ?? open?.found_id ?? null,
      named_id: record.named_id,
      isTotal: (amount) => isTotalOf(record.request, amount),
    })
    if (status.kind !== 'status') {
      return status
    }

    const { serviceCodes } = config.gateway
    return { ...status, payload: withCurrency(status.payload, charge.record.request, serviceCodes) }
  },

  isAwaited({ record }) {
    if (record.phase !== 'open' || record.resolution) {
      return false
    }
    return isUnserved(record.confirmation) && isHeld(record.reported)
  },

  erase: erasePayer,
  isErasedWhenOld: false,

  confirmationOf: ({ record }) => (record.phase === 'open' ? record.confirmation : UNDECIDED),
  sendDecision,
}

/**
 * Returns whether more was paid for a charge than was asked, or no longer is, and the merchant does not know: who was
 * told of an excess may return it.
 */
function isExcessNews(before: Charge, after: Charge): boolean {
  const old = determineOutcome(before)
  const standing = determineOutcome(after)
  if (standing.outcome !== 'succeeded') {
    return false
  }

  const isOrWas = standing.discrepancy === 'excess' || old.discrepancy === 'excess'
  return isOrWas && (old.outcome !== 'succeeded' || compare(receivedFor(before), receivedFor(after)) !== 0)
}

function receivedFor({ record }: Charge): string {
  return moneyOf(record.phase === 'open' ? record.reported : null).received
}

/**
 * Adds the currency of the charge's service to a report that names no currency. [assumed] The gateway reports amounts
 * in this currency. The currency stays `null` if the currency of the service is unknown.
 */
function withCurrency(payload: ChargeStatus, request: KeptRequest, serviceCodes: ServiceCodes): ChargeStatus {
  const named = payload.payments.find((payment) => payment?.service_code)
  const code = named?.service_code ?? request.service_code
  return { ...payload, currency: payload.currency ?? currencyOf(serviceCodes, code) ?? null }
}

const UNANSWERED = { answer: null, reported: null, found_id: null }

/** Returns a charge as `/api/charges` and the events `charge.*` contain it. */
export function chargeOf(charge: Charge): TrackedCharge {
  const { record, reference, version } = charge
  const { request } = record
  const splits = splitSettlementsIn(request.extra_data)
  const { answer, reported, found_id } = record.phase === 'open' ? record : UNANSWERED
  const standing = determineOutcome(charge)
  // Nothing can be paid any more on the pages of a settled charge.
  const pages = standing.settled ? null : answer
  const refusal = record.phase === 'refused' ? record.refusal : null
  const reason = refusal ? failureReasonOf(refusal) : (reported?.payments.at(-1)?.reason ?? 'unknown')
  return {
    external_reference: reference,
    charge_request_id: answer?.charge_request_id ?? found_id,
    ...standing,
    status: reported?.status ?? null,
    reason: standing.outcome === 'failed' ? reason : null,
    amount: canonical(answer?.total_amount ?? totalOf(request)),
    amount_paid: canonical(moneyOf(reported).received),
    currency: request.currency_code,
    split_settlements: splits.map((split) => ({ ...split, amount: String(split.amount) })),
    fulfilment: trackedFulfilmentOf((record.phase === 'open' ? record.confirmation : null) ?? UNDECIDED),
    refusal,
    redirect_url: pages?.redirect_url ?? null,
    auth_url: pages?.auth_url ?? null,
    html: pages?.html ?? null,
    expires_at: answer?.expires_at ? iso(Date.parse(answer.expires_at)) : null,
    ...commonFieldsOf(charge),
    version,
  }
}

interface SubmitChargeDeps extends SubmitDeps {
  config: Pick<Config, 'gateway' | 'charges'>
  client: Pick<GatewayClient, 'chargeStatusKey'>
}

const REUSED = refuse('reference_reused', 'Another charge was sent under this external_reference.')

export async function submitCharge(
  deps: SubmitChargeDeps,
  body: unknown,
  trace_id: string | null,
): Promise<Created<Charge> | Refusal> {
  const { config, synchronizer, fingerprints } = deps
  if (!config.charges) {
    return CHARGES_OFF
  }

  const read = readRequest(body, config.gateway, config.charges)
  if ('kind' in read) {
    return read
  }

  const { request, sentFields } = read
  if (await isUncompared(deps, request.external_reference)) {
    return RECOVERY_UNCOMPARED
  }

  const record: ChargeRecord = {
    phase: 'intended',
    request: withoutPayer(request),
    given_digest: fingerprints.of('terms', JSON.stringify(sentFields)),
    people: fingerprints.ofPayer(request),
    call: { request },
    told: [],
    resolution: null,
    named_id: null,
    ...NEW_SUBMISSION,
  }
  const reference = request.external_reference
  const row = newTransaction(deps, { kind: 'charge', reference, record, trace_id })
  const submitted = await deps.synchronizer.submitOnce([row], chargeKind, [sentFields], REUSED)
  if (submitted.kind !== 'existing') {
    return submitted
  }

  const { transaction } = await synchronizer.submit(submitted.rows[0].id)
  return { kind: 'existing', rows: [readCharge(transaction)] }
}

/**
 * Returns whether the store may have lost a charge with this reference, at a gateway that cannot be asked about it: it
 * finds charges only by an id that is lost, too.
 */
async function isUncompared(
  { store, account, client, clock }: SubmitChargeDeps,
  reference: string,
): Promise<boolean> {
  if (client.chargeStatusKey === 'external_reference') {
    return false
  }
  if (!mayHaveLostById(clock.now(), await store.marks())) {
    return false
  }
  return (await store.findByReference(account, 'charge', reference)) === null
}

/** A valid request: with the defaults, and as the merchant sent it. */
type ReadRequest = { request: ChargeRequest; sentFields: readonly [name: string, value: unknown][] }

const Body = z.record(z.string(), z.unknown())

/**
 * Validates the merchant's request and adds defaults from the configuration. Returns all errors if the request is
 * invalid.
 */
function readRequest(
  body: unknown,
  { serviceCodes, accountNumbers }: Config['gateway'],
  terms: ChargeTerms,
): ReadRequest | Refusal {
  const { data: sent } = Body.safeParse(body)
  if (!sent) {
    return invalid([{ path: 'body', message: 'must be an object' }])
  }

  const { service_code, currency_code = currencyOf(serviceCodes, service_code) } = sent
  const defaults = {
    account_number: valueFor(accountNumbers, currency_code),
    service_code: valueFor(serviceCodes, currency_code),
    currency_code,
    ...(terms.clientCode !== null && { client_code: terms.clientCode }),
  }
  const { data, error } = safeParse(ChargeRequest, { ...defaults, ...sent })
  if (!data) {
    return invalid(fieldErrorsOf(error.issues, z.core.toDotPath))
  }

  const { extra_data, currency_code: currency } = data
  const partners = partnerSharesIn(terms, currency)
  if (typeof extra_data === 'string' && partners.length > 0) {
    return invalid([EXTRA_DATA_IS_TEXT])
  }

  const request = withSplits(data, completeSplits(splitSettlementsIn(extra_data), partners))
  const errors = findErrors(request)
  if (errors.length > 0) {
    return invalid(distinct(errors))
  }

  // With their parsed values, and the key of the reference: `100` and `"100"` are the same amount.
  const fields = { ...data, external_reference: referenceKey(data.external_reference) }
  return { request, sentFields: Object.entries(fields).filter(([name]) => Object.hasOwn(sent, name)) }
}

const EXTRA_DATA_IS_TEXT: FieldError = {
  path: 'extra_data',
  message: 'must be an object, because PARTNER_ACCOUNTS_DYNAMIC adds shares to it',
}

function findErrors(request: ChargeRequest): FieldError[] {
  const { amount, transaction_charge = 0, currency_code: currency } = request
  const inexact = findInexact([
    { path: 'amount', amount, currency },
    { path: 'transaction_charge', amount: transaction_charge, currency },
  ])
  const splits = findSplitErrors(splitSettlementsIn(request.extra_data), String(amount), currency)
  const splitErrors = splits.map(({ path, message }) => ({
    path: `extra_data.split_settlements${path}`,
    message,
  }))
  return [...inexact, ...splitErrors]
}

function withSplits(request: ChargeRequest, splits: SplitSettlement[]): ChargeRequest {
  const { extra_data = {} } = request
  if (splits.length === 0 || typeof extra_data === 'string') {
    return request
  }
  return { ...request, extra_data: { ...extra_data, split_settlements: splits } }
}
