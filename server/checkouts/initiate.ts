/**
 * Starts a checkout for an order, or finds the order's existing checkout.
 *
 * The request is stored before it is sent to the gateway. After a crash, a status query therefore shows whether the
 * gateway received the request. Concurrent requests for the same order (a double click, a second tab, a retry) get the
 * same checkout.
 */

import {
  CHARGES_OFF,
  GATEWAY_UNAVAILABLE,
  invalid,
  RECOVERY_UNCOMPARED,
  refuse,
  refuseWithReason,
} from '../api/refusal.ts'
import { partnerSharesIn, valueFor } from '../config/gateway.ts'
import { isWhole } from '../contract/decimal.ts'
import { readEmail } from '../contract/fields.ts'
import { hasCallingCode, readCountry, readPhoneNumber } from '../contract/phone-number.ts'
import { CHECKOUT_CODE } from '../contract/status.ts'
import { refuseFailed } from '../gateway/errors.ts'
import { refuseBeyond } from '../limits/limiter.ts'
import { PROMPT_LIMITS, PromptLimitError } from '../limits/prompts.ts'
import { completeSplits } from '../money/splits.ts'
import { LONGEST_IN_FLIGHT_MS } from '../payins/outcome.ts'
import { loggedReason } from '../payins/payer.ts'
import { describePruned, newTransaction } from '../transactions/record.ts'
import { SECOND } from '../transactions/schedule.ts'
import { mayHaveLost, mayHaveLostById, NEW_SUBMISSION } from '../transactions/submission.ts'
import { answeredAt } from '../transactions/transition.ts'
import {
  deriveReferences,
  MONEY_RETURNED,
  MOST_UNKNOWN_IN_A_ROW,
  planAttempt,
  refuseAfterRefusals,
  refuseChanged,
} from './attempt.ts'
import { checkoutKind, queryStatus, readCall } from './kind.ts'
import { choosePrompt, methodsFor, promptMethods } from './prompt.ts'
import { addStart, isCharge, readCheckout } from './record.ts'
import { NO_ANSWER, openRecord } from './transition.ts'

import type { Refusal, FieldError } from '../api/refusal.ts'
import type { Config } from '../config/config.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Order } from '../orders/order.ts'
import type { Marks, Tombstone } from '../store/store.ts'
import type { Submitted, SubmitDeps, SyncReason } from '../transactions/synchronizer.ts'
import type { PromptRequest } from './prompt.ts'
import type { Call, Checkout, RequestedTerms, Visit } from './record.ts'

export interface Payer {
  name?: string | undefined
  email?: string | undefined
  /** The phone number, with its country code if the country is known. */
  msisdn?: string | undefined
}

/** The kind `page` is a checkout that was created for the hosted page, because a prompt would have exceeded a limit. */
type Initiated = { kind: 'created' | 'page' | 'existing'; checkout: Checkout } | Refusal

interface InitiateDeps extends SubmitDeps {
  config: Pick<Config, 'publicUrl' | 'gateway' | 'charges' | 'expiresInMinutes'>
  client: GatewayClient
  metrics: Metrics | undefined
  log: Log
  callbacks: { urlOf: (chapter: 'checkout', reference: string) => string }
}

/** The details of a request to start a checkout. */
export interface Start {
  payer: Payer
  visit: Visit
  /** The request to ask the payer on the phone; `null` if the shopper pays on the hosted page. */
  prompt: PromptRequest | null
}

/**
 * The maximum number of rounds in one call of `initiate`. Each round reads the order's checkouts and decides whether to
 * create or resume a checkout. Another round is needed after open checkouts were queried, lost checkouts were found, or
 * a concurrent request created or removed a checkout of the order. More rounds than this maximum indicate an endless
 * loop.
 */
const MAX_ROUNDS = 8

/** Starts the checkout of an order, or resumes it. Beyond a limit on prompts, the shopper gets the hosted page. */
export async function initiate(deps: InitiateDeps, order: Order, start: Start): Promise<Initiated> {
  try {
    return await startOrResume(deps, order, start)
  } catch (error) {
    if (!(error instanceof PromptLimitError)) {
      throw error
    }
  }

  deps.metrics?.limited('prompts')
  const page = await startOrResume(deps, order, { ...start, prompt: null })
  // The page needs more details of the payer than a prompt.
  if (page.kind === 'refused' && page.code === 'invalid_request') {
    return refusePrompt()
  }
  return page.kind === 'created' ? { ...page, kind: 'page' } : page
}

