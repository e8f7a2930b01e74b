// The contract of the gateway as an OpenAPI document, and as a page. Paths, requests and answers are those of
// `server/contract/`, and the failures come from the code that refuses.

import { html } from 'hono/html'
import { z } from 'zod'

import { AirtimeAcknowledgement, AirtimeEntry, AirtimeStatusList } from '../../server/contract/airtime.ts'
import { Token } from '../../server/contract/authentication.ts'
import { ChargeRequest, ChargeResponse, ChargeStatus, Metadata } from '../../server/contract/charge.ts'
import { CheckoutPayload, InitiateRequest, PaymentRecord } from '../../server/contract/checkout.ts'
import { endpoints } from '../../server/contract/endpoints.ts'
import { AuthenticationError, CheckoutError } from '../../server/contract/errors.ts'
import { field, text } from '../../server/contract/openapi-field.ts'
import { Acknowledgement, PAYOUT_ERROR_CODES, PayoutResult } from '../../server/contract/payout.ts'
import { Balance } from '../../server/contract/rates.ts'
import { CHECKOUT_CODE } from '../../server/contract/status.ts'
import { documentOf, JSON_TYPE, operationOf, schemaOf } from '../../server/openapi/document.ts'
import { article, referencePage } from '../../server/openapi/page.ts'
import { CONTROL_ROUTES, FAULTS } from './control/reference.ts'
import { refuseAt } from './errors/error-response.ts'
import { Failure } from './errors/failure.ts'
import { rejected } from './errors/rejection.ts'
import { fieldWrong } from './errors/wrong-field.ts'
import { CARD } from './merchants/merchant.ts'
import { FLAT_STATUS_PATH, PATHS } from './sessions/charge.ts'

import type { Document, Operation, Schemas } from '../../server/openapi/document.ts'
import type { Html } from '../../server/openapi/page.ts'
import type { Environment } from './environment.ts'
import type { FieldCode } from './errors/wrong-field.ts'
import type { ChargeDialect } from './sessions/session.ts'

type Row = (typeof endpoints)[keyof typeof endpoints]
interface Endpoint extends Pick<Row, 'family' | 'method' | 'token' | 'decides' | 'unknownCode' | 'echoes'> {
  path: string
  request: z.ZodType | null
  response: z.ZodType
  /** Optional fields in the example of the request. */
  example?: object
}

/**
 * Returns the schema of what this sandbox sends: it has each field that the server reads, except those in `optional`.
 */
const sent = (id: string, description: string, schema: z.ZodObject, optional = {}) =>
  schema.required().partial(optional).meta({ id, description })

const { payer_msisdn, narration } = InitiateRequest.shape
/** Fields of other gateways. */
const FOREIGN = { status_code: true, status_description: true, message: true } as const
const PAYMENT = PaymentRecord.omit(FOREIGN).extend({
  event: text('successful_, failed_ or pending_payment, or payment_status.', 'successful_payment'),
  extra_data: field(z.looseObject({}).or(z.string()), 'That of the charge; empty of a checkout.', {}),
  client_code: text('Your client code.', 'SANDBOX'),
  country_code: text('Country code, ISO 3166-1 alpha-3.', 'KEN'),
  payer_msisdn,
  payer_narration: narration,
})
const Payment = sent('Payment', 'A payment of a checkout or a charge.', PAYMENT, { transaction_id: true })
const CHECKOUT = CheckoutPayload.omit(FOREIGN).extend({
  narration,
  payments: field(z.array(Payment), 'All payments, the oldest first.'),
  timestamp: text('Time of the last change. ISO 8601, UTC.', '2026-11-21T09:04:00.000Z'),
})
const Checkout = sent('Checkout', 'The state of a checkout or a charge.', CHECKOUT)
const data = field(PayoutResult.shape.data.required().partial({ bank_code: true }), 'Details of the payout.')
const PAYOUT = PayoutResult.extend({ data })
const Payout = sent('Payout', 'The state of a local or an international payout.', PAYOUT)
const amount = field(z.number(), 'Amount, in major units of the local currency.', 100)
const Airtime = sent('Airtime', 'The state of the airtime of one recipient.', AirtimeEntry.extend({ amount }))

