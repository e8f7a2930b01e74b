// The request of a checkout, and the sessions that checkouts and charges open.

import { endpoints } from '../../../server/contract/endpoints.ts'
import { defaultMethodOf } from '../merchant.ts'
import { callbackAddressProblem, redirectAddressProblem } from '../wire/addresses.ts'
import { readFields } from '../wire/body.ts'
import { fieldWrong, refused } from '../wire/failure.ts'
import { reportOf } from './session.ts'
import type { InitiateRequest, InitiateResponse } from '../../../server/contract/checkout.ts'
import type { Service } from '../merchant.ts'
import type { Fields } from '../wire/body.ts'
import type { Result } from '../wire/failure.ts'
import type { World } from '../world.ts'
import type { CheckoutSession, Terms } from './session.ts'

// [assumed] A session of more than 366 days is probably in the wrong unit.
const MAX_EXPIRES_IN_MINUTES = 366 * 24 * 60

// A repeated request gets the existing checkout. [spec: Standard checkout request; Standard checkout response]
export function initiate(world: World, body: Fields, origin: string): Result<InitiateResponse> {
  const read = readFields(body, endpoints.initiateCheckout.request)
  if ('failure' in read) return read
  const request = read.value
  const problem = requestProblem(world, request)
  if (problem !== null) return fieldWrong(problem)
  const service = findService(world, request.service_code)
  if ('failure' in service) return service
  const opened = openSession(world, termsOf(request, service.value, world.clock.now()), origin)
  if ('failure' in opened) return opened
  const { reference, expiresAt, pageUrl } = opened.value.session
  return {
    value: {
      merchant_transaction_id: request.merchant_transaction_id,
      checkout_reference: reference,
      currency: service.value.currency,
      amount: request.amount,
      expires_at: new Date(expiresAt).toISOString(),
      redirect_url: pageUrl,
    },
  }
}

function requestProblem({ callbackHosts }: World, request: InitiateRequest): string | null {
  if (request.expires_in > MAX_EXPIRES_IN_MINUTES)
    return `expires_in must be at most ${MAX_EXPIRES_IN_MINUTES} minutes.`
  const { callback_url, redirect_url } = request
  return callbackAddressProblem(callback_url, callbackHosts) ?? redirectAddressProblem(redirect_url)
}

export function findService({ services }: World, service_code: string): Result<Service> {
  const value = services.find('checkout', service_code)
  if (value) return { value }
  const name = `service_code ${JSON.stringify(service_code)}`
  return refused('service_unknown', `${name} does not exist, is disabled or belongs to another account.`)
}

function termsOf(request: InitiateRequest, service: Service, now: number): Terms {
  return {
    instruction: { kind: 'checkout', request },
    id: request.merchant_transaction_id,
    amount: String(request.amount),
    fee: '0',
    msisdn: request.payer_msisdn,
    methodCode: defaultMethodOf(service),
    // [assumed] Any text: "the reference under which the payment should reflect", as seen in practice.
    accountNumber: request.account_number,
    service,
    narration: request.narration,
    extraData: {},
    splits: [],
    callbackUrl: request.callback_url,
    redirectUrl: request.redirect_url,
    failedRedirectUrl: request.redirect_url,
    dialect: 'spec',
    expiresAt: now + request.expires_in * 60_000,
  }
}

const MAX_SESSIONS = 100_000

/**
 * Creates a session, or finds the session that an identical request created. Returns a failure if a different request
 * has already used the id in `terms`. [spec: Standard checkout request, merchant_transaction_id]
 */
export function openSession(
  world: World,
  terms: Terms,
  origin: string,
): Result<{ session: CheckoutSession; isNew: boolean }> {
  const { kind } = terms.instruction
  const existing = world.sessions.get(terms.id)
  const name = JSON.stringify(terms.id)
  // Compared after parsing, so "+254 700" and "254700", or 500 and "500", are the same body.
  if (existing && JSON.stringify(existing.instruction) !== JSON.stringify(terms.instruction))
    return refused('transaction_taken', `${ID[kind]} ${name} was already used with another body.`)
  if (existing) return { value: { session: existing, isNew: false } }
  if (world.sessions.size >= MAX_SESSIONS)
    return refused('sandbox_full', `It keeps ${MAX_SESSIONS} checkouts; reset it to go on.`)

  const now = world.clock.now()
  const reference = world.randomness.hex(32)
  const session: CheckoutSession = {
    ...terms,
    merchant: world.merchant,
    reference,
    pageUrl: `${origin}/pay/${reference}`,
    chargeRequestId: world.randomness.digits(15),
    createdAt: now,
    payments: [],
    history: [{ at: now, kind: 'created' }],
    custody: kind === 'charge' ? 'held' : 'merchant',
    language: null,
    changedAt: now,
  }
  world.sessions.set(terms.id, session)
  world.sessionsByReference.set(reference, session)
  if (kind === 'charge') world.charges.set(session.chargeRequestId, session)
  return { value: { session, isNew: true } }
}

/** The name of the id of each kind. */
const ID = { checkout: 'merchant_transaction_id', charge: 'external_reference' } as const

export function findStatus(
  { sessions, clock }: World,
  kind: keyof typeof ID,
  { [ID[kind]]: id = '' }: Readonly<Record<string, string>>,
): Result<object> {
  const session = sessions.get(id)
  return session?.instruction.kind === kind
    ? { value: reportOf(session, clock.now()) }
    : refused('transaction_unknown', `No transaction has the ${ID[kind]} ${JSON.stringify(id)}.`)
}
