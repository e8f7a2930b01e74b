/**
 * Starts a checkout for an order, or finds the order's existing checkout: carries out the plan of `checkouts/plan.ts`.
 *
 * The request is stored before it is sent to the gateway. After a crash, a status query therefore shows whether the
 * gateway received the request. Concurrent requests for the same order (a double click, a second tab, a retry) get the
 * same checkout.
 */

import { GATEWAY_UNAVAILABLE, isRefusal, refuse } from '../api/refusal.ts'
import { LONGEST_IN_FLIGHT_MS } from '../payins/outcome.ts'
import { refuseBeyond } from '../rate-limits/failed-requests.ts'
import { PromptLimitError, PROMPT_LIMITS } from '../rate-limits/prompts.ts'
import { SECOND } from '../transactions/schedule.ts'
import { describePruned } from '../transactions/tombstone.ts'
import { checkoutKind } from './kind.ts'
import { MONEY_RETURNED, planAttempt, refuseAfterRefusals, refuseChanged } from './plan.ts'
import { readCheckout } from './record.ts'
import { takeLost } from './recovered.ts'
import { newCheckout, resume, submitCheckout } from './submit.ts'
import { readRequestedTerms } from './terms.ts'

import type { Refusal } from '../api/refusal.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Order } from '../orders/order.ts'
import type { Tombstone } from '../store/retention.ts'
import type { Plan } from './plan.ts'
import type { Call, Checkout, RequestedTerms } from './record.ts'
import type { Start, SubmitCheckoutDeps } from './submit.ts'

interface InitiateDeps extends SubmitCheckoutDeps {
  config: Pick<Config, 'publicUrl' | 'gateway' | 'charges' | 'expiresInMinutes'>
  metrics: Metrics | undefined
  log: Log
}

/** The kind `page` is a checkout that was created for the hosted page, because a prompt would have exceeded a limit. */
type Initiated = { kind: 'created' | 'page' | 'existing'; checkout: Checkout } | Refusal

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
  const { store, account, clock } = deps
  const terms = readRequestedTerms(order, deps)
  if (isRefusal(terms)) {
    return terms
  }

  const startedAt = clock.now()
  const queried = new Set<string>()
  let spelling = terms.order
  // Read only once an attempt could not be created: a pruned checkout may have its number.
  let pruned: readonly Tombstone[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const attempts = (await store.list(account, 'checkout', spelling)).map(readCheckout)
    spelling = keepSpelling(deps, spelling, pruned[0] ?? attempts[0])

    const requested = { ...terms, order: spelling }
    const plan = planAttempt(attempts, requested, pruned)
    const isCreated = plan.kind === 'create'
    const stale = findStale(attempts, isCreated, startedAt, clock.now())
    if (await queryOnce(deps, stale, queried, isCreated)) {
      continue
    }

    const initiated = await carryOut(deps, plan, { order, requested, start, attempts, stale, pruned })
    if (initiated) {
      return initiated
    }

    pruned = await store.listTombstones(account, 'checkout', spelling)
  }

  throw new Error(`The checkouts of an order changed ${MAX_ROUNDS} times while one was being started.`)
}

/** Returns the spelling of an order's reference: an order keeps the one that its look-up returned first. */
function keepSpelling(
  { log }: InitiateDeps,
  spelling: string,
  earliest: Pick<Checkout, 'group'> | undefined,
): string {
  const first = earliest?.group ?? spelling
  if (first !== spelling) {
    log.warn({ order: first }, describeSpellings(first, spelling))
  }
  return first
}

function describeSpellings(first: string, second: string): string {
  return `The look-up of orders returned the reference ${JSON.stringify(second)}, and earlier ${JSON.stringify(first)}. Case does not make another order, so this one stays ${JSON.stringify(first)}: return the stored reference, not the one that was asked for.`
}

/**
 * Returns the checkouts that are queried before a decision, because they may have been paid since their last status
 * query. Also those that have settled: a person who resolved one may be wrong, and a prompt that was refused may have been
 * received. One without an answer of the gateway yet is asked about as it is sent. If a new checkout is to be created, one
 * that was just queried is left out.
 */
function findStale(
  attempts: readonly Checkout[],
  isCreated: boolean,
  startedAt: number,
  now: number,
): Checkout[] {
  const followed = attempts.filter(
    (attempt) => attempt.record.phase === 'open' || checkoutKind.progressOf(attempt).stage === 'settled',
  )
  return followed.filter((attempt) => !(isCreated && isFresh(attempt, startedAt, now)))
}

/**
 * Returns whether the stored state of a checkout is recent enough to decide about a new checkout: the last status query
 * succeeded, and started at most one second before the request, as after a double click, and after a person resolved it.
 */
function isFresh({ failures, asked_at, record }: Checkout, startedAt: number, now: number): boolean {
  if (failures > 0 || asked_at === null || asked_at > now) {
    return false
  }

  const resolvedAt = record.resolution?.at ?? 0
  return asked_at >= startedAt - SECOND && asked_at > resolvedAt
}