function refusePrompt(): Refusal {
  // The store does not say which limit was met. The first ends earliest, and the message promises no time.
  const [limit] = PROMPT_LIMITS
  const detail = 'This phone was asked too often. The payment page remains.'
  return { ...refuseBeyond({ ...limit, name: 'prompts' }, limit.windowMs, detail), detail }
}

async function startOrResume(deps: InitiateDeps, order: Order, start: Start): Promise<Initiated> {
  const { store, account, clock, log } = deps
  const terms = readRequestedTerms(order, deps)
  if ('kind' in terms) {
    return terms
  }

  const startedAt = clock.now()
  // An order keeps the spelling that its look-up returned first.
  let spelling = terms.order
  const queried = new Set<string>()
  // Read only once an attempt could not be created: a pruned checkout may have its number.
  let pruned: readonly Tombstone[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const attempts = (await store.list(account, 'checkout', spelling)).map(readCheckout)
    const { group: first = spelling } = pruned[0] ?? attempts[0] ?? {}
    if (first !== spelling) {
      log.warn({ order: first }, describeSpellings(first, spelling))
      spelling = first
    }

    const requested = { ...terms, order: spelling }
    const plan = planAttempt(attempts, requested, pruned)
    const isCreated = plan.kind === 'create'
    // An open checkout may have been paid since its last status query. Query each open checkout once before deciding:
    // as for a page, or at once if a new checkout depends on the answer. A person who resolved one may be wrong.
    const stale = attempts.filter(
      (attempt) =>
        (attempt.record.phase === 'open' || attempt.record.resolution !== null) &&
        !(isCreated && isFresh(attempt, startedAt, clock.now())),
    )
    if (await queryOnce(deps, stale, queried, isCreated ? 'requested' : 'poll')) {
      continue
    }
    if (plan.kind === 'deleted') {
      return refuse('order_not_payable', describePruned(pruned))
    }
    if (plan.kind === 'returned') {
      return MONEY_RETURNED
    }
    if (plan.kind === 'changed') {
      return refuseChanged(plan.checkout, requested)
    }

    const initiated =
      plan.kind === 'resume'
        ? await resumeUnlessWithdrawn(deps, plan.checkout, order, start)
        : await createBeside(deps, order, requested, start, plan.attempt, { attempts, stale })
    if (initiated) {
      return initiated
    }

    pruned = await store.listTombstones(account, 'checkout', spelling)
  }

  throw new Error(`The checkouts of an order changed ${MAX_ROUNDS} times while one was being started.`)
}

async function resumeUnlessWithdrawn(deps: InitiateDeps, stored: Checkout, order: Order, start: Start) {
  const isWithdrawn = await withdrawUnsent(deps, stored, order, start)
  return isWithdrawn ? null : await resume(deps, stored, start.visit)
}

/** Creates the next attempt of an order, unless an earlier one may hold money or too many were refused. */
async function createBeside(
  deps: InitiateDeps,
  order: Order,
  requested: RequestedTerms,
  start: Start,
  attempt: number,
  { attempts, stale }: { attempts: readonly Checkout[]; stale: readonly Checkout[] },
): Promise<Initiated | null> {
  // If a status query failed or is still running, an earlier checkout may hold money that its stored state does not
  // show.
  if (!stale.every((earlier) => hasEndedLongAgo(earlier, deps.clock.now()))) {
    return GATEWAY_UNAVAILABLE
  }
  return refuseAfterRefusals(attempts) ?? (await create(deps, order, requested, start, attempt))
}

/**
 * Returns whether an attempt ended so long ago that no payment of its session is unreported: the gateway is asked about
 * it, and need not answer. [assumed] As for a payment in flight, this is a day.
 */
function hasEndedLongAgo(attempt: Checkout, now: number): boolean {
  const progress = checkoutKind.progressOf(attempt)
  return progress.stage === 'settled' && now - progress.at >= LONGEST_IN_FLIGHT_MS
}

