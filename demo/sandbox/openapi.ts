// The contract of the gateway as an OpenAPI document. The requests are those of `server/contract/`, the answers are what
// this sandbox sends, and the failures come from the code that refuses.

import { html } from 'hono/html'
import { z } from 'zod'
import { Token } from '../../server/contract/authentication.ts'
import { Balance } from '../../server/contract/balance.ts'
import { AirtimeAcknowledgement, AirtimeEntry, AirtimeRequest } from '../../server/contract/airtime.ts'
import { ChargeRequest, ChargeResponse, ConfirmationAnswer, Metadata } from '../../server/contract/charge.ts'
import {
  CheckoutPayload,
  InitiateRequest,
  InitiateResponse,
  PaymentRecord,
} from '../../server/contract/checkout.ts'
import { field, text } from '../../server/contract/description.ts'
import { endpoints } from '../../server/contract/endpoints.ts'
import { AuthenticationError, CheckoutError } from '../../server/contract/errors.ts'
import { currency, decimal } from '../../server/contract/fields.ts'
import { Acknowledgement, B2bRequest, B2bResult, PAYOUT_ERROR_CODES } from '../../server/contract/payout.ts'
import { PayoutRequest, PayoutResult } from '../../server/contract/payout.ts'
import { Rates } from '../../server/contract/rates.ts'
import { contentOf, documentOf, parametersOf, schemaOf } from '../../server/openapi/document.ts'
import { referencePage } from '../../server/openapi/page.ts'
import { CARD } from './merchant.ts'
import { FLAT_STATUS_PATH, PATHS } from './sessions/charge.ts'
import { fieldWrong, refuseAt, refused, rejected } from './wire/failure.ts'
import type { Document, JsonSchema, Operation, Schemas } from '../../server/openapi/document.ts'
import type { Html } from '../../server/openapi/page.ts'
import type { ChargeDialect } from './sessions/session.ts'
import type { Failure, FieldCode } from './wire/failure.ts'

/** What other gateways say beside a payment. */
const WORDS = { status_code: true, status_description: true, message: true } as const
const Payment = PaymentRecord.omit(WORDS)
  .extend({
    event: text('successful_, failed_ or pending_payment, or payment_status.', 'successful_payment'),
    amount: field(decimal, 'Amount, as decimal text in major units.', '1500.00'),
    extra_data: field(z.looseObject({}).or(z.string()), 'That of the charge; empty of a checkout.', {}),
    client_code: text('Your client code.', 'SANDBOX'),
    country_code: text('Country code, ISO 3166-1 alpha-3.', 'KEN'),
    payer_msisdn: text('Phone number of the customer.', '254700000001'),
    payer_narration: text('Your narration or description.', 'Two kangas'),
  })
  .required()
  .meta({ id: 'PaymentRecord', description: 'A payment of a checkout or a charge.' })
const ChargeRecord = Payment.partial({ transaction_id: true })
const Checkout = CheckoutPayload.omit(WORDS)
  .extend({
    amount: field(decimal, 'Amount received, as decimal text in major units.', '1500'),
    narration: text('Your narration or description.', 'Two kangas'),
    payments: field(z.array(Payment), 'All payments, the oldest first.'),
    timestamp: text('Time of the last change. ISO 8601, UTC.', '2026-11-21T09:04:00.000Z'),
  })
  .required()
  .meta({ id: 'Checkout', description: 'The state of a checkout or a charge.' })
const Details = PayoutResult.shape.data.required().partial({ bank_code: true })
const Payout = PayoutResult.extend({ data: field(Details, 'Details of the payout.') })
  .required()
  .meta({ id: 'PayoutResult', description: 'The state of a local or an international payout.' })
const B2b = B2bResult.required().meta({ id: 'B2bResult', description: 'The state of a B2B payout.' })
const Airtime = AirtimeEntry.required()
  .extend({ amount: field(z.number(), 'Amount, in major units of the local currency.', 100) })
  .meta({ id: 'AirtimeEntry', description: 'The state of the airtime of one recipient.' })

