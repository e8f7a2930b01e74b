import { expect, test } from 'vitest'
import { explorations, run } from './explorations.ts'

test.each(explorations().map((exploration) => [exploration.name, exploration] as const))(
  'no story of %s breaks an invariant',
  async (_, exploration) => {
    const { violations } = await run(exploration)
    expect(violations).toEqual([])
  },
)
