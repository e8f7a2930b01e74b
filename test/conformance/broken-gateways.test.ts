import { expect, test } from 'vitest'

import { CHECKS, NOT_OBSERVABLE } from '../../server/conformance/all-checks.ts'
import { CLAIMS } from '../../server/conformance/claims.ts'
import { parseJson } from '../../server/conformance/connection.ts'
import { openGateway } from '../../server/conformance/gateway.ts'
import { readRows } from '../../server/conformance/specification.ts'
import { connectToSandbox } from './in-process.ts'

import type { Check } from '../../server/conformance/check.ts'
import type { Connection, Json, Mailbox } from '../../server/conformance/connection.ts'

const LIMIT_MS = 120_000
/** Without FULL, every third row is broken. */
const isFull = Boolean(process.env.FULL)
const LEAST_WITHOUT_CONTROL = 250

const ANSWERS = [
  'Token response fields',
  'Exchange rates',
  'Standard checkout response',
  'Checkout error object',
  'Checkout callback and status payload',
  'Payment record',
  'Float account balance',
  'Payout acknowledgement',
  'Payout result',
  'B2B callback and status payload',
  'Airtime callback and status entry',
  'Service processing confirmation / Response',
]
const NOT_RESPONSE_FIELDS = [
  'Exchange rates / Query parameter / base_currency',
  'Checkout callback and status payload / status query',
]

const CODES = [
  'Payout payment status',
  'Airtime service_status',
  'Checkout overall status',
  'Payment status inside checkout payment records',
  'Payout acknowledgement codes',
  'Payout error_code values',
  'Checkout errors',
]

const REQUESTS = [
  'Standard checkout request',
  'Local payout request',
  'International money transfer request',
  'B2B payout request',
  'Airtime request',
  'Charge request',
  'Service processing confirmation / Request',
]

const rows = readRows().map(({ id }) => id)
const lastOf = (id: string) => id.split(' / ').at(-1) ?? id
const under = (chapters: readonly string[]) =>
  rows.filter((id) => chapters.some((chapter) => id.startsWith(`${chapter} / `)))

test.for([
  ['200', 200, {}],
  ['a refusal', 400, { status_code: 172, status_description: 'No', message: 'No', response_code: 721 }],
  ['404', 404, {}],
] as const)(
  'no check passes against a gateway that answers everything with %s',
  { timeout: LIMIT_MS },
  async ([, status, body]) => {
    const passed: string[] = []
    const connection = constantAnswer(status, body)
    for (const check of CHECKS) {
      if (await passes(check, connection)) {
        passed.push(check.fact)
      }
    }

    expect(passed).toEqual([])
  },
)

test('rewriting the answers without a change breaks no check', { timeout: LIMIT_MS }, async () => {
  const gateway = await openGateway(changedAnswers((body) => body))
  for (const check of CHECKS.filter(({ needs = [] }) => gateway.lacks(needs).length === 0)) {
    await check.run(gateway)
  }
})

test('a field missing from an answer fails the checks of its row', { timeout: LIMIT_MS }, async () => {
  const fields = under(ANSWERS).filter((id) => !NOT_RESPONSE_FIELDS.includes(id))
  const nameOf = (id: string) => lastOf(id).replace('rates.<code>.', '')
  expect(await undetected(fields, (id) => changedAnswers(withoutField(nameOf(id))))).toEqual([])
})

test('a code that never occurs fails the checks of its row', { timeout: LIMIT_MS }, async () => {
  const codes = under(CODES).filter((id) => /^(\d{3}|[A-Z_]+)$/.test(lastOf(id)))
  expect(await undetected(codes, (id) => changedAnswers(withoutCode(lastOf(id))))).toEqual([])
})

test('accepting a wrong request fails the checks of its field', { timeout: LIMIT_MS }, async () => {
  // What a note says beyond the refusal of a field has checks of its own.
  const isClaim = (id: string) => id.slice(0, id.lastIndexOf(' / ')) in CLAIMS
  const fields = under(REQUESTS).filter((id) => !/ \/ (optional|values as strings)$/.test(id) && !isClaim(id))
  expect(await undetected(fields, acceptingEverything)).toEqual([])
})

test('accepting any token fails the checks of the endpoint', { timeout: LIMIT_MS }, async () => {
  const endpoints = rows.filter((id) => id.endsWith(' / token'))
  expect(await undetected(endpoints, ignoringTokens)).toEqual([])
})

test('an empty portal, and a production that takes everything, fail the checks of their rows', async () => {
  const claims = ['new keys', 'onboarding', 'funds', 'production keys']
  const ids = rows.filter(
    (id) =>
      id.startsWith('General behaviour / 3 / ') ||
      (/^General behaviour \/ [24] /.test(id) && claims.includes(lastOf(id))),
  )
  expect(ids).toHaveLength(7 + claims.length)
  expect(await undetected(ids, takingEverythingInProduction)).toEqual([])
})

