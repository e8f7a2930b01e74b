import { afterAll, describe, test } from 'vitest'
import { startSandbox } from '../../demo/sandbox/index.ts'
import { CHECKS, NOT_OBSERVABLE, coverage } from './checks.ts'
import { openGateway } from './gateway.ts'
import { connectFromEnvironment, connectToSandbox } from './connection.ts'
import type { Check } from './check.ts'

const isFull = Boolean(process.env.FULL)
const outside = await connectFromEnvironment(process.env)
const subjects = outside
  ? [{ name: `the gateway at ${outside.baseUrl}`, checks: CHECKS, connection: outside }]
  : [
      { name: 'a new sandbox', checks: CHECKS, connection: connectToSandbox() },
      {
        name: 'a new sandbox whose charges are flat',
        checks: CHECKS.filter(({ needs = [] }) => isFull || needs.includes('charges')),
        connection: connectToSandbox('flat'),
      },
      ...(isFull ? await Promise.all(['spec', 'flat'].map(overHttp)) : []),
    ]

for (const { name, checks, connection } of subjects) {
  const gateway = await openGateway(connection)

  describe(name, { timeout: 60_000 }, () => {
    test.for(checks)('$fact', async (check, { skip }) => {
      const lacking = gateway.lacks(check.needs ?? [])
      skip(lacking.length > 0, `needs ${lacking.join(' and ')}`)
      await check.run(gateway)
    })

    afterAll(() => {
      if (checks === CHECKS) console.log(drawTable((check) => gateway.lacks(check.needs ?? []).length > 0))
      if ('close' in connection) connection.close()
    })
  })
}

async function overHttp(charges: string) {
  const dialect = charges === 'flat' ? 'flat' : 'spec'
  const sandbox = await startSandbox({ port: 0, charges: dialect })
  const env = { CONFORMANCE_BASE_URL: sandbox.url, CONFORMANCE_CHARGES: dialect }
  const connection = await connectFromEnvironment(env)
  if (!connection) throw new Error('CONFORMANCE_BASE_URL is not set.')
  const close = () => {
    connection.close()
    void sandbox.close()
  }
  return { name: `a sandbox over HTTP, ${dialect}`, checks: CHECKS, connection: { ...connection, close } }
}

function drawTable(isLacking: (check: Check) => boolean): string {
  const { rows, proved, chosen, uncovered } = coverage()
  const run = new Set(CHECKS.filter((check) => !isLacking(check)).flatMap((check) => check.rows))
  const sections = [...new Set(rows.map(({ section }) => section))]
  const lines = sections.map((section) => {
    const ids = rows.filter((row) => row.section === section).map(({ id }) => id)
    const count = (holds: (id: string) => boolean) => String(ids.filter(holds).length).padStart(8)
    return [
      section.padEnd(46),
      count(() => true),
      count((id) => run.has(id)),
      count((id) => proved.has(id) && !run.has(id)),
      count((id) => chosen.has(id)),
    ].join('')
  })
  return [
    `${'chapter of the specification'.padEnd(46)}    rows checked unchecked not HTTP`,
    ...lines,
    '',
    `${rows.length} rows: ${run.size} checked by ${CHECKS.length} checks, ${proved.size - run.size} unchecked because this gateway lacks what they need, ${chosen.size} that HTTP cannot show, ${uncovered.length} uncovered.`,
    '',
    'Rows that HTTP cannot show:',
    ...Object.entries(NOT_OBSERVABLE).map(([id, reason]) => `- ${id}: ${reason}`),
  ].join('\n')
}
