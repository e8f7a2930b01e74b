import { expect, test } from 'vitest'

import { explorations, run } from './explorations.ts'

/** The longest exploration of the longer proof takes two minutes of one core. */
const TIMEOUT_MS = 600_000

test.each(explorations().map((exploration) => [exploration.name, exploration] as const))(
  'no story of %s breaks an invariant',
  { timeout: TIMEOUT_MS },
  async (_, exploration) => {
    const { violations } = await run(exploration)
    expect(violations).toEqual([])
  },
)
