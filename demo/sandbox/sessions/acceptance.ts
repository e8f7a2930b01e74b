// The acceptance of a checkout's request, and what charges share with it: the service, the session, and its status.

import { isDeepStrictEqual } from 'node:util'

import { endpoints } from '../../../server/contract/endpoints.ts'
import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { Failure, transactionUnknown } from '../errors/failure.ts'
import { fieldWrong } from '../errors/wrong-field.ts'
import { callbackAddressProblem, redirectAddressProblem } from '../http/allowed-addresses.ts'
import { readFields } from '../http/request-body.ts'
import { defaultMethodOf, findAccount } from '../merchants/merchant.ts'
import { reportOf } from './session.ts'

import type { InitiateRequest, InitiateResponse } from '../../../server/contract/checkout.ts'
import type { Result } from '../errors/failure.ts'
import type { Fields } from '../http/request-body.ts'
import type { Service } from '../merchants/merchant.ts'
import type { World } from '../world.ts'
import type { CheckoutSession, Terms } from './session.ts'

// [assumed] A session of more than 366 days is probably in the wrong unit.
const MAX_EXPIRES_IN_MINUTES = 366 * 24 * 60

/** A repeated request gets the existing checkout. [spec: Standard checkout request; Standard checkout response] */
export function initiate(world: World, body: Fields, origin: string): Result<InitiateResponse> {
  const request = readFields(body, endpoints.initiateCheckout.request)
  if (request instanceof Failure) {
    return request
  }

  const problem = requestProblem(world, request)
  if (problem !== null) {
    return problem
  }

  const service = findService(world, request.service_code)
  if (service instanceof Failure) {
    return service
  }

  const { account_number } = request
  if (!findAccount(world.merchant, account_number)) {
    return accountUnknown(account_number)
  }

  const session = openSession(world, termsOf(request, service, world.clock.now()), origin)
  if (session instanceof Failure) {
    return session
  }

  return {
    merchant_transaction_id: session.id,
    checkout_reference: session.reference,
    currency: service.currency,
    amount: request.amount,
    expires_at: new Date(session.expiresAt).toISOString(),
    redirect_url: session.pageUrl,
  }
}

function requestProblem({ callbackHosts }: World, request: InitiateRequest): Failure | null {
  if (request.expires_in > MAX_EXPIRES_IN_MINUTES) {
    return fieldWrong(`expires_in must be at most ${MAX_EXPIRES_IN_MINUTES} minutes.`)
  }

  const { callback_url, redirect_url } = request
  return callbackAddressProblem(callback_url, callbackHosts) ?? redirectAddressProblem(redirect_url)
}

export function accountUnknown(account_number: string): Failure {
  const message = `account_number ${JSON.stringify(account_number)} is not an account of this merchant.`
  return fieldWrong(message, CHECKOUT_CODE.accountMissing)
}

export function findService({ services }: World, service_code: string): Result<Service> {
  const message = `service_code ${JSON.stringify(service_code)} does not exist, is disabled or belongs to another account.`
  return services.find('checkout', service_code) ?? new Failure('service_unknown', message)
}

function termsOf(request: InitiateRequest, service: Service, now: number): Terms {
  return {
    instruction: { kind: 'checkout', request },
    id: request.merchant_transaction_id,
    amount: String(request.amount),
    fee: '0',
    msisdn: request.payer_msisdn,
    methodCode: defaultMethodOf(service),
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
const ID_FIELDS = { checkout: 'merchant_transaction_id', charge: 'external_reference' } as const

/**
 * Creates a session, or finds the session that an identical request created. Returns a failure if a different request
 * has already used the id in `terms`. [spec: Standard checkout request, merchant_transaction_id]
 */
export function openSession(world: World, terms: Terms, origin: string): Result<CheckoutSession> {
  const { id, instruction } = terms
  const existing = world.sessions.get(id)
  // [assumed] Compared after parsing, so "+254 700" and "254700", or 500 and "500", are the same body.
  if (existing && isDeepStrictEqual(existing.instruction, instruction)) {
    return existing
  }

  const name = `${ID_FIELDS[instruction.kind]} ${JSON.stringify(id)}`
  if (existing) {
    return new Failure('transaction_taken', `${name} was already used with another body.`)
  }
  if (world.sessions.size >= MAX_SESSIONS) {
    return new Failure('sandbox_full', `It keeps ${MAX_SESSIONS} checkouts; reset it to go on.`)
  }

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
    custody: instruction.kind === 'charge' ? 'held' : 'merchant',
    language: null,
    changedAt: now,
  }
  world.sessions.set(id, session)
  world.sessionsByReference.set(reference, session)
  if (instruction.kind === 'charge') {
    world.charges.set(session.chargeRequestId, session)
  }
  return session
}

/** @param params Has the id, under the name that it has in requests of this kind. */
export function findStatus(
  { sessions, clock }: World,
  kind: keyof typeof ID_FIELDS,
  params: Readonly<Record<string, string>>,
): Result<object> {
  const field = ID_FIELDS[kind]
  const id = params[field] ?? ''
  const session = sessions.get(id)
  if (session?.instruction.kind === kind) {
    return reportOf(session, clock.now())
  }
  return transactionUnknown('transaction', field, id)
}