test('a gateway without /_sandbox passes the checks that do not need it', { timeout: LIMIT_MS }, async () => {
  const gateway = await openGateway(withoutControl())
  const checks = CHECKS.filter((check) => gateway.lacks(check.needs ?? []).length === 0)
  expect(checks.length).toBeGreaterThan(LEAST_WITHOUT_CONTROL)
  for (const check of checks) {
    await check.run(gateway)
  }

  expect(gateway.lacks(['control', 'callbacks', 'charges'])).toEqual(['control', 'callbacks', 'charges'])
})

async function undetected(ids: string[], breakGateway: (id: string) => Connection): Promise<string[]> {
  expect(ids.length).toBeGreaterThan(0)
  const kept: string[] = []
  const breakable = ids.filter((each) => !(each in NOT_OBSERVABLE))
  for (const id of breakable.filter((_, index) => isFull || index % 3 === 0)) {
    const checks = CHECKS.filter((check) => check.rows.includes(id))
    const results = await Promise.all(checks.map((check) => passes(check, breakGateway(id))))
    if (results.every(Boolean)) {
      kept.push(id)
    }
  }

  return kept
}

async function passes(check: Check, connection: Connection): Promise<boolean> {
  try {
    await check.run(await openGateway(connection))
    return true
  } catch {
    return false
  }
}

function constantAnswer(status: number, body: object): Connection {
  // The portal has no JSON that could be broken.
  const { portal: _, other: __, newProduction: ___, ...connection } = connectToSandbox()
  return {
    ...connection,
    fetch: (url) =>
      url.includes('/_sandbox/')
        ? Response.json({ now: '2026-11-21T09:00:00.000Z', speed: 0 })
        : Response.json(body, { status }),
  }
}

function changedAnswers(change: (body: Json) => Json): Connection {
  const connection = connectToSandbox()
  const { callbackReceiver } = connection
  return {
    ...connection,
    async fetch(url, init) {
      const response = await connection.fetch(url, init)
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      if (!isJson || url.includes('/_sandbox/')) {
        return response
      }
      return Response.json(change(await response.json()), { status: response.status })
    },
    callbackReceiver: { ...callbackReceiver, open: () => rewritten(callbackReceiver.open(), change) },
  }
}

const withoutField = (field: string) => changing((name, value) => (name === field ? undefined : value))

const withoutCode = (code: string) =>
  changing((_, value) => (String(value) === code ? (typeof value === 'number' ? 999 : 'OTHER') : value))

function changing(change: (name: string, value: unknown) => unknown): (body: Json) => Json {
  return (body) => parseJson(JSON.stringify(body, change))
}

function acceptingEverything(): Connection {
  const connection = connectToSandbox()
  return {
    ...connection,
    async fetch(url, init) {
      const response = await connection.fetch(url, init)
      if (response.ok || init.method !== 'POST' || url.includes('/_sandbox/')) {
        return response
      }

      const body = parseJson(init.body ?? '')
      return Response.json({ ...body, response_code: 720, response_description: 'Taken.', status_code: 176 })
    },
  }
}

function takingEverythingInProduction(): Connection {
  const connection = connectToSandbox()
  return {
    ...connection,
    portal: async () => '',
    async newProduction() {
      const { connection: production, portal } = await connection.newProduction()
      const fetch = () => Response.json({ access_token: 'any', response_code: 720 })
      return { connection: { ...production, fetch }, portal }
    },
  }
}

function withoutControl(): Connection {
  const { callbackReceiver: _, ...connection } = connectToSandbox()
  const isHidden = (url: string) => url.includes('/_sandbox/')
  return {
    ...connection,
    fetch: (url, init) =>
      isHidden(url) ? new Response('None', { status: 404 }) : connection.fetch(url, init),
  }
}

function ignoringTokens(): Connection {
  const connection = connectToSandbox()
  return {
    ...connection,
    async fetch(url, init) {
      if (url.endsWith('/v1/auth')) {
        return connection.fetch(url, init)
      }

      const token = await (await openGateway(connection)).token()
      const headers = { ...init.headers, 'x-access-token': token, authorization: token }
      return connection.fetch(url, { ...init, headers })
    },
  }
}

/** Returns a mailbox whose callbacks have other bodies. */
function rewritten(mailbox: Mailbox, change: (body: Json) => Json): Mailbox {
  return {
    url: mailbox.url,
    get received() {
      return mailbox.received.map((callback) => ({ ...callback, body: change(callback.body) }))
    },
    get answers() {
      return mailbox.answers
    },
    set answers(status) {
      mailbox.answers = status
    },
  }
}
