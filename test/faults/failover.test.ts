import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Transaction } from '../../server/store/store.ts'
import type { Replication } from '../support/replication.ts'
import { openStore } from '../../server/store/open.ts'
import { CHARGE } from '../support/chargeable.ts'
import { run } from '../support/command-line.ts'
import { PAYOUTS } from '../support/payable.ts'
import { startReplication } from '../support/replication.ts'
import { API_KEY, PAYER } from '../support/world.ts'
import { openFastWorld, startBff } from './fast-world.ts'

const FAILOVERS = 5
const EVENTUALLY = { timeout: 300_000, interval: 20 }
/**
 * How long a request is repeated until it succeeds (`timeout`), and the pause before each repetition (`interval`), in
 * milliseconds. A failover takes less than `timeout`, even on a busy machine.
 */
const REPEATED = { timeout: 600_000, interval: 100 }
const SETTLED = { timeout: 300_000, interval: 200 }
const ACKNOWLEDGED = { replicated: 12, lost: 6 }

let replication: Replication
const isFull = Boolean(process.env.FULL)
if (isFull) {
  beforeAll(async () => void (replication = await startReplication()), 120_000)
  afterAll(() => replication.stop(), 60_000)
}

type World = Awaited<ReturnType<typeof openFastWorld>>

const KINDS = ['checkout', 'payout', 'charge'] as const
const ONCE_PER_TRANSACTION = ['checkout paid', 'payout paid', 'charge paid']
const CONNECTIONS = 4

interface Request {
  kind: (typeof KINDS)[number]
  // The order of a checkout; for other kinds, the reference.
  group: string
}
interface Acknowledged extends Request {
  reference: string
  at: number
}

test.runIf(isFull)(
  `${FAILOVERS} promoted standbys charge and pay out nothing twice`,
  { timeout: 1_800_000 },
  async () => {
    // After `recover`, the server queries every transaction of the day.
    const world = await openFastWorld(replication.url, { GATEWAY_MAX_RPS: '100' })
    const backend = openBackend(world)
    let bff = await startBff(world.env)
    const lost: Acknowledged[] = []
    let recovered = 0
    const traffic = backend.run()
    // A failure is thrown where the traffic is awaited, not reported as an error outside tests.
    traffic.catch(() => {})
    try {
      for (let failover = 0; failover < FAILOVERS; failover++) {
        if (failover > 0) await replication.attach()
        await backend.acknowledge(ACKNOWLEDGED.replicated)
        await replication.detach()
        await backend.acknowledge(ACKNOWLEDGED.lost)
        await replication.failOver()
        const { length } = backend.acknowledged
        await expectPromotedDatabaseRefused(world)
        expect(backend.acknowledged).toHaveLength(length)
        await bff.kill()
        const { knownUntil, missing } = await recover(world, backend.acknowledged.slice(recovered))
        for (const { at } of missing) expect(at).toBeGreaterThanOrEqual(knownUntil)
        recovered = length
        lost.push(...missing)
        await expectMovedOnce(world)
        // The merchant's backend repeats requests that the store has lost. Shoppers who have paid repeat nothing.
        backend.repeat(missing.filter(({ kind }) => kind !== 'checkout'))
        bff = await startBff(world.env)
      }
      backend.stop()
      await traffic
      expect(lost.length).toBeGreaterThanOrEqual(FAILOVERS)
      const outcomes = await expectSettled(world, lost)
      console.info(
        `${FAILOVERS} failovers, ${backend.acknowledged.length} acknowledged, ${lost.length} lost:`,
        outcomes,
      )
    } finally {
      backend.stop()
      await bff.kill()
      await traffic.catch(() => {})
      await world.close()
    }
  },
)

async function expectPromotedDatabaseRefused({ bffUrl, env }: World): Promise<void> {
  const isReady = async () => (await fetch(`${bffUrl}/health/ready`)).status
  await expect.poll(isReady, EVENTUALLY).toBe(503)
  expect(await run(['serve'], serveEnv(env))).toMatchObject({
    code: 78,
    err: expect.stringMatching(/was restored or promoted.*run \\"gateway-checkout-server recover\\" first/),
  })
}

const serveEnv = (env: World['env']) => ({
  ...env,
  ORDER_SIGNING_KEY: 'a key of at least 32 bytes, for a test',
})

