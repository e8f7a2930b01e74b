/** Runs all checks against a new sandbox, or against the gateway that the environment names. */

import { afterAll, describe, test } from 'vitest'
import { CHECKS } from './checks.ts'
import { openGateway } from './gateway.ts'
import { connectToSandbox } from './sandbox-connection.ts'
import { connectFromEnvironment } from './environment-connection.ts'
import { drawTable } from './table.ts'

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