const Authenticated = Token.in.omit({ expires_in: true }).required()
const Posted = ChargeResponse.omit({ auth_url: true, html: true })
  .extend({
    service_amount: text('The amount of the request, as decimal text.', '1500.00'),
    transaction_charge: text('The transaction charge, as decimal text.', '0.00'),
  })
  .required()
  .partial({ redirect_url: true })
const FlatPosted = Posted.omit({ currency_code: true, redirect_url: true, expires_at: true }).extend({
  auth_url: ChargeResponse.shape.auth_url,
  transaction_charge: field(z.number(), 'The transaction charge.', 0),
  auth_available: field(z.boolean(), 'Whether the payer authorizes the payment at auth_url.'),
})

const accepted = field(z.literal(720), 'The request was accepted.')
const AirtimeAccepted = AirtimeAcknowledgement.required().extend({ response_code: accepted })
const { payout_reference, ...refusal } = Acknowledgement.shape
const PayoutAccepted = AirtimeAccepted.omit({ reference: true }).extend({ payout_reference }).required()
const { reference } = AirtimeAcknowledgement.shape
const description = 'Why a request is refused.'
const REFUSALS = [
  ['/v1/auth', AuthenticationError.meta({ id: 'AuthenticationError', description })],
  ['/v1/payouts/', Acknowledgement.required().meta({ id: 'PayoutRefusal', description })],
  [
    '/v1/gw/',
    z
      .object({ reference, ...refusal })
      .required()
      .meta({ id: 'AirtimeRefusal', description }),
  ],
  ['/', CheckoutError.meta({ id: 'CheckoutError', description })],
] as const

const TAGS = {
  Authentication: 'The access token, which every other request carries. It is valid for one hour.',
  Checkouts: 'Payments by customers on the hosted page.',
  Charges: 'Payments whose money is held until the service is confirmed, with shares for partner accounts.',
  Payouts: 'Payouts to wallets, bank accounts and businesses.',
  Airtime: 'Airtime for 1 to 1000 recipients.',
  Accounts: 'Exchange rates and the balance of the float.',
  Callbacks: 'What the gateway posts to the callback_url of a request, or to an address that the portal has.',
}

const because = (...reasons: readonly Failure['reason'][]) =>
  reasons.map((reason) => refused(reason, '').failure)
const wrong = (...codes: readonly FieldCode[]) => codes.map((code) => fieldWrong('', code).failure)
const BODY = because('body_unreadable', 'body_too_large', 'body_of_other_type', 'broken', 'fault')
const READ = because('token_missing', 'broken', 'fault')
const CREDENTIALS = [...BODY, ...because('credentials_wrong')]
const RATES = [...READ, ...wrong(115)]
const BALANCE = [...READ, ...because('not_found')]
const QUERY = [...READ, ...because('transaction_unknown')]
const FIELDS = [...READ, ...BODY, ...wrong(172)]
const PAY_IN = [...FIELDS, ...wrong(109, 110, 120), ...because('service_unknown', 'transaction_taken')]
const CHARGE = [...PAY_IN, ...wrong(115)]
const CONFIRM = [...FIELDS, ...because('transaction_unknown', 'transaction_taken', 'not_possible_now')]
const PAYOUT = [...READ, ...BODY, ...[null, ...PAYOUT_ERROR_CODES].map((code) => rejected(code, '').failure)]

/** The last entry is what the `callback_url` of a request receives; of a GET, what has the fields of its address. */
type Row = readonly [Tag, summary: string, answer: z.ZodType, failures: readonly Failure[], z.ZodObject?]
type Tag = keyof typeof TAGS
const ROWS: Readonly<Record<string, Row>> = {
  authenticate: ['Authentication', 'Create a token', Authenticated, CREDENTIALS],
  initiateCheckout: ['Checkouts', 'Create a checkout', InitiateResponse, PAY_IN, Checkout],
  getCheckoutStatus: ['Checkouts', 'Retrieve a checkout', Checkout, QUERY, InitiateRequest],
  confirmService: ['Charges', 'Confirm the service', ConfirmationAnswer.required(), CONFIRM],
  initiatePayout: ['Payouts', 'Create a local payout', PayoutAccepted, PAYOUT, Payout],
  initiateTransfer: ['Payouts', 'Create an international payout', PayoutAccepted, PAYOUT, Payout],
  getPayoutStatus: ['Payouts', 'Retrieve a payout', Payout, QUERY, PayoutRequest],
  initiateB2b: ['Payouts', 'Create a B2B payout', PayoutAccepted, PAYOUT, B2b],
  getB2bStatus: ['Payouts', 'Retrieve a B2B payout', B2b, QUERY, B2bRequest],
  sendAirtime: ['Airtime', 'Create airtime', AirtimeAccepted, PAYOUT],
  getAirtimeStatus: ['Airtime', 'Retrieve airtime', z.array(Airtime), QUERY, AirtimeRequest],
  getRates: ['Accounts', 'Retrieve exchange rates', Rates, RATES, z.object({ base_currency: currency })],
  getBalance: ['Accounts', 'Retrieve a balance', Balance.required(), BALANCE, ChargeRequest],
}

