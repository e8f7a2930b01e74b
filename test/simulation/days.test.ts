import { expect, onTestFinished, test } from 'vitest'
import type { Report } from './simulate.ts'
import { startPostgres } from '../support/postgres.ts'
import { SHARES } from './mishaps.ts'
import { simulate, simulateOnPostgres, simulateThreeCurrencies } from './simulate.ts'

const SEEDS = process.env.FULL ? 1_000 : 17
const SEEDS_OF_A_MISHAP = process.env.FULL ? 5 : 1
const SEEDS_OF_THREE_CURRENCIES = process.env.FULL ? 200 : 10
const SEEDS_ON_POSTGRES = process.env.FULL ? 200 : 1

async function expectKept(seeds: number, simulated: (seed: number) => Promise<Report>): Promise<void> {
  for (let seed = 1; seed <= seeds; seed++) {
    const { violations, story } = await simulated(seed)
    const kept = { seed, violations: [], story: [] }
    expect({ seed, violations, story: violations.length > 0 ? story : [] }).toEqual(kept)
  }
}

test(
  `${SEEDS} random days keep every guarantee, and end with the merchant's records equal to the gateway's`,
  { timeout: 60_000 + SEEDS * 2_000 },
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

test(
  `${SEEDS_ON_POSTGRES} random days on Postgres keep every guarantee`,
  { timeout: 60_000 + SEEDS_ON_POSTGRES * 30_000 },
  async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    await expectKept(SEEDS_ON_POSTGRES, async (seed) =>
      simulateOnPostgres(seed, await postgres.newDatabase()),
    )
  },
)

test('the answer to a query before a send does not count if the row has changed since', async () => {
  // The answer of such a query, 803, arrives after that of a later query, 801.
  expect((await simulate(7344)).violations).toEqual([])
})

test('the same seed gives the same day', async () => {
  expect(await simulate(1)).toEqual(await simulate(1))
})
