import { expect, test } from 'vitest'

import { newRow } from '../../../support/contracts/stored-rows.ts'
import { localPayout } from '../../../support/spec/payouts.ts'
import { createApiWorld } from '../../../support/worlds/api-world.ts'
import { API_KEY } from '../../../support/worlds/environment.ts'
import { START } from '../../../support/worlds/world.ts'

async function readAll(shop: Shop, path: string) {
  const items: Record<string, unknown>[] = []
  const sizes: number[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const separator = path.includes('?') ? '&' : '?'
    const { body } = await shop.get(cursor === '' ? path : `${path}${separator}cursor=${cursor}`)
    items.push(...body.items)
    sizes.push(body.items.length)
    cursor = body.next_cursor
  }

  return { items, sizes }
}

type Shop = Awaited<ReturnType<typeof createApiWorld>>

const nameOf = (number: number) => `P-${String(number).padStart(3, '0')}`

async function stored(shop: Shop, count: number): Promise<void> {
  await shop.post('/payouts', { ...localPayout, payout_reference: nameOf(0) })
  const [{ outcome, record } = newRow('')] = await shop.rows()
  for (let number = 1; number < count; number++) {
    const reference = nameOf(number)
    const created_at = START + 10_000 + number * 1_000
    const fields = { kind: 'payout', reference, outcome, record, created_at, due_at: null } as const
    await shop.store.insert(newRow(`id-${reference}`, fields))
  }
}

test('a list of hundreds comes in pages of a hundred, each row once, in the order of the last change', async () => {
  const shop = await createApiWorld()
  await stored(shop, 200)
  const { items, sizes } = await readAll(shop, '/payouts')
  expect(sizes).toEqual([100, 100, 0])
  expect(items.map((item) => item.payout_reference)).toEqual(
    Array.from({ length: 200 }, (_, number) => nameOf(number)),
  )
  const since = new Date(START + 10_000 + 100 * 1_000).toISOString()
  expect((await readAll(shop, `/payouts?updated_since=${since}`)).items).toHaveLength(100)
  expect((await readAll(shop, '/payouts?outcome=pending')).items).toHaveLength(200)
  expect((await readAll(shop, '/payouts?outcome=succeeded')).items).toHaveLength(0)
})

test('a list of hundreds leaves out a record that cannot be read, names it in the log and goes on', async () => {
  const shop = await createApiWorld()
  await stored(shop, 20)
  const row = await shop.store.find('id-P-007')
  await shop.store.commit(row!.id, row!.revision, { at: START + 7_000, record: { phase: 'unheard of' } })
  const { items } = await readAll(shop, '/payouts')
  expect(items).toHaveLength(19)
  expect(shop.logged).toContainEqual(
    expect.objectContaining({ level: 'error', facts: expect.objectContaining({ reference: 'P-007' }) }),
  )
})

const cursor = (value: unknown) =>
  typeof value === 'string' ? value : Buffer.from(JSON.stringify(value)).toString('base64url')

test.each<[path: string, field: string, rule: RegExp]>([
  ['/payouts?outcome=paid', 'outcome', /^must be one of sending, pending,/],
  ...['yesterday', '2026-11-21', '2026-11-21T09:00:00', 'Nov 21, 2026 09:00Z'].map(
    (value): [string, string, RegExp] => [
      `/payouts?updated_since=${value}`,
      'updated_since',
      /^must be ISO 8601 with an offset/,
    ],
  ),
  ...['', 'x', [1], [-1, 'a']].map((value): [string, string, RegExp] => [
    `/payouts?cursor=${cursor(value)}`,
    'cursor',
    /next_cursor/,
  ]),
  [`/events?cursor=${cursor([1, 'a'])}`, 'cursor', /next_cursor/],
  ['/fx', 'base_currency', /^is required$/],
  ['/fx/quote?to=UGX&amount=1', 'from', /^is required$/],
  ['/fx/quote?from=KES&to=UGX&amount=0', 'amount', /^must be more than zero$/],
  ['/fx/quote?from=KES&to=UGX&amount=1.005', 'amount', /coins/],
  ['/fx/quote?from=KES&to=UGX&amount=1&direction=both', 'direction', /^must be one of buying, selling$/],
])('a query of %s: %s %s', async (path, field, rule) => {
  const shop = await createApiWorld()
  const { status, body } = await shop.get(path)
  expect(status).toBe(422)
  expect(body.errors).toEqual([{ path: field, message: expect.stringMatching(rule) }])
  expect(shop.gatewayRequests()).toEqual([])
})

test.each(['/payouts', '/nothing'])('the key of the API is needed at %s', async (path) => {
  const shop = await createApiWorld()
  for (const authorization of ['', 'Bearer ', API_KEY, `Basic ${API_KEY}`, `Bearer ${API_KEY}x`]) {
    const answer = await shop.ask(`/api${path}`, { headers: authorization ? { authorization } : {} })
    expect(answer.status, authorization).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(await answer.json()).toMatchObject({ code: 'unauthorized', retryable: false })
  }

  expect(shop.gatewayRequests()).toEqual([])
})

test('the API is off when its key is not set', async () => {
  const shop = await createApiWorld({ env: { MERCHANT_API_KEY: '' } })
  expect(await shop.get('/payouts')).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('the key of the API makes responses uncacheable', async () => {
  const shop = await createApiWorld()
  expect((await shop.get('/payouts')).headers.get('cache-control')).toBe('no-store')
})