async function recover({ env, account }: World, acknowledged: readonly Acknowledged[]) {
  const { code, out } = await run(['recover'], serveEnv(env))
  expect(code).toBe(0)
  const [, since = ''] = /transactions since (\S+Z)\./.exec(out) ?? []
  const known = new Set((await rowsOf(env, account)).map(keyOf))
  return {
    knownUntil: Date.parse(since),
    missing: acknowledged.filter((request) => !known.has(keyOf(request))),
  }
}

const keyOf = ({ kind, group }: Pick<Transaction, 'kind' | 'group'>) => `${kind} ${group}`

async function rowsOf({ STORE_URL }: World['env'], account: World['account']): Promise<Transaction[]> {
  const store = openStore(STORE_URL, { isCommand: true })
  try {
    return (await Promise.all(KINDS.map((kind) => store.search(account, kind, { limit: 10_000 })))).flat()
  } finally {
    await store.close()
  }
}

function openBackend({ bffUrl, control, now }: World) {
  const acknowledged: Acknowledged[] = []
  const repeated: Request[] = []
  let isOver = false
  let count = 0

  async function ask(path: string, headers: Record<string, string>, body: URLSearchParams | string) {
    const signal = AbortSignal.timeout(5_000)
    const answer = await fetch(bffUrl + path, { method: 'POST', headers, body, signal })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return answer.json()
  }

  async function send({ kind, group }: Request): Promise<string> {
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }
    switch (kind) {
      case 'checkout': {
        const form = new URLSearchParams({ order: group, ...PAYER })
        const view = await ask('/checkout/initiate', { accept: 'application/json' }, form)
        return view.merchant_transaction_id
      }
      case 'payout':
        await ask('/api/payouts', headers, JSON.stringify({ ...PAYOUTS.local, payout_reference: group }))
        return group
      case 'charge':
        await ask('/api/charges', headers, JSON.stringify({ ...CHARGE, external_reference: group }))
        return group
    }
  }

  async function connect(): Promise<void> {
    while (!isOver || repeated.length > 0) {
      count += 1
      const kind = KINDS[count % KINDS.length] ?? 'checkout'
      const request = repeated.shift() ?? { kind, group: `${kind}-${count}` }
      const reference = await vi.waitFor(() => send(request), REPEATED)
      acknowledged.push({ ...request, reference, at: now() })
      if (request.kind === 'checkout') await control(`/checkouts/${reference}/pay`, { scenario: 'approve' })
    }
  }

  return {
    acknowledged,
    run: () => Promise.all(Array.from({ length: CONNECTIONS }, connect)),
    stop: () => void (isOver = true),
    repeat: (requests: readonly Request[]) => void repeated.push(...requests),
    async acknowledge(further: number): Promise<void> {
      const least = acknowledged.length + further
      await expect.poll(() => acknowledged.length, EVENTUALLY).toBeGreaterThanOrEqual(least)
    },
  }
}

async function expectSettled(world: World, lost: readonly Acknowledged[]) {
  const { env, account } = world
  const isSettled = ({ outcome }: Transaction) => ['paid', 'succeeded', 'needs_attention'].includes(outcome)
  const readOpen = async () => (await rowsOf(env, account)).filter((row) => !isSettled(row)).map(keyOf)
  await expect.poll(readOpen, SETTLED).toEqual([])
  const rows = await rowsOf(env, account)
  const moved = await expectMovedOnce(world)
  const paid = rows.filter(({ outcome }) => outcome !== 'needs_attention').map(({ reference }) => reference)
  const forPerson = lost.filter(({ kind, reference }) => kind === 'checkout' && moved.includes(reference))
  expect(moved.toSorted()).toEqual([...paid, ...forPerson.map(({ reference }) => reference)].toSorted())
  const outcomes: Record<string, number> = { 'checkout paid and lost': forPerson.length }
  for (const { kind, outcome } of rows)
    outcomes[`${kind} ${outcome}`] = (outcomes[`${kind} ${outcome}`] ?? 0) + 1
  return outcomes
}

/**
 * Expects that the gateway moved the money of each transaction at most once. Resolves with the references of the
 * transactions whose money was moved.
 */
async function expectMovedOnce({ control }: World): Promise<string[]> {
  const { entries }: { entries: { what: string; reference: string }[] } = await control('/ledger')
  const moved = entries
    .filter(({ what }) => ONCE_PER_TRANSACTION.includes(what))
    .map(({ reference }) => reference)
  expect(moved).toHaveLength(new Set(moved).size)
  return moved
}