function describeSpellings(first: string, second: string): string {
  return `The look-up of orders returned the reference ${JSON.stringify(second)}, and earlier ${JSON.stringify(first)}. Case does not make another order, so this one stays ${JSON.stringify(first)}: return the stored reference, not the one that was asked for.`
}

/** Queries the checkouts that are not in `queried`, and adds them. Resolves with `false` if all were in it. */
async function queryOnce(
  { synchronizer }: InitiateDeps,
  checkouts: readonly Checkout[],
  queried: Set<string>,
  reason: SyncReason,
): Promise<boolean> {
  const unqueried = checkouts.filter(({ id }) => !queried.has(id))
  for (const { id } of unqueried) {
    queried.add(id)
  }

  await Promise.all(unqueried.map(({ id }) => synchronizer.synchronizeWithin(id, reason)))
  return unqueried.length > 0
}

/**
 * Resolves with the checkout that a start of the order would resume or show, after the gateway was asked about it as
 * for a page; `null` if a start would send something. Sends nothing.
 *
 * @param order The order, or the reference of an order that can no longer be looked up: then any terms count.
 */
export async function findCurrent(
  deps: InitiateDeps,
  order: Order | string,
): Promise<{ kind: 'existing'; checkout: Checkout | null } | Refusal> {
  const { store, account, synchronizer } = deps
  const group = typeof order === 'string' ? order : order.order
  const requested = typeof order === 'string' ? null : readRequestedTerms(order, deps)
  if (requested && 'kind' in requested) {
    return requested
  }

  const readAttempts = async () => (await store.list(account, 'checkout', group)).map(readCheckout)
  const open = (await readAttempts()).filter(({ record }) => record.phase === 'open')
  await Promise.all(open.map(({ id }) => synchronizer.synchronizeWithin(id, 'poll')))
  const pruned = await store.listTombstones(account, 'checkout', group)
  const plan = planAttempt(await readAttempts(), requested, pruned)
  if (plan.kind === 'create') {
    return { kind: 'existing', checkout: null }
  }
  if (plan.kind === 'deleted') {
    return refuse('order_not_payable', describePruned(pruned))
  }
  if (plan.kind === 'changed' && requested) {
    return refuseChanged(plan.checkout, requested)
  }

  const { record } = plan.checkout
  const isUnsent = record.phase === 'intended' && record.stuck === null
  return { kind: 'existing', checkout: isUnsent ? null : plan.checkout }
}

/**
 * Resolves with the checkout of an order that is not the newest of its reference. Such an order finds its checkout as it
 * is: what else it says, such as the payer and the return address, is not what the merchant said last.
 */
export async function findOlder(deps: InitiateDeps, order: Order): Promise<Initiated> {
  const current = await findCurrent(deps, order)
  if (current.kind === 'refused') {
    return current
  }
  return current.checkout ? { kind: 'existing', checkout: current.checkout } : NOT_NEWEST
}

const NOT_NEWEST = refuse(
  'order_expired',
  'The signed order is not the newest of its reference, and no checkout of it can be resumed.',
)

/**
 * Stores a new checkout and sends the checkout's request to the gateway. Resolves with `null` if a concurrent request
 * has already created a checkout with this attempt number, or if the gateway knows checkouts that the store had lost:
 * these are stored instead.
 */
async function create(
  deps: InitiateDeps,
  order: Order,
  requested: RequestedTerms,
  start: Start,
  attempt: number,
) {
  const { store, account, synchronizer, clock, fingerprints } = deps
  const marks = await store.marks()
  const origin = { account, store: marks.store, order: requested.order }
  if (isUncompared(deps, requested, marks)) {
    return RECOVERY_UNCOMPARED
  }

  const lost = mayHaveLost(clock.now(), marks.recovered)
    ? await findLost(deps, requested, start.visit, origin, attempt).catch(refuseFailed)
    : []
  if ('kind' in lost) {
    return lost
  }

  for (const row of lost) {
    await store.insert(row)
  }

  if (lost.length > 0) {
    return null
  }

  const [reference] = deriveReferences(fingerprints, origin, attempt)
  const row = newCheckout(deps, order, requested, start, { id: deps.randomness.token(), attempt, reference })
  if (row.kind === 'refused') {
    return row
  }

  const submitted = await synchronizer.submitNew(newTransaction(deps, row))
  return submitted && unlessAbandoned(readSubmitted(submitted, 'created'))
}

