import { expect, test } from 'vitest'
import { b2bPayout } from '../support/spec-payouts.ts'
import { CHECKS } from './checks.ts'
import { SEEDED, parseJson } from './connection.ts'
import { openGateway } from './gateway.ts'
import { connectToSandbox } from './in-process.ts'
import { rewritten } from './rewritten.ts'
import type { Connection, Json } from './connection.ts'

const LIMIT_MS = 120_000

/** The account numbers of the checks' payouts. */
const NUMBERS = [SEEDED.msisdn, b2bPayout.recipient_account_number]
const isMaskOf = (masked: string, number: string) =>
  number.length === masked.length && number.endsWith(masked.replaceAll('*', ''))

type Answer = { status: number; body: Json }
type Deviation = (answer: Answer, url: string) => Answer

/** What a gateway may do where the specification is silent. */
const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  'refuses tokens with 403, except of checkouts': (answer, url) =>
    answer.status === 401 && !/\/v2\/checkout|\/v1\/auth/.test(url) ? { ...answer, status: 403 } : answer,
  'has no code in a 401': ({ status, body }) =>
    status === 401 && body?.status_code === 132
      ? { status, body: { error: 'Unauthorized', message: body.message } }
      : { status, body },
  'shows whole account numbers': (answer) =>
    withAccountNumber(answer, (masked) => NUMBERS.find((number) => isMaskOf(masked, number)) ?? masked),
  'masks all of an account number': (answer) =>
    withAccountNumber(answer, (number) => '*'.repeat(number.length)),
  'succeeds with 200, 201 and 202 in turn, except of checkouts': (answer, url) =>
    answer.status < 300 && !url.includes('/v2/checkout/initiate')
      ? { ...answer, status: 200 + (url.length % 3) }
      : answer,
}

// Each deviation costs a run of the table, so all that can be together are together.
const STRICT = ['has no code in a 401', 'masks all of an account number']
const LAX = Object.keys(DEVIATIONS).filter((name) => !STRICT.includes(name))

test.each([
  ['stricter', STRICT],
  ['laxer', LAX],
])(
  'a gateway that is %s where the specification is silent passes: %j',
  { timeout: LIMIT_MS },
  async (_, names) => {
    const changed = new Set<string>()
    const gateway = await openGateway(deviating(names, changed))
    for (const check of CHECKS.filter(({ needs = [] }) => gateway.lacks(needs).length === 0)) {
      await check.run(gateway).catch((cause: unknown) => {
        throw new Error(`Fails against a gateway that ${names.join(', ')}: ${check.fact}`, { cause })
      })
    }
    expect([...changed].toSorted()).toEqual(names.toSorted())
  },
)

function deviating(names: readonly string[], changed: Set<string>): Connection {
  const connection = connectToSandbox()
  const { callbackReceiver } = connection
  const deviate = (given: Answer, url: string): Answer =>
    names.reduce((answer, name) => {
      const deviated = DEVIATIONS[name]?.(answer, url) ?? answer
      if (JSON.stringify(deviated) !== JSON.stringify(answer)) changed.add(name)
      return deviated
    }, given)
  return {
    ...connection,
    async fetch(url, init) {
      const response = await connection.fetch(url, init)
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      if (!isJson || url.includes('/_sandbox/')) return response
      const answer = deviate({ status: response.status, body: await response.json() }, url)
      return Response.json(answer.body, { status: answer.status })
    },
    callbackReceiver: {
      ...callbackReceiver,
      open: () => rewritten(callbackReceiver.open(), (body) => deviate({ status: 0, body }, '').body),
    },
  }
}

function withAccountNumber({ status, body }: Answer, change: (number: string) => string): Answer {
  const text = JSON.stringify(body, (name, value) =>
    name === 'account_number' && typeof value === 'string' && value.startsWith('*') ? change(value) : value,
  )
  return { status, body: parseJson(text ?? 'null') }
}
