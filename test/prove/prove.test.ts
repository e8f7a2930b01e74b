import type { TestContext } from 'vitest'
import { expect, test } from 'vitest'
import { Secret } from '../../server/config/secret.ts'
import { prove } from '../../server/prove/prove.ts'
import { SEQUENCES } from '../../server/prove/sequences.ts'
import { systemClock } from '../../server/work/clock.ts'
import { systemRandomness } from '../../server/work/randomness.ts'
import type { Fault } from './faulty-shop.ts'
import { FAULTS, openShop, SECRET } from './faulty-shop.ts'

const TIMEOUT_MS = 60_000

test('a webhook without a fault passes every sequence', { timeout: TIMEOUT_MS }, async (context) => {
  const verdicts = await judge(null, context)
  expect(verdicts.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
  expect(verdicts.map(({ name }) => name).toSorted()).toEqual(Object.keys(SEQUENCES).toSorted())
})

const faults = Object.keys(FAULTS).filter((name): name is Fault => Object.hasOwn(FAULTS, name))
test.concurrent.for(faults)(
  'a webhook that %s is caught by its sequence',
  { timeout: TIMEOUT_MS },
  async (fault, context) => {
    const names = ['paid', FAULTS[fault]]
    const two = Object.entries(SEQUENCES).filter(([name]) => names.includes(name))
    const verdicts = await judge(fault, context, Object.fromEntries(two))
    expect(verdicts).toContainEqual(expect.objectContaining({ name: FAULTS[fault], verdict: 'failed' }))
  },
)

async function judge(
  fault: Fault | null,
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  sequences?: typeof SEQUENCES,
) {
  const shop = await openShop(fault)
  onTestFinished(shop.close)
  const terms = { amount: '1500', currency: 'KES' }
  const means = {
    secrets: [new Secret(SECRET)],
    terms,
    fetch,
    clock: systemClock,
    randomness: systemRandomness,
  }
  return prove({ ...shop, ...means }, () => {}, sequences)
}
