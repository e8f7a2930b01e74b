// The acceptance of a checkout's request.

import { endpoints } from '../../../server/contract/endpoints.ts'
import { defaultMethodOf } from '../merchant.ts'
import { callbackAddressProblem, redirectAddressProblem } from '../wire/addresses.ts'
import { readFields } from '../wire/body.ts'
import { fieldWrong, refused } from '../wire/failure.ts'
import { openSession } from './open-session.ts'
import type { InitiateRequest, InitiateResponse } from '../../../server/contract/checkout.ts'
import type { Service } from '../merchant.ts'
import type { Fields } from '../wire/body.ts'
import type { Result } from '../wire/failure.ts'
import type { World } from '../world.ts'
import type { Terms } from './session.ts'

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