const accepted = 'The request was accepted.'
const refusal = 'Why a request is refused.'
const { error_code, response_code } = Acknowledgement.shape
const ANSWER = AirtimeAcknowledgement.extend({ response_code })
const AirtimeAnswer = sent('AirtimeAnswer', accepted, ANSWER)
const AirtimeRefusal = sent('AirtimeRefusal', refusal, ANSWER.extend({ error_code }))
const PayoutAnswer = sent('PayoutAnswer', accepted, Acknowledgement.omit({ error_code: true }))
const PayoutRefusal = sent('PayoutRefusal', refusal, Acknowledgement)
const Unauthenticated = sent('AuthenticationError', refusal, AuthenticationError)
const Refusal = sent('CheckoutError', refusal, CheckoutError)
const ChargeAnswer = ChargeResponse.omit({ auth_url: true, html: true }).extend({
  service_amount: text('The amount of the request, as decimal text.', '1500.00'),
  transaction_charge: text('The transaction charge, as decimal text.', '0.00'),
})
const FLAT_ANSWER = ChargeAnswer.omit({ currency_code: true, redirect_url: true, expires_at: true }).extend({
  auth_url: ChargeResponse.shape.auth_url,
  transaction_charge: field(z.number(), 'The transaction charge.', 0),
  auth_available: field(z.boolean(), 'Whether the payer authorizes the payment at auth_url.'),
})
const posted = 'The charge was posted.'
const FlatAnswer = sent('ChargeAnswer', posted, FLAT_ANSWER, { auth_url: true })
/** By the schema that the server reads: what this sandbox sends. */
const ANSWERS = new Map<z.ZodType, z.ZodType>([
  [Token, sent('Token', 'An access token.', Token.in.omit({ expires_in: true }))],
  [Balance, sent('Balance', 'The balance of the float account.', Balance)],
  [CheckoutPayload, Checkout],
  [ChargeResponse, sent('ChargeAnswer', posted, ChargeAnswer, { redirect_url: true })],
  [ChargeStatus, Checkout],
  [Acknowledgement, PayoutAnswer],
  [PayoutResult, Payout],
  [AirtimeAcknowledgement, AirtimeAnswer],
  [AirtimeStatusList, z.array(Airtime)],
])

const { postCharge, getChargeStatus, ...others } = endpoints
// The partner whose account is dynamic has a share of every charge.
const extra_data = { split_settlements: [{ account: 'PARTNER-FEES', amount: 20, reason: 'Platform fee' }] }
const OF_CARD = { external_reference: 'BILL-2026-11-0002', payment_method_code: CARD, extra_data }
const WITH_OBJECT = ChargeRequest.extend({
  extra_data: field(Metadata.optional(), 'Data of the charge, which its payments have, too.'),
})
const FLAT = { ...postCharge, response: FlatAnswer, example: { extra_data } }
const CHARGES: Readonly<Record<ChargeDialect, Readonly<Record<string, Endpoint>>>> = {
  spec: { postCharge: { ...postCharge, request: WITH_OBJECT, example: { extra_data } }, getChargeStatus },
  flat: {
    chargeMobile: { ...FLAT, ...PATHS.mobile },
    chargeCard: { ...FLAT, ...PATHS.cards, example: OF_CARD },
    getTransaction: { ...getChargeStatus, path: FLAT_STATUS_PATH, response: Payment },
  },
}

const TAGS = {
  Authentication: 'The access token, which every other request carries. It is valid for one hour.',
  Checkout: 'Payments by customers on the hosted page.',
  Charge: 'Payments whose money is held until the service is confirmed, with shares for partner accounts.',
  Payout: 'Payouts to wallets, bank accounts and businesses.',
  Airtime: 'Airtime for 1 to 1000 recipients.',
  Account: 'Exchange rates and the balance of the float.',
  Callbacks: 'What the gateway posts to the callback_url of a request, or to an address that the portal has.',
}
const ABOUT = {
  title: 'Payment gateway',
  version: 'v1, v2',
  summary: 'The contract of the gateway, as its sandbox serves it.',
  description: 'Amounts are in major units.',
  tags: TAGS,
}
const description = 'The access token, in Authorization also after "Bearer".'
const header = (name: string) => ({ type: 'apiKey', in: 'header', name, description })
const SECURITY = { 'x-access-token': header('x-access-token'), authorization: header('Authorization') }

