import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'

import { CHECKS } from '../../server/conformance/all-checks.ts'
import { openGateway } from '../../server/conformance/gateway.ts'
import { attempt, describeVerdicts, planOf, verdictsOf, VERDICTS } from '../../server/conformance/grade.ts'
import { watch } from '../support/openapi-watcher.ts'
import { connectToLookAlike, connectToSandbox } from './in-process.ts'
import { serveBoth } from './over-http.ts'

import type { Check } from '../../server/conformance/check.ts'
import type { Connection } from '../../server/conformance/connection.ts'
import type { Outcome } from '../../server/conformance/grade.ts'

interface Subject {
  name: string
  connection: Connection
  checks: readonly Check[]
  close?: () => void | Promise<void>
  /** What the OpenAPI document does not say of the requests, answers and callbacks so far. */
  result?: Awaited<ReturnType<typeof watch>>['result']
}

const README = readFileSync(new URL('README.md', import.meta.url), 'utf8')
const RESULTS = readFileSync(new URL('results.txt', import.meta.url), 'utf8')
/** In the look-alike there is one merchant, without partners and without test funds. */
const NOT_IN_PRODUCTION = [
  'sandbox: General behaviour / 4 / test funds',
  'foreign service: Standard checkout request / service_code / own',
  'foreign service: Checkout errors / 172 / service of another',
  ...['split_settlements', 'account', 'amount', 'reason', 'dynamic accounts'].map(
    (field) => `partners: Charge request / ${field}`,
  ),
]
const NOT_WITH_FLAT_CHARGES = ['pages: What the service does / Charge requests / hosted page']
const isFull = Boolean(process.env.FULL)
// What another transport can break shows in a few checks of each kind.
const OVER_HTTP = CHECKS.filter((_, index) => isFull || index % 5 === 0)
// Charges are all that differs between the dialects.
const OF_CHARGES = CHECKS.filter(({ needs = [] }) => isFull || needs.includes('charges'))
const watched = await watch(connectToSandbox())
const watchedFlat = await watch(connectToSandbox('flat'))
const subjects: Subject[] = [
  { name: 'sandbox', checks: CHECKS, ...watched },
  { name: 'sandbox, flat charges', checks: OF_CHARGES, ...watchedFlat },
  { name: 'look-alike of production', checks: CHECKS, connection: await connectToLookAlike('spec') },
  {
    name: 'look-alike of production, flat charges',
    checks: OF_CHARGES,
    connection: await connectToLookAlike('flat'),
  },
  await overHttp(),
]

for (const { name, checks, connection, close, result } of subjects) {
  const gateway = await openGateway(connection)

  describe(name, { timeout: 60_000 }, () => {
    const outcomes = new Map<Check, Outcome>()

    test.for(checks)('$fact', async (check, { skip }) => {
      const outcome = await attempt(check, gateway)
      outcomes.set(check, outcome)
      skip(outcome.verdict === 'skipped', outcome.reason)
      if (outcome.verdict === 'failed') {
        throw outcome.error
      }
    })

    const planned = planOf(gateway)
    const counts = VERDICTS.map((wanted) => planned.filter(({ verdict }) => verdict === wanted).length)

    test('the README counts the rows of this gateway', () => {
      const [passed, , ...others] = counts
      expect(README.replaceAll(/ +/g, ' ')).toContain(
        `| ${[name, planned.length, passed, ...others].join(' | ')} |`,
      )
    })

    test.runIf(name === 'sandbox')('the stored results are those of this run', () => {
      expect(describeVerdicts(verdictsOf(outcomes))).toBe(RESULTS)
    })

    test('what is skipped needs control, or what this environment does not have', () => {
      const skippedFor = (wanted: (need?: string) => boolean) =>
        planned.filter(({ lacks }) => lacks && wanted(lacks[0]))
      const isFlat = connection.charges?.dialect === 'flat'
      const isSandbox = connection.environment !== 'production'
      const absent = isSandbox ? (isFlat ? NOT_WITH_FLAT_CHARGES : []) : NOT_IN_PRODUCTION
      const others = skippedFor((need) => need !== 'control')
      expect(others.map(({ lacks, row }) => `${lacks?.[0]}: ${row}`).toSorted()).toEqual(absent.toSorted())
      expect(skippedFor((need) => need === 'control').length > 0).toBe(!isSandbox)
    })

    test.runIf(result)('accepted requests, answers and callbacks are as the OpenAPI document says', () => {
      const { disagreements, compared } = result?.() ?? {}
      expect(disagreements).toEqual([])
      expect(compared?.answers).toBeGreaterThan(100)
    })

    afterAll(() => close?.())
  })
}

async function overHttp(): Promise<Subject> {
  const connection = await serveBoth()
  return { name: 'sandbox over HTTP', checks: OVER_HTTP, connection, close: () => connection.close() }
}
