import { expect, test } from 'vitest'
import type { PayoutType } from '../support/payable.ts'
import { keepInSqlite } from '../support/kept-store.ts'
import { PAYOUT_PATHS, PAYOUTS } from '../support/payable.ts'
import { createWorld } from '../support/world.ts'

const DAY = 24 * 3_600_000
const AIRTIME = { reference: 'A-1', recipients: [{ phone_number: '254700000456', amount: '10' }] }
const ANOTHER = { ...AIRTIME, recipients: [{ phone_number: '254700000678', amount: '10' }] }
const bodyOf = (type: PayoutType) => ({ ...PAYOUTS[type], payout_reference: `P-${type}` })
const REQUESTS = [
  ...(['local', 'transfer', 'b2b'] as const).map((type) => {
    const body = bodyOf(type)
    return [PAYOUT_PATHS[type], body, { ...body, payment_description: 'Another' }] as const
  }),
  ['/airtime', AIRTIME, ANOTHER] as const,
]

const NEW = { GATEWAY_CONSUMER_SECRET: 'a new secret from the portal' }

// What the store keeps, and what is shown, is searched in `search`.
test('a request whose personal data were erased is found by its repetition, also under the previous secret, and refuses another', async () => {
  const kept = keepInSqlite()
  const before = await createWorld({ store: kept.open() })
  for (const [path, body] of REQUESTS) expect((await before.api(path, body)).status).toBe(201)
  await before.later(32 * DAY)
  expect((await before.rows()).map(({ personal }) => personal)).toEqual(REQUESTS.map(() => null))
  await before.store.close()
  for (const [env, status] of [
    [{}, 200],
    [{ ...NEW, GATEWAY_CONSUMER_SECRET_PREVIOUS: 'sandbox-secret' }, 200],
    [NEW, 409],
  ] as const) {
    const world = await createWorld({ store: kept.open(), env })
    for (const [path, body, another] of REQUESTS) {
      expect([path, (await world.api(path, body)).status]).toEqual([path, status])
      const refused = await world.api(path, another)
      expect([refused.status, (await refused.json()).code]).toEqual([409, 'reference_reused'])
    }
    expect(world.gatewayRequests().filter((sent) => /^POST (?!\/v1\/auth)/.test(sent))).toEqual([])
    await world.store.close()
  }
})

test('a recipient is not erased while money, a person or an event is waited for', async () => {
  const STATUS: Record<string, number> = { 'payout.succeeded': 500 }
  const world = await createWorld({
    backend: ({ type }) => new Response(null, { status: STATUS[type] ?? 204 }),
  })
  await world.api('/payouts', { ...bodyOf('local'), recipient_phone_number: '254700009008' })
  await world.api('/payouts/imt', bodyOf('transfer'))
  await world.later(44 * DAY)
  const rows = await world.rows()
  expect(rows.map(({ outcome }) => outcome)).toEqual(['needs_attention', 'succeeded'])
  // An event that was given up no longer keeps the recipient.
  expect(rows.map(({ personal }) => personal === null)).toEqual([false, true])
})
