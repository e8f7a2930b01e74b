/** The table, run against a fresh sandbox, or against the gateway that the environment names. */

import { afterAll, describe, test } from 'vitest'
import { CHECKS } from './checks.ts'
import { openGateway } from './gateway.ts'
import { createDoor } from './inside.ts'
import { openDoor } from './outside.ts'
import { drawTable } from './table.ts'

const outside = await openDoor(process.env)
const door = outside ?? createDoor()
const gateway = await openGateway(door)

describe(outside ? `the gateway at ${outside.baseUrl}` : 'a fresh sandbox', { timeout: 60_000 }, () => {
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