/** @param url The origin of the sandbox. */
export async function createDocument(dialect: ChargeDialect, url: string): Promise<Document> {
  const schemas: Schemas = {}
  const served = Object.entries<Endpoint>({ ...CHARGES[dialect], ...others }).map(([id, endpoint]) => ({
    ...endpoint,
    id,
    response: ANSWERS.get(endpoint.response) ?? endpoint.response,
  }))
  const operations: [string, string, Operation][] = []
  // Those of the requests and answers so far: the address of a query has one of them.
  let fields: z.ZodRawShape = {}
  for (const [index, endpoint] of served.entries()) {
    const { id, method, path, request, response } = endpoint
    fields = { ...fieldsOf(response), ...fields, ...fieldsOf(request) }
    const operation = await describe(schemas, endpoint, fields)
    // The callbacks of a request have the answer to the next query.
    const state = served.slice(index).find((each) => each.method === 'GET')
    if (state && 'callback_url' in fieldsOf(request)) {
      const post = callbackOf(schemas, `${id}Callback`, state.response)
      operation.callbacks = { result: { '{$request.body#/callback_url}': { post } } }
    }

    operations.push([method, path, operation])
  }

  const charge_callback_url = dialect === 'spec' ? Checkout : Payment
  const addresses = { airtime_callback_url: Airtime, charge_callback_url, b2c_callback_url: Payout }
  const webhooks = Object.entries(addresses).map(([id, schema]) => callbackOf(schemas, id, schema))
  return documentOf(ABOUT, url, operations, webhooks, { securitySchemes: SECURITY, schemas })
}

const fieldsOf = (schema: z.ZodType | null): z.ZodRawShape =>
  schema instanceof z.ZodObject ? schema.shape : {}
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

async function describe(schemas: Schemas, endpoint: Endpoint & { id: string }, fields: z.ZodRawShape) {
  const { id, family, method, path, token, echoes, request, response, example = {} } = endpoint
  const isPost = method === 'POST'
  // The confirmation of a service is of no family, nor are the rates and the balance.
  const tagOfNone = token === null ? 'authentication' : isPost ? 'charge' : 'account'
  const title = capital(id)
  const summary = title.replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const inPath = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  const names = isPost || inPath.length > 0 ? inPath : Object.values<string>(echoes)
  const isUnnamed = response instanceof z.ZodObject && !z.globalRegistry.has(response)
  const answer = isUnnamed ? sent(`${title}Answer`, `The answer to: ${summary}.`, response) : response
  const status = token === null || (isPost && family === 'charge') ? 201 : 200
  const tokens = token === null ? [] : [...new Set([token, 'x-access-token'])]
  return operationOf(schemas, {
    id,
    tag: capital(family ?? tagOfNone),
    summary,
    security: tokens.map((name) => ({ [name]: [] })),
    [names === inPath ? 'params' : 'query']: z.object(
      Object.fromEntries(names.map((name) => [name, fields[name] ?? z.string()])),
    ),
    ...(request && { body: { schema: request, example, ...(token !== null && { types: [JSON_TYPE] }) } }),
    responses: { [status]: answerOf(schemas, answer, 'Success.'), ...(await refusalsOf(schemas, endpoint)) },
  })
}

const answerOf = (schemas: Schemas, schema: z.ZodType, meaning: string) => ({
  description: meaning,
  content: { [JSON_TYPE]: { schema: schemaOf(schema, 'input', schemas) } },
})

const failures = (...reasons: readonly Failure['reason'][]) =>
  reasons.map((reason) => new Failure(reason, ''))
const fieldFailures = (...codes: readonly FieldCode[]) => codes.map((code) => fieldWrong('', code))
/** By a field of the request: how it can be wrong. */
const FAILURES: Readonly<Record<string, readonly Failure[]>> = {
  payer_msisdn: fieldFailures(CHECKOUT_CODE.msisdnMissing, CHECKOUT_CODE.invalidMsisdn),
  account_number: fieldFailures(CHECKOUT_CODE.accountMissing),
  currency_code: fieldFailures(CHECKOUT_CODE.invalidCurrency),
  base_currency: fieldFailures(CHECKOUT_CODE.invalidCurrency),
  service_code: failures('service_unknown', 'transaction_taken'),
  payment_id: failures('transaction_unknown', 'transaction_taken', 'not_possible_now'),
}

