import { expect, test } from 'vitest'
import type { GatewayClient } from '../../server/gateway/client.ts'
import { createScriptedGateway, failureOf, json } from '../support/scripted-gateway.ts'
import { checkoutPayload } from '../support/spec-shapes.ts'
import { API_KEY, createWorld } from '../support/world.ts'
import type { World } from '../support/world.ts'

const RECIPIENTS = 100_000
/** Six times the CPU time on a machine of its own: on a busy one the same work takes up to four times as long. */
const MOST_CPU_MS = 3_000

test.each<[string, recipient: (index: number) => unknown]>([
  ['words', () => ({ phone_number: 'x', amount: '-' })],
  [
    'valid recipients, and nonsense at the end',
    (index) => (index < RECIPIENTS - 200 ? { phone_number: `2547${10_000_000 + index}`, amount: '1' } : 'x'),
  ],
])('an airtime list of %s is refused in a small response, without a long pause', async (_, recipient) => {
  const world = await createWorld()
  const recipients = Array.from({ length: RECIPIENTS }, (_item, index) => recipient(index))
  const { answer, cpuMs } = await send(world, '/api/airtime', { reference: 'A-1', recipients })
  expect(answer.status).toBe(422)
  const text = await answer.text()
  expect(text.length).toBeLessThan(30_000)
  const { errors, detail } = JSON.parse(text)
  expect([errors.length, detail]).toEqual([100, expect.stringContaining('more than 80 more')])
  expect(cpuMs).toBeLessThan(MOST_CPU_MS)
})

test.each([
  [
    'airtime entries',
    2_000,
    (client: GatewayClient): Promise<unknown> => client.getAirtimeStatus('A-1'),
    (list: unknown[]) => list,
  ],
  [
    'payments',
    1_000,
    (client: GatewayClient): Promise<unknown> =>
      client.getCheckoutStatus(checkoutPayload.merchant_transaction_id),
    (payments: unknown[]) => ({ ...checkoutPayload, payments }),
  ],
  [
    'payments of a charge',
    1_000,
    (client: GatewayClient): Promise<unknown> => client.getChargeStatus('C-1'),
    (payments: unknown[]) => ({ ...checkoutPayload, payments }),
  ],
])(
  'an answer of the gateway with more %s than %i is refused without a long pause',
  async (_, most, ask, bodyWith) => {
    const gateway = createScriptedGateway(() => json(bodyWith(Array(100_000).fill({}))))
    const before = process.cpuUsage()
    const { code, message } = await failureOf(gateway.outcome(ask(gateway.client)))
    const cpuMs = cpuSince(before)
    expect([code, message]).toEqual([
      'gateway_answer_invalid',
      expect.stringContaining(`must have at most ${most} items`),
    ])
    expect(cpuMs).toBeLessThan(MOST_CPU_MS)
  },
)

async function send(world: World, path: string, body: object) {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  const before = process.cpuUsage()
  const answer = await world.ask(path, request)
  return { answer, cpuMs: cpuSince(before) }
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
