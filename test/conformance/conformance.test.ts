import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { CHECKS } from './checks.ts'
import { openGateway } from './gateway.ts'
import { connectToLookAlike, connectToSandbox } from './in-process.ts'
import { serveBoth } from './over-http.ts'
import { describeTally, tally } from './tally.ts'
import { connectFromEnvironment } from './variables.ts'
import type { Check } from './check.ts'
import type { Connection } from './connection.ts'

interface Subject {
  name: string
  connection: Connection
  checks: readonly Check[]
  close?: () => void | Promise<void>
}

const README = readFileSync(new URL('README.md', import.meta.url), 'utf8')
/** In the look-alike there is one merchant, without partners and without test funds. */
const NOT_IN_PRODUCTION = {
  sandbox: ['General behaviour / 4 / test funds'],
  'foreign service': [
    'Standard checkout request / service_code / own',
    'Checkout errors / 172 / service of another',
  ],
  partners: ['split_settlements', 'account', 'amount', 'reason', 'dynamic accounts'].map(
    (field) => `Charge request / ${field}`,
  ),
}
const NOT_WITH_FLAT_CHARGES = { pages: ['What the service does / Charge requests / hosted page'] }
const isFull = Boolean(process.env.FULL)
// What another transport can break shows in a few checks of each kind.
const OVER_HTTP = CHECKS.filter((_, index) => isFull || index % 5 === 0)
// Charges are all that differs between the dialects.
const OF_CHARGES = CHECKS.filter(({ needs = [] }) => isFull || needs.includes('charges'))
const outside = await connectFromEnvironment(process.env)
const subjects: Subject[] = outside
  ? [
      {
        name: `the gateway at ${outside.baseUrl}`,
        checks: CHECKS,
        connection: outside,
        close: () => outside.close(),
      },
    ]
  : [
      { name: 'sandbox', checks: CHECKS, connection: connectToSandbox() },
      { name: 'sandbox, flat charges', checks: OF_CHARGES, connection: connectToSandbox('flat') },
      { name: 'look-alike of production', checks: CHECKS, connection: await connectToLookAlike('spec') },
      {
        name: 'look-alike of production, flat charges',
        checks: OF_CHARGES,
        connection: await connectToLookAlike('flat'),
      },
      await overHttp(),
    ]

for (const { name, checks, connection, close } of subjects) {
  const gateway = await openGateway(connection)

  describe(name, { timeout: 60_000 }, () => {
    test.for(checks)('$fact', async (check, { skip }) => {
      const lacking = gateway.lacks(check.needs ?? [])
      skip(lacking.length > 0, `needs ${lacking.join(' and ')}`)
      await check.run(gateway)
    })

    const counts = tally((needs) => gateway.lacks(needs))

    test.skipIf(outside)('the README counts the rows of this gateway', () => {
      expect(README.replaceAll(/ +/g, ' ')).toContain(
        `| ${Object.values({ name, ...counts.total }).join(' | ')} |`,
      )
    })

    test.skipIf(outside)('what is skipped needs control, or what this environment does not have', () => {
      const { control = [], ...others } = counts.skippedFor
      const isFlat = connection.charges?.dialect === 'flat'
      const isSandbox = connection.environment !== 'production'
      const absent = isFlat ? NOT_WITH_FLAT_CHARGES : {}
      expect(others).toEqual(isSandbox ? absent : NOT_IN_PRODUCTION)
      expect(control.length > 0).toBe(!isSandbox)
    })

    afterAll(async () => {
      console.log(describeTally(name, counts))
      await close?.()
    })
  })
}

async function overHttp(): Promise<Subject> {
  const connection = await serveBoth()
  return { name: 'sandbox over HTTP', checks: OVER_HTTP, connection, close: () => connection.close() }
}
