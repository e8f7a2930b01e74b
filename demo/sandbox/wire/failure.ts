// [assumed] The HTTP statuses except 401: the spec only says 400 "or another 4xx/5xx". Clients decide by
// `status_code`.

import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { brief } from './brief.ts'
import type { Confirmation } from '../../../server/contract/charge.ts'
import type { AuthenticationError, CheckoutError } from '../../../server/contract/errors.ts'
import type { CheckoutCode } from '../../../server/contract/status.ts'

// [spec: Checkout errors]
const FIELD_CODES = {
  [CHECKOUT_CODE.msisdnMissing]: 'Customer MSISDN missing',
  [CHECKOUT_CODE.invalidMsisdn]: 'Invalid customer MSISDN',
  [CHECKOUT_CODE.accountMissing]: 'Invoice account number not specified',
  [CHECKOUT_CODE.invalidCurrency]: 'Invalid currency code',
  [CHECKOUT_CODE.validationFailed]: 'Validation failed',
} as const
export type FieldCode = keyof typeof FIELD_CODES

export type Failure =
  | { reason: 'token_missing' }
  | { reason: 'token_unknown' }
  | { reason: 'token_expired' }
  | { reason: 'credentials_wrong' }
  | { reason: 'body_too_large'; limit: number }
  | { reason: 'body_of_other_type'; expected: string }
  | { reason: 'body_unreadable'; problem: string }
  | { reason: 'field_wrong'; code: FieldCode; problem: string }
  | { reason: 'service_unknown'; service_code: string }
  | { reason: 'transaction_unknown'; transaction: string }
  | { reason: 'transaction_taken'; transaction: string }
  | { reason: 'confirmed_otherwise'; was: Confirmation['status'] }
  | { reason: 'not_possible_now'; problem: string }
  /** `hint` is the second sentence of the message. */
  | { reason: 'not_found'; what: string; hint?: string | undefined }
  | { reason: 'not_allowed'; problem: string }
  | { reason: 'sandbox_full'; limit: number }
  | { reason: 'fault'; status: number }
  | { reason: 'broken' }

export type Result<T> = { value: T } | { failure: Failure }

// [assumed] Authentication and charges succeed with 201, as seen in practice.
export function respond(result: Result<object>, status: 200 | 201 = 200): Response {
  return 'failure' in result ? refuse(result.failure) : Response.json(result.value, { status })
}

export function refuse(failure: Failure): Response {
  const { status, body } = refusalOf(failure)
  return Response.json(body, { status })
}

export function messageOf(failure: Failure): string {
  return refusalOf(failure).body.message
}

export function statusOf(failure: Failure): number {
  return refusalOf(failure).status
}

// [spec: Authentication, 5]
export function refuseAuthentication(failure: Failure): Response {
  const { status } = refusalOf(failure)
  const error = status === 401 ? 'Unauthorized' : status < 500 ? 'Bad Request' : 'Internal Server Error'
  const body: AuthenticationError = {
    statusCode: status,
    message: 'Invalid Authentication Credentials',
    error,
  }
  return Response.json(body, { status })
}

interface Refusal {
  status: number
  body: CheckoutError
}

// [spec: Checkout errors]
function refusalOf(failure: Failure): Refusal {
  const { accountMissing, failure: generalFailure, invalidCredentials, validationFailed } = CHECKOUT_CODE
  switch (failure.reason) {
    case 'token_missing':
      return refusal(401, invalidCredentials, 'Unauthorized', 'The header x-access-token is required.')
    case 'token_unknown':
      return refusal(401, invalidCredentials, 'Unauthorized', 'The access token is not valid.')
    case 'token_expired':
      return refusal(401, invalidCredentials, 'Unauthorized', 'The access token has expired.')
    case 'credentials_wrong':
      return refusal(401, invalidCredentials, 'Unauthorized', 'Invalid Authentication Credentials')
    case 'body_too_large':
      return invalid(413, `The body must be at most ${failure.limit} bytes.`)
    case 'body_of_other_type':
      return invalid(415, `The Content-Type must be ${failure.expected}.`)
    case 'body_unreadable':
      return invalid(400, failure.problem)
    case 'field_wrong':
      return refusal(400, failure.code, FIELD_CODES[failure.code], failure.problem)
    case 'service_unknown':
      return refusal(
        400,
        validationFailed,
        'Invalid Service Code',
        `service_code ${JSON.stringify(failure.service_code)} does not exist, is disabled or belongs to another account.`,
      )
    case 'transaction_unknown':
      return refusal(
        404,
        accountMissing,
        'Transaction not found',
        `No transaction has the ${failure.transaction}.`,
      )
    case 'transaction_taken':
      return invalid(409, `${failure.transaction} was already used with another body.`)
    case 'confirmed_otherwise':
      return invalid(409, `The service was already confirmed as ${failure.was}.`)
    case 'not_possible_now':
      return refusal(409, generalFailure, 'Not possible now', failure.problem)
    case 'not_found':
      return refusal(404, generalFailure, 'Not found', nothingAt(failure))
    case 'not_allowed':
      return refusal(403, generalFailure, 'Not allowed', failure.problem)
    case 'sandbox_full':
      return refusal(
        503,
        generalFailure,
        'Sandbox full',
        `It keeps ${failure.limit} checkouts; reset it to go on.`,
      )
    case 'fault':
      return refusal(
        failure.status,
        generalFailure,
        'Simulated fault',
        'A fault that was set under /_sandbox/faults.',
      )
    case 'broken':
      return refusal(
        500,
        generalFailure,
        'Internal error',
        'The sandbox failed; this is a defect of the sandbox.',
      )
  }
}

function nothingAt({ what, hint }: { what: string; hint?: string | undefined }): string {
  return hint === undefined ? `There is no ${what}.` : `There is no ${what}. ${hint}`
}

function invalid(status: number, message: string): Refusal {
  return refusal(status, CHECKOUT_CODE.validationFailed, 'Validation failed', message)
}

function refusal(status: number, code: CheckoutCode, description: string, message: string): Refusal {
  return { status, body: { status_code: code, status_description: description, message: brief(message) } }
}
