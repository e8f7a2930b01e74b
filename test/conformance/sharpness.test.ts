/** No check is so kind that it passes whatever a gateway does. */

import { expect, test } from 'vitest'
import { CHECKS } from './checks.ts'
import { openGateway } from './gateway.ts'
import { readRows } from './specification.ts'
import { foreign, hollow, open, saying, taking, without, withoutCode } from './spoilt.ts'
import type { Check } from './check.ts'
import type { Door } from './door.ts'

const LIMIT_MS = 120_000
const LEAST_WITHOUT_CONTROL = 250

/** Chapters whose rows are fields of an answer. */
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
]
/** Rows of those chapters that are no field. */
const NO_FIELDS = [
  'Exchange rates / Query parameter / base_currency',
  'Checkout callback and status payload / status query',
]

/** Chapters whose rows are codes. */
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
]

const rows = readRows()
const lastOf = (id: string) => id.split(' / ').at(-1) ?? id
const isProved = (id: string) => CHECKS.some((check) => check.rows.includes(id))

test.for([
  ['yes', 200, {}],
  ['no', 400, { status_code: 172, status_description: 'No', message: 'No', response_code: 721 }],
  ['nothing of it', 404, {}],
] as const)(
  'no check passes against a gateway that says %s to everything',
  { timeout: LIMIT_MS },
  async ([, status, body]) => {
    const passed: string[] = []
    for (const check of CHECKS) if (await passes(check, hollow(status, body))) passed.push(check.fact)
    expect(passed).toEqual([])
  },
)

const fields = rows.filter(({ id, section }) => ANSWERS.includes(section) && !NO_FIELDS.includes(id))
test('a field that is missing from an answer fails its row', { timeout: LIMIT_MS }, async () => {
  const field = (id: string) => lastOf(id).replace('rates.<code>.', '')
  expect(
    await unnoticed(
      fields.map(({ id }) => id),
      (id) => saying(without(field(id))),
    ),
  ).toEqual([])
})

const codes = rows.filter(
  ({ id, section }) => CODES.includes(section) && /^(\d{3}|[A-Z_]+)$/.test(lastOf(id)),
)
test('a code that is never said fails its row', { timeout: LIMIT_MS }, async () => {
  expect(
    await unnoticed(
      codes.map(({ id }) => id),
      (id) => saying(withoutCode(lastOf(id))),
    ),
  ).toEqual([])
})

const requirements = rows.filter(
  ({ id, section }) => REQUESTS.includes(section) && !/ \/ (optional|values as strings)$/.test(id),
)
test('a wrong request that is taken fails the row of its field', { timeout: LIMIT_MS }, async () => {
  const lenient = (body: Record<string, unknown> | null) => ({
    ...body,
    response_code: 720,
    response_description: 'Taken.',
    checkout_reference: 'taken',
  })
  expect(
    await unnoticed(
      requirements.map(({ id }) => id),
      () => taking(lenient),
    ),
  ).toEqual([])
})

const doors = rows.filter(({ id }) => id.endsWith(' / token'))
test('an endpoint that lets everybody in fails its row', { timeout: LIMIT_MS }, async () => {
  expect(
    await unnoticed(
      doors.map(({ id }) => id),
      open,
    ),
  ).toEqual([])
})

test('a gateway without control is held to all that needs none', { timeout: LIMIT_MS }, async () => {
  const gateway = await openGateway(foreign())
  const checks = CHECKS.filter((check) => gateway.lacks(check.needs ?? []).length === 0)
  expect(checks.length).toBeGreaterThan(LEAST_WITHOUT_CONTROL)
  for (const check of checks) await check.run(gateway)
  expect(gateway.lacks(['control', 'callbacks'])).toEqual(['control', 'callbacks'])
})

/** Rows of which every check passes, though the gateway breaks the rule. */
async function unnoticed(ids: string[], spoil: (id: string) => Door): Promise<string[]> {
  expect(ids.length).toBeGreaterThan(0)
  const kept: string[] = []
  for (const id of ids.filter(isProved)) {
    const checks = CHECKS.filter((check) => check.rows.includes(id))
    const results = await Promise.all(checks.map((check) => passes(check, spoil(id))))
    if (results.every(Boolean)) kept.push(id)
  }
  return kept
}

async function passes(check: Check, door: Door): Promise<boolean> {
  try {
    await check.run(await openGateway(door))
    return true
  } catch {
    return false
  }
}