/**
 * Queries the checkouts that are not in `queried`, and adds them: as for a page or, if a new checkout is to be created, at
 * once, since it depends on the answer. Resolves with `false` if all were in it.
 */
async function queryOnce(
  { synchronizer }: InitiateDeps,
  checkouts: readonly Checkout[],
  queried: Set<string>,
  isCreated: boolean,
): Promise<boolean> {
  const unqueried = checkouts.filter(({ id }) => !queried.has(id))
  for (const { id } of unqueried) {
    queried.add(id)
  }

  const query = (id: string) =>
    isCreated ? synchronizer.synchronizeAnew(id) : synchronizer.synchronizeWithin(id, 'poll')
  await Promise.all(unqueried.map(({ id }) => query(id)))
  return unqueried.length > 0
}

/** What a round of {@link startOrResume} has read. */
interface Round {
  order: Order
  requested: RequestedTerms
  start: Start
  attempts: readonly Checkout[]
  /** The attempts that may have been paid since their stored state. */
  stale: readonly Checkout[]
  pruned: readonly Tombstone[]
}

/** Carries out a plan. Resolves with `null` if the checkouts of the order have changed since it was made. */
async function carryOut(deps: InitiateDeps, plan: Plan, round: Round): Promise<Initiated | null> {
  warnOfSecondUse(deps, plan, round.requested)
  switch (plan.kind) {
    case 'deleted':
      return refuse('order_not_payable', describePruned(round.pruned))
    case 'returned':
      return MONEY_RETURNED
    case 'changed':
      return refuseChanged(plan.checkout, round.requested)
    case 'resume':
      return resumeOrRestart(deps, plan.checkout, round)
    case 'create':
      return createBeside(deps, plan.attempt, round)
  }
}

/**
 * Warns if an order is started whose money was received, or went back, more than a day ago. A shopper may only look again;
 * but a shop that counts anew after a reset would take the earlier payment for that of a new sale.
 */
function warnOfSecondUse({ log, clock }: InitiateDeps, plan: Plan, { order }: RequestedTerms): void {
  const isLongOver =
    plan.kind === 'deleted' || (plan.kind !== 'create' && hasEndedLongAgo(plan.checkout, clock.now()))
  if (isLongOver) {
    log.warn({ order }, USED_BEFORE)
  }
}

const USED_BEFORE =
  'This order is started again, and money was received for it more than a day ago, or may have been: nothing is sent, and no new payment is made. If it is a new sale, its reference was used before: give each sale a reference that no other one has ever had, also after a reset of the shop, and in a second shop with the same account.'

/** Creates the next attempt of an order, unless an earlier one may hold money or too many were refused. */
async function createBeside(deps: InitiateDeps, attempt: number, round: Round): Promise<Initiated | null> {
  const { order, requested, start, attempts, stale } = round
  // If a status query failed or is still running, an earlier checkout may hold money that its stored state does not
  // show.
  if (!stale.every((earlier) => hasEndedLongAgo(earlier, deps.clock.now()))) {
    return GATEWAY_UNAVAILABLE
  }

  const refusal = refuseAfterRefusals(attempts)
  if (refusal) {
    return refusal
  }

  const unsent = attempts.find((each) => each.attempt === attempt) ?? null
  const sending = { requested, visit: start.visit, attempt, unsent }
  const marks = await deps.store.marks()
  const lost = await takeLost(deps, sending, marks)
  if (isRefusal(lost)) {
    return lost
  }
  return lost.kind === 'none' ? submitCheckout(deps, order, start, sending, marks) : null
}

/**
 * Returns whether an attempt ended so long ago that no payment of its session is unreported: the gateway is asked about
 * it, and need not answer. [assumed] As for a payment in flight, this is a day.
 */
function hasEndedLongAgo(attempt: Checkout, now: number): boolean {
  const progress = checkoutKind.progressOf(attempt)
  return progress.stage === 'settled' && now - progress.at >= LONGEST_IN_FLIGHT_MS
}

/**
 * Resumes a checkout of the order. One that was never sent is started again if the shopper now asks for another payment:
 * from another phone, with other details, or on a page.
 */
async function resumeOrRestart(
  deps: InitiateDeps,
  stored: Checkout,
  { order, requested, start }: Round,
): Promise<Initiated | null> {
  const { record, sent_at, attempt } = stored
  if (record.phase !== 'intended' || sent_at !== null) {
    return resume(deps, stored, start.visit)
  }

  const sending = { requested, visit: start.visit, attempt, unsent: stored }
  const marks = await deps.store.marks()
  const lost = await takeLost(deps, sending, marks)
  if (isRefusal(lost)) {
    return lost
  }
  if (lost.kind === 'taken') {
    return null
  }

  const asked = newCheckout(deps, order, record.requested, start, stored)
  const isOther = asked.kind !== 'refused' && !isSameCall(asked.record.call, record.call)
  return lost.kind === 'none' && isOther
    ? submitCheckout(deps, order, start, sending, marks)
    : resume(deps, stored, start.visit)
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
