import { afterAll, describe, test } from 'vitest'
import { CHECKS, NOT_OBSERVABLE, coverage } from './checks.ts'
import { openGateway } from './gateway.ts'
import { connectFromEnvironment, connectToSandbox } from './connection.ts'
import type { Check } from './check.ts'

const outside = await connectFromEnvironment(process.env)
const connection = outside ?? connectToSandbox()
const gateway = await openGateway(connection)

describe(outside ? `the gateway at ${outside.baseUrl}` : 'a new sandbox', { timeout: 60_000 }, () => {
  test.for(CHECKS)('$fact', async (check, { skip }) => {
    const lacking = gateway.lacks(check.needs ?? [])
    skip(lacking.length > 0, `needs ${lacking.join(' and ')}`)
    await check.run(gateway)
  })

  afterAll(() => {
    console.log(drawTable((check) => gateway.lacks(check.needs ?? []).length > 0))
    outside?.close()
  })
})

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
