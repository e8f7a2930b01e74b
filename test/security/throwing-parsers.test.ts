import { describe, expect, test } from 'vitest'
import { endpoints } from '../../server/contract/endpoints.ts'
import { placesIn, Shape } from '../fuzz/shape.ts'
import { resolveRef, routes } from '../support/described.ts'
import { createScriptedGateway, failureOf, ID, json } from '../support/scripted-gateway.ts'
import { checkoutPayload } from '../support/spec-shapes.ts'
import { API_KEY, createWorld, PAYER, SHOP } from '../support/world.ts'
import type { Place } from '../fuzz/shape.ts'

const THROWING: readonly unknown[] = [
  { length: { toString: 1 } },
  { size: { toString: 1, valueOf: 1 } },
  { toString: 1, valueOf: 1, toJSON: 1 },
  [{ length: { valueOf: 1, toString: null } }],
]

const BODIES = routes.flatMap(({ path, body, method }) => {
  if (method !== 'POST' || !body) return []
  const shape = Shape.parse(resolveRef(body.schema))
  return [[path, body.example, placesIn(body.example, shape)] as const]
})

describe('a value on which a parser throws', () => {
  test.each(BODIES)('in a body of %s is refused', async (path, example, places) => {
    const world = await createWorld()
    for (const place of [[], ...places])
      for (const value of THROWING) {
        const answer = await world.ask(path.replaceAll(/:\w+/g, 'C-1'), {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: SHOP, authorization: `Bearer ${API_KEY}` },
          body: JSON.stringify(put(example, place, value)),
        })
        expect([place, answer.status < 500], await answer.text()).toEqual([place, true])
      }
  })

  test("in the merchant's order is refused, and the log names the field", async () => {
    const world = await createWorld()
    for (const value of THROWING)
      for (const field of [
        ...Object.keys(ORDER),
        'account',
        'service',
        'splits',
        'return_url',
        'payer.name',
      ]) {
        world.orders.set('A-1', Object(put(ORDER, field.split('.'), value)))
        const answer = await world.initiate('A-1', PAYER)
        expect([field, answer.status]).toEqual([field, 503])
        expect(world.logged.at(-1)?.message).toContain(field)
      }
  })

  test('in a response of the gateway is an invalid response, not an error of ours', async () => {
    for (const field of Object.keys(endpoints.getCheckoutStatus.response.shape))
      for (const value of THROWING.slice(0, 3)) {
        const gateway = createScriptedGateway(() => json({ ...checkoutPayload, [field]: value }))
        const call = gateway.outcome(gateway.client.getCheckoutStatus(ID))
        if (IGNORED_IF_INVALID.includes(field)) expect(await call).toMatchObject({ status: 801 })
        else expect([field, (await failureOf(call)).code]).toEqual([field, 'gateway_answer_invalid'])
      }
  })
})

const ORDER = { order: 'A-1', amount: '500', currency: 'KES', narration: 'Two kangas' }
const IGNORED_IF_INVALID = ['narration', 'timestamp']

function put(whole: unknown, [name, ...rest]: Place, value: unknown): unknown {
  if (name === undefined) return value
  if (Array.isArray(whole))
    return whole.map((item, index) => (index === name ? put(item, rest, value) : item))
  return { ...Object(whole), [name]: put(Object(whole)[name], rest, value) }
}
