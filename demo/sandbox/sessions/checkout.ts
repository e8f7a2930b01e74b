import { endpoints } from '../../../server/contract/endpoints.ts'
import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { callbackAddressProblem, redirectAddressProblem } from '../wire/addresses.ts'
import { payloadOf } from './session.ts'
import { defaultMethodOf } from '../merchant.ts'
import { fieldWrong, readFields } from '../wire/fields.ts'
import { openSession, findSession } from './open.ts'
import type { InitiateRequest, InitiateResponse } from '../../../server/contract/checkout.ts'
import type { Fields } from '../wire/fields.ts'
import type { Payload, Terms } from './session.ts'
import type { Result } from '../wire/failure.ts'
import type { Service } from '../merchant.ts'
import type { World } from '../world.ts'

// [assumed] A session of more than 366 days is probably in the wrong unit.
const MAX_EXPIRES_IN_MINUTES = 366 * 24 * 60

// A repeated request gets the existing checkout. [spec: Standard checkout request; Standard checkout response]
export function initiate(world: World, body: Fields, origin: string): Result<InitiateResponse> {
  const read = readFields(body, endpoints.initiateCheckout.request)
  if ('failure' in read) return read
  const request = read.value
  const problem = requestProblem(world, request)
  if (problem !== null) return { failure: fieldWrong(CHECKOUT_CODE.validationFailed, problem) }
  const service = world.services.find('checkout', request.service_code)
  if (!service) return { failure: { reason: 'service_unknown', service_code: request.service_code } }

  const opened = openSession(world, termsOf(request, service, world.clock.now()), origin)
  if ('failure' in opened) return opened
  const { reference, expiresAt, pageUrl } = opened.value.session
  return {
    value: {
      merchant_transaction_id: request.merchant_transaction_id,
      checkout_reference: reference,
      currency: service.currency,
      amount: request.amount,
      expires_at: new Date(expiresAt).toISOString(),
      redirect_url: pageUrl,
    },
  }
}

export function findStatus(world: World, merchant_transaction_id: string): Result<Payload> {
  const found = findSession(world, 'checkout', merchant_transaction_id)
  return 'failure' in found ? found : { value: payloadOf(found.value, world.clock.now()) }
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

function requestProblem({ callbackHosts }: World, request: InitiateRequest): string | null {
  if (request.expires_in > MAX_EXPIRES_IN_MINUTES)
    return `expires_in must be at most ${MAX_EXPIRES_IN_MINUTES} minutes.`
  return (
    callbackAddressProblem(request.callback_url, callbackHosts) ??
    redirectAddressProblem(request.redirect_url)
  )
}