/** Returns `null` for a checkout that has just been given up, as by a start of the order on another replica. */
function unlessAbandoned(initiated: Initiated): Initiated | null {
  return initiated.kind !== 'refused' && initiated.checkout.record.phase === 'abandoned' ? null : initiated
}

/**
 * Returns whether the order may have been charged by a checkout that the store has lost, at a gateway that cannot be
 * asked about it: it finds charges only by an id that is lost, too.
 */
function isUncompared(
  { client, clock, config }: InitiateDeps,
  requested: RequestedTerms,
  marks: Marks,
): boolean {
  if (client.chargeStatusKey === 'external_reference' || !mayHaveLostById(clock.now(), marks)) {
    return false
  }
  return requested.splits.length > 0 || methodsFor(config.charges, requested).length > 0
}

/**
 * Resumes an existing checkout. If the gateway has not acknowledged the checkout, sends the checkout's request to the
 * gateway first. Then merges `visit` (how the shopper opens the hosted page, and the return URL) into the visit that
 * the checkout stores. Resolves with `null` if the checkout is no longer stored, or has been given up.
 */
async function resume(
  { synchronizer }: InitiateDeps,
  stored: Checkout,
  visit: Visit,
): Promise<Initiated | null> {
  const resumed: Initiated | null =
    stored.record.phase === 'intended'
      ? unlessAbandoned(readSubmitted(await synchronizer.submit(stored.id), 'existing'))
      : { kind: 'existing', checkout: stored }
  if (resumed === null || resumed.kind === 'refused') {
    return resumed
  }

  const { checkout } = resumed
  if (addStart(checkout.record.visit, visit) === checkout.record.visit) {
    return resumed
  }

  const saved = await synchronizer.applyDecision(checkoutKind, checkout.id, { kind: 'visit', visit })
  return saved && { kind: 'existing', checkout: readCheckout(saved) }
}

/**
 * Gives up a checkout that was never sent, if the shopper now asks for another payment: from another phone, with other
 * details, or on a page. Resolves with `false` if the stored request is the one that is asked for.
 */
async function withdrawUnsent(
  deps: InitiateDeps,
  stored: Checkout,
  order: Order,
  start: Start,
): Promise<boolean> {
  const { record, sent_at, attempt, reference } = stored
  if (record.phase !== 'intended' || sent_at !== null) {
    return false
  }

  const asked = newCheckout(deps, order, record.requested, start, { id: stored.id, attempt, reference })
  if (asked.kind === 'refused' || isSameCall(asked.record.call, record.call)) {
    return false
  }

  const left = await deps.synchronizer.applyDecision(checkoutKind, stored.id, { kind: 'withdrawn' })
  return left !== null && readCheckout(left).record.phase === 'abandoned'
}

/** Returns whether two calls ask the same of the payer. The callback address changes when CALLBACK_SECRET changes. */
function isSameCall(asked: Call, stored: { variant: Call['variant']; request: object | null }): boolean {
  const withoutAddress = ({ variant, request }: typeof stored) => ({
    variant,
    ...request,
    callback_url: null,
  })
  return JSON.stringify(withoutAddress(asked)) === JSON.stringify(withoutAddress(stored))
}

/** The attempts about which the gateway is asked after a recovery, counted from the next one. */
const ASKED_ATTEMPTS = Array.from({ length: MOST_UNKNOWN_IN_A_ROW + 1 }, (_, index) => index)

/**
 * Resolves with the rows of those next attempts of an order that the gateway knows and the store has lost. Their
 * requests are lost, and so are their pages: their status is queried, and nothing is sent again.
 *
 * @throws {GatewayError} if the gateway cannot be asked. A new checkout could then be paid beside a lost one.
 */