interface Endpoint {
  family: string | null
  method: string
  path: string
  token: string | null
  request: z.ZodType | null
}
type Described = readonly [id: string, Endpoint, Row]
const { postCharge, getChargeStatus } = endpoints
const extra_data = field(Metadata.optional(), 'Data of the charge, which its payments have, too.')
const SPEC_CHARGE = ChargeRequest.extend({ extra_data })
const FLAT_STATUS = { ...getChargeStatus, path: FLAT_STATUS_PATH }
const CHARGES: Readonly<Record<ChargeDialect, readonly Described[]>> = {
  spec: [
    ['postCharge', { ...postCharge, request: SPEC_CHARGE }, ['Charges', 'Create a charge', Posted, CHARGE]],
    ['getChargeStatus', getChargeStatus, ['Charges', 'Retrieve a charge', Checkout, QUERY, ChargeRequest]],
  ],
  flat: [
    ['chargeMobile', { ...postCharge, ...PATHS.mobile }, ['Charges', 'Charge a wallet', FlatPosted, CHARGE]],
    ['chargeCard', { ...postCharge, ...PATHS.cards }, ['Charges', 'Charge a card', FlatPosted, CHARGE]],
    ['getTransaction', FLAT_STATUS, ['Charges', 'Retrieve a charge', ChargeRecord, QUERY, FlatPosted]],
  ],
}

/** What the examples of requests have beside the required fields: the partner whose account is dynamic has a share. */
const SHARES = { split_settlements: [{ account: 'PARTNER-FEES', amount: 20, reason: 'Platform fee' }] }
const OF_CARD = { external_reference: 'BILL-2026-11-0002', payment_method_code: CARD }

/** @param url The origin of the sandbox. */
export async function createDocument(dialect: ChargeDialect, url: string): Promise<Document> {
  const schemas: Schemas = {}
  const operations: [string, string, Operation][] = []
  const others = Object.entries(endpoints).flatMap(([id, endpoint]): Described[] => {
    const row = ROWS[id]
    return row ? [[id, endpoint, row]] : []
  })
  for (const [id, endpoint, row] of [...CHARGES[dialect], ...others])
    operations.push([endpoint.method, endpoint.path, await operationOf(id, endpoint, row, schemas)])
  const title = 'Payment gateway'
  const summary = 'The contract of the gateway, as its sandbox serves it.'
  const about = {
    title,
    version: 'v1, v2',
    summary,
    description: 'Amounts are in major units.',
    tags: TAGS,
    url,
  }
  const webhooks = [
    callbackOf('airtime_callback_url', Airtime, schemas),
    callbackOf('charge_callback_url', dialect === 'spec' ? Checkout : ChargeRecord, schemas),
    callbackOf('b2c_callback_url', Payout, schemas),
  ]
  return documentOf(about, operations, webhooks, { securitySchemes: SECURITY, schemas })
}

const HEADER = {
  type: 'apiKey',
  in: 'header',
  description: 'The access token, in Authorization also after "Bearer".',
}
const SECURITY = {
  token: { ...HEADER, name: 'x-access-token' },
  authorization: { ...HEADER, name: 'Authorization' },
}
const JSON_TYPE = 'application/json'
const CALLBACK_URL = '{$request.body#/callback_url}'

