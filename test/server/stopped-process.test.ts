import { expect, test } from 'vitest'
import { CHARGE } from '../support/chargeable.ts'
import { PAYOUT_PATHS, PAYOUTS } from '../support/payable.ts'
import { airtime } from '../support/spec-airtime.ts'
import { API_KEY, BFF, createWorld, formOf } from '../support/world.ts'

const SPLITS = [{ account: 'PARTNER-001', amount: 300, reason: 'Cloth' }]
const api = (body: object): RequestInit => ({
  method: 'POST',
  headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

test.each<[string, path: string, init: RequestInit, splits: typeof SPLITS]>([
  ['a charge', '/api/charges', api(CHARGE), []],
  ['airtime', '/api/airtime', api(airtime), []],
  ['a payout', `/api${PAYOUT_PATHS.local}`, api(PAYOUTS.local), []],
  ['a checkout', '/checkout/initiate', formOf('A-1'), []],
  ['a checkout with splits', '/checkout/initiate', formOf('A-1'), SPLITS],
  ['a prompt', '/checkout/initiate', formOf('A-1', { method: 'prompt' }), []],
])(
  '%s is not sent by a process that was stopped when it had stored the send',
  async (_, path, init, splits) => {
    const others = await createWorld({ env: { GATEWAY_CHARGE_METHODS: 'MOMO_KEN=MoMo:25470' } })
    others.order('A-1', '500', { splits })
    let [reached, wake] = [() => {}, () => {}]
    const isReached = new Promise<void>((resolve) => (reached = resolve))
    const asleep = new Promise<void>((resolve) => (wake = resolve))
    const sent: string[] = []
    const stopped = others.replica({
      store: {
        ...others.store,
        async commit(...change) {
          const saved = await others.store.commit(...change)
          if (change[2].sent_at === undefined) return saved
          reached()
          await asleep
          return saved
        },
      },
      fetch(url, request) {
        if (request.method === 'POST') sent.push(new URL(url).pathname)
        return others.sandbox.app.request(url, request)
      },
    })
    const answered = stopped.request(`${BFF}${path}`, init)
    await isReached
    await others.settle()
    await others.later(4 * 60_000)
    wake()
    await others.later(10_000)
    await answered
    expect(sent).toEqual(['/v1/auth'])
  },
)
