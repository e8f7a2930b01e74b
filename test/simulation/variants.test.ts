import { expect, test } from 'vitest'

import { FAILS_ON, loadSimulation, patchesOf, VARIANTS } from './variants.ts'

const MAX_SEEDS = 1_000
const NAMES = Object.keys(VARIANTS)
const SAMPLE = process.env.FULL ? NAMES : ['gives every delivery an id of its own']

test.each(NAMES)('the lines of "%s" are in the sources', (name) => {
  expect(patchesOf(name)).not.toHaveLength(0)
})

test.each(SAMPLE)('a server that %s is caught', { timeout: MAX_SEEDS * 2_000 }, async (name) => {
  const { simulate } = await loadSimulation(name)
  const [mishap] = Object.entries(FAILS_ON).find(([, other]) => other === name) ?? []
  const shares = mishap === undefined ? undefined : { [mishap]: 1 }
  for (let seed = 1; seed <= MAX_SEEDS; seed++) {
    const { violations } = await simulate(seed, shares)
    if (violations.length === 0) {
      continue
    }

    // A patch that no longer fits the sources would be caught by its own error.
    expect(violations[0]).not.toMatch(/(Reference|Type|Syntax)Error/)
    // A row of the table in test/README.md.
    console.log(`| ${name} | ${violations[0]} | ${seed} |`)
    return
  }

  expect.fail(`No day of ${MAX_SEEDS} shows it.`)
})
