import { expect, test } from 'vitest'
import { simulate } from './journey.ts'

const SEEDS = process.env.FULL ? 1_000 : 50

test(
  `${SEEDS} random days end with the merchant's records equal to the gateway's`,
  { timeout: SEEDS * 5_000 },
  async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { broken, diary } = await simulate(seed)
      expect({ seed, broken, diary: broken.length > 0 ? diary : [] }).toEqual({ seed, broken: [], diary: [] })
    }
  },
)

test('the same seed gives the same day', async () => {
  expect(await simulate(7)).toEqual(await simulate(7))
})
