import { expect, test } from 'vitest'

import { expectKept } from './expect-kept.ts'
import { SHARES } from './mishaps.ts'
import { simulate, simulateThreeCurrencies } from './simulate.ts'

// `npm run simulate` takes any number.
const SEEDS = process.env.FULL ? 300 : 3
const SEEDS_OF_A_MISHAP = process.env.FULL ? 5 : 1
const SEEDS_OF_THREE_CURRENCIES = process.env.FULL ? 100 : 2
/** Only a day that never ends is stopped: how long one takes depends on what else the machine does. */
const TIMEOUT_MS = process.env.FULL ? 3_600_000 : 600_000
/** Without FULL, those whose states the explorer does not visit. */
const MISHAPS = process.env.FULL ? Object.keys(SHARES) : ['renamed', 'stopped', 'dead']

test(
  `${SEEDS} random days keep every guarantee, and end with the merchant's records equal to the gateway's`,
  { timeout: TIMEOUT_MS },
  () => expectKept(SEEDS, simulate),
)

test.each(MISHAPS)(`days with the mishap "%s" keep every guarantee`, { timeout: TIMEOUT_MS }, (mishap) =>
  expectKept(SEEDS_OF_A_MISHAP, (seed) => simulate(seed, { [mishap]: 1 })),
)

test(
  `${SEEDS_OF_THREE_CURRENCIES} random days in KES, UGX and TZS keep every guarantee, and the books balance in each`,
  { timeout: TIMEOUT_MS },
  () => expectKept(SEEDS_OF_THREE_CURRENCIES, simulateThreeCurrencies),
)

test('the same seed gives the same day', async () => {
  expect(await simulate(2)).toEqual(await simulate(2))
})
