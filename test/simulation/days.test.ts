import { expect, test } from 'vitest'
import { expectKept } from './expect-kept.ts'
import { SHARES } from './mishaps.ts'
import { simulate, simulateThreeCurrencies } from './simulate.ts'

// `npm run simulate` takes any number.
const SEEDS = process.env.FULL ? 300 : 12
const SEEDS_OF_A_MISHAP = process.env.FULL ? 5 : 1
const SEEDS_OF_THREE_CURRENCIES = process.env.FULL ? 100 : 6

test(
  `${SEEDS} random days keep every guarantee, and end with the merchant's records equal to the gateway's`,
  { timeout: 120_000 + SEEDS * 2_000 },
  () => expectKept(SEEDS, simulate),
)

test.each(Object.keys(SHARES))(
  `days with the mishap "%s" keep every guarantee`,
  { timeout: 60_000 + SEEDS_OF_A_MISHAP * 2_000 },
  (mishap) => expectKept(SEEDS_OF_A_MISHAP, (seed) => simulate(seed, { [mishap]: 1 })),
)

test(
  `${SEEDS_OF_THREE_CURRENCIES} random days in KES, UGX and TZS keep every guarantee, and the books balance in each`,
  { timeout: 60_000 + SEEDS_OF_THREE_CURRENCIES * 4_000 },
  () => expectKept(SEEDS_OF_THREE_CURRENCIES, simulateThreeCurrencies),
)

test('the answer to a query before a send does not count if the row has changed since', async () => {
  // The answer of such a query, 803, arrives after that of a later query, 801.
  expect((await simulate(7344)).violations).toEqual([])
})

test('the same seed gives the same day', async () => {
  expect(await simulate(2)).toEqual(await simulate(2))
})