function failuresOf({ path, token, decides, unknownCode, echoes, request }: Endpoint): readonly Failure[] {
  const all = failures(token === null ? 'credentials_wrong' : 'token_missing', 'broken', 'fault')
  if (request) {
    all.push(...failures('body_unreadable', 'body_too_large', 'body_of_other_type'))
  }
  if (unknownCode !== null) {
    return [...all, ...failures('transaction_unknown')]
  }
  if (request && decides === 'body') {
    return [...all, fieldWrong(''), ...PAYOUT_ERROR_CODES.map((code) => rejected(code, ''))]
  }
  if (path.includes(':')) {
    return [...all, ...failures('not_found')]
  }

  const fields = Object.keys({ ...fieldsOf(request), ...echoes })
  return [...all, ...fields.flatMap((name) => FAILURES[name] ?? [])]
}

/** Describes the refusals of an endpoint, by their HTTP status. */
async function refusalsOf(schemas: Schemas, endpoint: Endpoint): Promise<Operation['responses']> {
  const { family, path, token, decides } = endpoint
  const acknowledgement = family === 'airtime' ? AirtimeRefusal : PayoutRefusal
  const schema = token === null ? Unauthenticated : decides === 'body' ? acknowledgement : Refusal
  const codesOf: Record<number, Set<string>> = {}
  for (const failure of failuresOf(endpoint)) {
    const answer = refuseAt(path, failure)
    const body = z.record(z.string(), z.unknown()).parse(await answer.json())
    const { status_code, status_description, response_code, error_code, error } = body
    const code = [status_code ?? response_code, status_description ?? error_code ?? error]
    const codes = (codesOf[answer.status] ??= new Set())
    codes.add(code.filter(Boolean).join(' '))
  }

  const describeCodes = (codes: Set<string>) => answerOf(schemas, schema, [...codes].join('; '))
  return Object.fromEntries(Object.entries(codesOf).map(([status, codes]) => [status, describeCodes(codes)]))
}

const AGAIN = 'Not received: sent again 1 minute, 1 hour and 48 hours after the first time.'

function callbackOf(schemas: Schemas, id: string, schema: z.ZodType): Operation {
  return operationOf(schemas, {
    id,
    tag: 'Callbacks',
    summary: `Receive ${id}`,
    description: 'A new state. It may come twice, or not at all: query the state, too.',
    body: { schema, types: [JSON_TYPE] },
    responses: { 200: { description: 'Received.' }, default: { description: AGAIN } },
  })
}

const TOKEN_COMMAND = String.raw`TOKEN=$(curl -s 'URL/v1/auth' -d 'consumer_key=sandbox-key' \
  -d 'consumer_secret=sandbox-secret' | sed 's/.*"access_token":"\([^"]*\).*/\1/')`

/** The page for people. Only the sandbox environment has a control. */
export function documentPage(document: Document, environment: Environment): Html {
  const url = document.servers[0]?.url ?? ''
  const intro = html`<p>
      The gateway's contract, as this sandbox serves it at <code>${url}</code>. This page as OpenAPI 3.1:
      <a href="/openapi.json">openapi.json</a>. What happens to the money: <a href="/portal">the portal</a>.
    </p>
    <p>To try a request, paste its command into a shell in which you have set the token:</p>
    <pre tabindex="0">${TOKEN_COMMAND.replace('URL', url)}</pre>`
  return referencePage(
    'Payment gateway',
    intro,
    document,
    environment === 'sandbox' ? [controlChapter()] : [],
  )
}

function controlChapter() {
  const routes = CONTROL_ROUTES.map(({ method, path, does }) =>
    article(`${method} ${path}`, `${method} ${path}`, [does]),
  )
  const faults = Object.entries(FAULTS).map(([name, does]) => `\`${name}\` ${does}.`)
  return {
    name: 'Control',
    description:
      'What no gateway has: scenarios, faults, the clock and snapshots, as JSON, without a token. For another merchant than the first, its paths follow /_sandbox/merchants/{client_code}.',
    articles: [...routes, article('faults', 'Faults', faults)],
  }
}
