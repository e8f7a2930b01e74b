import { expect, test } from 'vitest'
import { simulate, simulateThreeCurrencies } from './simulate.ts'

const SEEDS = process.env.FULL ? 1_000 : 25
const SEEDS_OF_THREE_CURRENCIES = process.env.FULL ? 200 : 10

test(
  `${SEEDS} random days keep every guarantee, and end with the merchant's records equal to the gateway's`,
  { timeout: SEEDS * 2_000 },
  async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { violations, story } = await simulate(seed)
      expect({ seed, violations, story: violations.length > 0 ? story : [] }).toEqual({
        seed,
        violations: [],
        story: [],
      })
    }
  },
)

test(
  `${SEEDS_OF_THREE_CURRENCIES} random days in KES, UGX and TZS keep every guarantee, and the books balance in each`,
  { timeout: SEEDS_OF_THREE_CURRENCIES * 4_000 },
  async () => {
    for (let seed = 1; seed <= SEEDS_OF_THREE_CURRENCIES; seed++) {
      const { violations, story } = await simulateThreeCurrencies(seed)
      expect({ seed, violations, story: violations.length > 0 ? story : [] }).toEqual({
        seed,
        violations: [],
        story: [],
      })
    }
  },
)

test('the answer to a query before a send does not count if the row has changed since', async () => {
  // The answer of such a query, 803, arrives after that of a later query, 801.
  expect((await simulate(7344)).violations).toEqual([])
})

test('the same seed gives the same day', async () => {
  for (const seed of [1, 2]) expect(await simulate(seed)).toEqual(await simulate(seed))
})
