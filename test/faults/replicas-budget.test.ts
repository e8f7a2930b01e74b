import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { CountingGateway } from '../support/counting-gateway.ts'
import type { Postgres } from '../support/postgres.ts'
import type { Replica } from '../support/replicas.ts'
import { systemClock } from '../../server/clock.ts'
import { mostInOneSecond, startCountingGateway } from '../support/counting-gateway.ts'
import { startPostgres } from '../support/postgres.ts'
import { startReplicas } from '../support/replicas.ts'

const PER_SECOND = 50
const [OUTAGE_MS, WAITING] = [180_000, 1_000]
const RECOVERY_MS = 30_000
const PROCESS_MS = 400_000

let postgres: Postgres
let gateway: CountingGateway
let replicas: Replica[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  gateway = await startCountingGateway()
}, PROCESS_MS)
afterEach(async () => {
  await Promise.all(replicas.splice(0).map((replica) => replica.stop()))
}, PROCESS_MS)
afterAll(() => Promise.all([gateway.close(), postgres.stop()]))

async function startCheckouts(count: number): Promise<string[]> {
  const references: string[] = []
  const shop = async (replica: Replica) => {
    while (references.length < count) {
      const place = references.push('') - 1
      references[place] = (await replica.initiate(`A-${place}`)).merchant_transaction_id
    }
  }
  await Promise.all([...replicas, ...replicas].map(shop))
  return references
}

// `server/shared-budget.test.ts` proves the budget in seconds, on a virtual clock.
test.runIf(process.env.FULL)(
  `after an outage of ${OUTAGE_MS / 1_000} s, ${WAITING} checkouts are confirmed in 30 s, with at most ${PER_SECOND} requests in any`,
  async () => {
    replicas = await startReplicas(4, {
      gateway,
      storeUrl: await postgres.newDatabase(),
      env: { GATEWAY_MAX_RPS: String(PER_SECOND) },
    })
    const references = await startCheckouts(WAITING)
    gateway.setAway(true)
    for (const reference of references) gateway.pay(reference)
    const [awayAt, awayFrom] = [performance.now(), gateway.arrivals.length]
    await systemClock.sleep(OUTAGE_MS)
    const during = gateway.arrivals.slice(awayFrom)
    console.log(
      `During the outage: ${during.length} requests, at most ${mostInOneSecond(during)} in a second, ` +
        `${during.filter((at) => at > awayAt + OUTAGE_MS - 10_000).length} in the last 10 seconds`,
    )
    expect(mostInOneSecond(during)).toBeLessThanOrEqual(PER_SECOND)

    const [backAt, from] = [performance.now(), gateway.arrivals.length]
    gateway.setAway(false)
    const unconfirmed = () =>
      references.filter((reference) => gateway.session(reference).confirmedAt === null)
    await expect.poll(unconfirmed, { timeout: 60_000, interval: 100 }).toEqual([])
    const tookMs =
      Math.max(...references.map((reference) => gateway.session(reference).confirmedAt!)) - backAt
    const after = gateway.arrivals.slice(from)
    console.log(
      `After it: ${references.length} checkouts in ${(tookMs / 1_000).toFixed(1)} s with ${after.length} requests, ` +
        `at most ${mostInOneSecond(after)} in a second`,
    )
    expect(mostInOneSecond(after)).toBeLessThanOrEqual(PER_SECOND)
    expect(tookMs).toBeLessThan(RECOVERY_MS)
  },
  PROCESS_MS,
)