async function operationOf(
  id: string,
  { family, method, path, token, request }: Endpoint,
  [tag, summary, answer, failures, beside]: Row,
  schemas: Schemas,
): Promise<Operation> {
  const isQuery = !path.includes(':')
  const given = Object.entries(beside?.shape ?? {}).filter(([name]) => isQuery || path.includes(`:${name}`))
  const types = token === null ? [JSON_TYPE, 'application/x-www-form-urlencoded'] : [JSON_TYPE]
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Answer`
  const isNamed = answer instanceof z.ZodArray || z.globalRegistry.get(answer)?.id !== undefined
  const schema = isNamed ? answer : answer.meta({ id: name, description: `The answer to: ${summary}.` })
  const status = token === null || (family === 'charge' && method === 'POST') ? 201 : 200
  const example = family === 'charge' ? { extra_data: SHARES, ...(id === 'chargeCard' && OF_CARD) } : {}
  const parameters = z.object(Object.fromEntries(method === 'GET' ? given : []))
  return {
    operationId: id,
    tags: [tag],
    summary,
    security:
      token === null
        ? []
        : token === 'authorization'
          ? [{ authorization: [] }, { token: [] }]
          : [{ token: [] }],
    parameters: parametersOf(isQuery ? 'query' : 'path', parameters),
    ...(request && {
      requestBody: { required: true, content: contentOf(request, example, types, schemas) },
    }),
    responses: {
      [status]: contentWith('Success.', schemaOf(schema, 'input', schemas)),
      ...(await refusalsOf(path, failures, schemas)),
    },
    ...(method === 'POST' &&
      beside && {
        callbacks: { result: { [CALLBACK_URL]: { post: callbackOf(`${id}Callback`, beside, schemas) } } },
      }),
  }
}

const contentWith = (description: string, schema: JsonSchema) => ({
  description,
  content: { [JSON_TYPE]: { schema } },
})

/** Describes the refusals of an endpoint, by their HTTP status. */
async function refusalsOf(path: string, failures: readonly Failure[], schemas: Schemas) {
  const words = new Map<number, Set<string>>()
  for (const failure of failures) {
    const answer = refuseAt(path, failure)
    const body = z.record(z.string(), z.unknown()).parse(await answer.json())
    const { status_code, status_description, response_code, error_code, error } = body
    const said = [status_code ?? response_code, status_description ?? error_code ?? error]
    words.set(answer.status, (words.get(answer.status) ?? new Set()).add(said.filter(Boolean).join(' ')))
  }
  const [, refusal] = REFUSALS.find(([prefix]) => path.startsWith(prefix)) ?? []
  const schema = refusal ? schemaOf(refusal, 'input', schemas) : {}
  return Object.fromEntries(
    [...words].map(([status, texts]) => [status, contentWith([...texts].join('; '), schema)]),
  )
}

function callbackOf(operationId: string, payload: z.ZodType, schemas: Schemas): Operation {
  return {
    operationId,
    tags: ['Callbacks'],
    summary: `Receive ${operationId}`,
    description: 'A new state. It may come twice, or not at all: query the state, too.',
    parameters: [],
    requestBody: {
      required: true,
      content: { [JSON_TYPE]: { schema: schemaOf(payload, 'input', schemas) } },
    },
    responses: {
      200: { description: 'Received.' },
      default: {
        description: 'Not received: sent again 1 minute, 1 hour and 48 hours after the first time.',
      },
    },
  }
}

const TOKEN_COMMAND = String.raw`TOKEN=$(curl -s 'URL/v1/auth' -d 'consumer_key=sandbox-key' \
  -d 'consumer_secret=sandbox-secret' | sed 's/.*"access_token":"\([^"]*\).*/\1/')`

/** The page for people. */
export function documentPage(document: Document): Html {
  const url = document.servers[0]?.url ?? ''
  const intro = html`<p>
      The gateway's contract, as this sandbox serves it at <code>${url}</code>. This page as OpenAPI 3.1:
      <a href="/openapi.json">openapi.json</a>. What happens to the money: <a href="/portal">the portal</a>.
    </p>
    <p>To try a request, paste its command into a shell in which you have set the token:</p>
    <pre tabindex="0">${TOKEN_COMMAND.replace('URL', url)}</pre>`
  return referencePage('Payment gateway', intro, document)
}
