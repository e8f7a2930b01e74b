import { endpoints } from '../../server/contract/endpoints.ts'
import { airtimeEntry } from '../support/spec/airtime.ts'
import { localPayout } from '../support/spec/payouts.ts'
import {
  authAnswer,
  authAnswerOfRates,
  authFailures,
  checkoutErrors,
  checkoutPayload,
  codes,
  initiateAnswer,
  paymentRecord,
} from '../support/spec/shapes.ts'
import { GATEWAY } from '../support/worlds/environment.ts'
import { jsonNear } from './json.ts'

import type { FetchAnswer } from '../../server/http/exchange.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Values } from './json.ts'

export type EndpointName = keyof typeof endpoints

const ACCEPTED = { payout_reference: 'WAGES-1', response_code: 720, response_description: 'Accepted' }
export const REJECTED = { ...ACCEPTED, response_code: 721, error_code: 'INSUFFICIENT_BALANCE' }
const PAYOUT = {
  payment_status: 700,
  amount: '1500.00',
  currency: 'KES',
  message: 'Done',
  transaction_time: '2026-11-21 12:00:00',
}

export const ORDER = { order: 'A-1', amount: '500', currency: 'KES', narration: 'Two kangas' }

const PAID = { ...checkoutPayload, payments: [{ ...paymentRecord, external_reference: null }] }
const UNPAID = { ...checkoutPayload, amount: '0', payments: [], status: 803 }

/** Answers of each endpoint, written from the specification's tables. */
export const ANSWERS: Record<EndpointName, readonly [object, ...object[]]> = {
  authenticate: [authAnswer, authAnswerOfRates],
  initiateCheckout: [initiateAnswer],
  getCheckoutStatus: [UNPAID, PAID],
  getRates: [
    {
      base_currency: 'KES',
      rates: { UGX: { buying: '28.1', selling: '28.9' }, USD: { buying: '0.0077', selling: '0.0079' } },
    },
  ],
  getBalance: [{ balance: '1000000.00', currency: 'KES', status: 'ACTIVE' }],
  initiatePayout: [ACCEPTED, REJECTED],
  initiateTransfer: [ACCEPTED, REJECTED],
  getPayoutStatus: [
    {
      payout_reference: 'WAGES-1',
      destination: 'MOMO_KEN',
      data: { ...PAYOUT, recipient_phone_number: localPayout.recipient_phone_number },
    },
  ],
  initiateB2b: [ACCEPTED, REJECTED],
  getB2bStatus: [
    { payout_reference: 'SUPPLIER-1', transaction_id: '9', ...PAYOUT, account_number: '400200' },
  ],
  sendAirtime: [{ reference: 'AIRTIME-1', response_code: 720, response_description: 'Accepted' }],
  getAirtimeStatus: [
    [airtimeEntry, { ...airtimeEntry, phone_number: '254700000002', amount: '50.00', service_status: 603 }],
    [],
  ],
  postCharge: [
    {
      status_code: 176,
      status_description: 'Posted',
      charge_request_id: '551200',
      external_reference: 'ORDER-7731',
      total_amount: '1500',
      currency_code: 'KES',
      redirect_url: `${GATEWAY}/pay/551200`,
      html: '<form></form>',
      expires_at: '2026-11-21T09:30:00Z',
    },
  ],
  getChargeStatus: [UNPAID, PAID, paymentRecord],
  confirmService: [{ payment_id: '771200', message: 'Confirmed' }],
}

export const REFUSALS = [...checkoutErrors, ...authFailures, REJECTED]

const NAMES = Object.keys(endpoints).filter((name): name is EndpointName => name in endpoints)

/** Returns the gateway's answers to a request, with the fields that repeat those of the request. */
export function answersTo(method: string, url: URL, body: string | undefined, now: number): object[] {
  for (const name of NAMES) {
    const endpoint = endpoints[name]
    const pattern = new RegExp(`^${endpoint.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    const match = endpoint.method === method ? pattern.exec(url.pathname) : null
    if (!match) {
      continue
    }

    const given = Object.entries(match.groups ?? {}).map(([part, text]) => [part, decodeURIComponent(text)])
    const asked = { ...Object.fromEntries([...given, ...url.searchParams]), ...JSON.parse(body ?? '{}') }
    const own: Record<string, unknown> = {}
    for (const [field, from] of Object.entries(endpoint.echoes)) {
      own[field] = asked[from]
    }

    if (name === 'initiateCheckout' || name === 'postCharge') {
      Object.assign(own, {
        expires_at: new Date(now + 1_800_000).toISOString(),
        redirect_url: `${GATEWAY}/pay/1`,
      })
    }

    const echo = (answer: object): object =>
      Array.isArray(answer) ? answer.map(echo) : { ...answer, ...own }
    return ANSWERS[name].map(echo)
  }

  return [{}]
}

const STATUSES = [201, 204, 302, 400, 401, 403, 404, 408, 409, 429, 500, 502, 503] as const

/** Returns an answer near the right ones, another endpoint's answer, a refusal, or no answer at all. */
export function hostileAnswer(random: SeededRandom, answers: readonly object[]): FetchAnswer {
  if (random.happens(0.03)) {
    throw new TypeError('fetch failed')
  }

  const examples = random.happens(0.85) ? answers : [...REFUSALS, ...Object.values(ANSWERS).flat()]
  const text = random.happens(0.5)
    ? JSON.stringify(random.pick(examples))
    : jsonNear(random, { examples, values: VALUES })
  return reply(random.happens(0.7) ? 200 : random.pick(STATUSES), text)
}

/** The codes that decide what an answer means. */
export const VALUES: Values = {
  status: codes.checkoutStatus.map(String),
  payment_status: codes.paymentStatus.map(String),
  service_status: codes.airtimeStatus.map(String),
  response_code: codes.acknowledgementCode.map(String),
  status_code: codes.checkoutCode.map(String),
  error_code: ['INVALID_ACCESS_TOKEN', 'INSUFFICIENT_BALANCE', 'UNAUTHORIZED'],
}

export function reply(status: number, text: string): FetchAnswer {
  return { status, body: once(new TextEncoder().encode(text)) }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