async function findLost(
  deps: InitiateDeps,
  requested: RequestedTerms,
  visit: Visit,
  origin: Parameters<typeof deriveReferences>[1],
  next: number,
) {
  const sent_at = deps.clock.now()
  // A prompt is a charge, as every checkout of an order with splits is: the gateway is asked about a charge only once,
  // whichever operator prompted the payer.
  // It may have been sent by an operator that cannot be asked now.
  const all = requested.splits.length > 0 ? [] : methodsFor(deps.config.charges, requested)
  const methods = promptMethods(deps.config.charges, requested)
  const prompts = all.slice(0, 1).map(({ code }) => ({ prompt: { method: code, methods } }))
  const records = [{}, ...prompts].map((prompt) =>
    openRecord(
      { requested, visit, people: [], told: [], resolution: null, named_id: null, ...prompt },
      NO_ANSWER,
      sent_at,
    ),
  )
  const shared = { kind: 'checkout', group: requested.order, trace_id: null } as const
  const rows = ASKED_ATTEMPTS.map((index) => next + index).flatMap((attempt) =>
    deriveReferences(deps.fingerprints, origin, attempt).flatMap((reference) =>
      records.map((record) => ({ ...shared, attempt, reference, record })),
    ),
  )
  const reports = await Promise.all(
    rows.map((row) => {
      const family = isCharge(row.record) ? 'charge' : 'checkout'
      return deps.synchronizer.queryUnstored(family, () => queryStatus(deps.client, row))
    }),
  )
  return rows.flatMap((row, index) => {
    const report = reports[index]
    if (report?.kind !== 'status') {
      return []
    }

    const record = openRecord(row.record, NO_ANSWER, answeredAt(report, sent_at))
    return [{ ...newTransaction(deps, { ...row, record }), sent_at }]
  })
}

/** Returns the row of a new checkout, or a refusal if the payer's details are invalid. */
function newCheckout(
  deps: InitiateDeps,
  order: Order,
  requested: RequestedTerms,
  { payer, visit, prompt: promptRequest }: Start,
  { id, attempt, reference }: Pick<Checkout, 'id' | 'attempt' | 'reference'>,
) {
  const { config, fingerprints, callbacks } = deps
  const details = {
    reference,
    payer_name: payer.name,
    payer_email: payer.email,
    payer_msisdn: payer.msisdn,
    narration: order.narration,
    callback_url: callbacks.urlOf('checkout', reference),
    redirect_url: `${config.publicUrl}/checkout/return/${id}`,
  }
  const prompt =
    promptRequest && choosePrompt(config.charges, requested, details.payer_msisdn, promptRequest.method)
  if (prompt && 'kind' in prompt) {
    return prompt
  }

  const call = readCall(requested, prompt, details, config.charges)
  if ('kind' in call) {
    return call
  }

  const { request } = call
  const people = fingerprints.ofPayer(request)
  const kept = {
    requested,
    visit,
    people,
    told: [],
    resolution: null,
    named_id: null,
    ...(prompt && { prompt }),
  }
  const record = { phase: 'intended', ...kept, call, ...NEW_SUBMISSION } as const
  const row = { id, kind: 'checkout', reference, group: requested.order, attempt, record } as const
  if (!prompt) {
    return row
  }

  // The limits on prompts count by phone and by network.
  const network = promptRequest?.network ? fingerprints.of('network', promptRequest.network) : null
  return { ...row, prompt: { phone: fingerprints.of('phone', request.payer_msisdn), network } }
}

function readSubmitted(sent: Submitted, as: 'created' | 'existing'): Initiated {
  const checkout = readCheckout(sent.transaction)
  const { record } = checkout
  // It is unknown whether the gateway received the request. If the shopper starts the order again, the gateway is
  // asked, and the same request may be sent again. A charge is not: status queries will show what became of it.
  const isFollowed = isCharge(record) && checkout.sent_at !== null
  if (sent.kind === 'unclear' && !isFollowed) {
    return refuseFailed(sent.error)
  }
  if (record.phase !== 'refused') {
    return { kind: as, checkout }
  }

  const { refusal } = record
  const code = refusal ? 'gateway_refused' : 'gateway_contradiction'
  const evidence = refusal && REFUSED_MSISDN.includes(refusal.status_code) ? { errors: [WRONG_MSISDN] } : {}
  return refuseWithReason(code, NOT_OPENED, loggedReason(record), evidence)
}

