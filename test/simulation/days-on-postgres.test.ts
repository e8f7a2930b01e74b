import { test } from 'vitest'

import { sharedPostgres } from '../support/postgres.ts'
import { expectKept } from './expect-kept.ts'
import { simulateOnPostgres } from './simulate.ts'

const SEEDS = process.env.FULL ? 200 : 1

test(
  `${SEEDS} random days on Postgres keep every guarantee`,
  { timeout: 60_000 + SEEDS * 30_000 },
  async () => {
    const postgres = await sharedPostgres()
    await expectKept(SEEDS, async (seed) => simulateOnPostgres(seed, await postgres.newDatabase()))
  },
)