/**
 * The message for the shopper if the gateway refused the checkout. The gateway's own message is only for the merchant.
 */
const NOT_OPENED = 'The payment gateway did not open this payment.'
/**
 * The gateway's refusal codes for a missing or invalid phone number, which the shopper can correct. [spec: Checkout
 * errors]
 */
const REFUSED_MSISDN: readonly number[] = [CHECKOUT_CODE.msisdnMissing, CHECKOUT_CODE.invalidMsisdn]
const WRONG_MSISDN: FieldError = { path: 'payer_msisdn', message: 'is refused by the gateway' }

/**
 * Returns whether the stored state of a checkout is recent enough to decide about a new checkout: the last status query
 * succeeded, and started at most one second before the request, as after a double click.
 */
function isFresh({ failures, asked_at }: Checkout, startedAt: number, now: number): boolean {
  return failures === 0 && asked_at !== null && asked_at >= startedAt - SECOND && asked_at <= now
}

/** Returns the terms of a checkout of the order, or a refusal if the gateway takes no such order. */
export function readRequestedTerms(
  order: Order,
  { config }: Pick<InitiateDeps, 'config'>,
): RequestedTerms | Refusal {
  const { gateway, charges, expiresInMinutes } = config
  const { amount, currency, splits = [] } = order
  if (!isWhole(amount)) {
    const detail = `The gateway takes whole units of ${currency}, and the amount ${amount} has a fraction.`
    return refuse('amount_not_whole', detail)
  }

  const service_code = order.service ?? valueFor(gateway.serviceCodes, currency)
  if (!service_code) {
    return refuse('currency_not_supported', `GATEWAY_SERVICE_CODE has no service for ${currency}.`)
  }

  const account_number = order.account ?? valueFor(gateway.accountNumbers, currency)
  if (account_number === undefined) {
    return refuse('currency_not_supported', `GATEWAY_ACCOUNT_NUMBER has no account for ${currency}.`)
  }
  if (splits.length > 0 && !charges) {
    return CHARGES_OFF
  }

  return {
    order: order.order,
    amount,
    currency,
    service_code,
    account_number,
    expires_in: expiresInMinutes,
    splits: charges && splits.length > 0 ? completeSplits(splits, partnerSharesIn(charges, currency)) : [],
    stated: { service_code: order.service ?? null, account_number: order.account ?? null, splits },
  }
}

/**
 * Returns the payer's details: those of the order, completed by those of the request. If a detail of the request
 * differs from the order's, only the request's details count. Otherwise, the gateway could get the name of one person
 * together with the phone number of another.
 *
 * @param countryCode The two letters of the country whose calling code is added to a phone number without one; `null` if
 * every number has one. A number that needs the code of an unknown country is refused, not completed by another one.
 */
export function choosePayer(order: Order, payer: Payer, countryCode: string | null): Payer | Refusal {
  const country = readCountry(countryCode ?? '')
  const numbers = [payer.msisdn, order.payer?.msisdn]
  const isIncomplete = numbers.some((number) => number !== undefined && !hasCallingCode(number))
  if (countryCode !== null && country === null && isIncomplete) {
    return refuseNational(countryCode)
  }

  const read = ({ name, email, msisdn }: Payer) => ({
    name,
    email: email && readEmail(email),
    msisdn: (msisdn && readPhoneNumber(msisdn, country)) ?? msisdn,
  })
  const ofRequest = read(payer)
  const ofOrder = read(order.payer ?? {})
  const differs = (field: keyof Payer) =>
    ofRequest[field] !== undefined && ofOrder[field] !== undefined && ofRequest[field] !== ofOrder[field]
  if (differs('name') || differs('email') || differs('msisdn')) {
    return ofRequest
  }

  return {
    name: ofOrder.name ?? ofRequest.name,
    email: ofOrder.email ?? ofRequest.email,
    msisdn: ofOrder.msisdn ?? ofRequest.msisdn,
  }
}

function refuseNational(countryCode: string): Refusal {
  const message = `must begin with + and its calling code: ${JSON.stringify(countryCode)} is not the two letters of a country`
  return invalid([{ path: 'payer_msisdn', message }])
}
