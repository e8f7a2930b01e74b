import { describe, expect, test } from 'vitest'

import { StoreAwayError } from '../../../server/store/errors.ts'
import { openStore } from '../../../server/store/open.ts'
import { createSeededRandom } from '../../support/seeded-random.ts'
import { createChargeWorld, createToldGateway, PAGE, paying } from '../../support/worlds/charge-world.ts'
import { API_KEY, BFF } from '../../support/worlds/environment.ts'
import { DAY, HOUR, MINUTE } from '../../support/worlds/observed.ts'
import { posted } from '../../support/worlds/sandbox-line.ts'
import { toldCharge, toldSplits } from '../../support/worlds/told-charge.ts'

import type { WorldOptions } from '../../support/worlds/world.ts'

const SECOND = 1_000
const lost = () => new Response(null, { status: 504 })
const limited = () => new Response(null, { status: 429 })
const refused = () =>
  Response.json(
    { status_code: 174, status_description: 'Generic failure', message: 'Confirmed before' },
    { status: 400 },
  )

/** A gateway that takes one decision about each payment. Its answers are those of `answers`, where this returns one. */
function createOnceGateway(answers: (sent: number) => Response | Promise<Response> | undefined) {
  const told = createToldGateway()
  const taken = new Map<string, string>()
  let sent = 0
  const answer: WorldOptions['gateway'] = async (url, request) => {
    if (!url.endsWith('/transactions/acknowledge')) {
      return told.answer(url, request)
    }

    sent += 1
    const { payment_id, status } = JSON.parse(request.body ?? '')
    const isFirst = !taken.has(payment_id)
    const given = await answers(sent)
    if (given?.status !== 429 && isFirst) {
      taken.set(payment_id, status)
    }
    return given ?? (isFirst ? Response.json({ payment_id, message: 'Taken.' }) : refused())
  }
  return { told, taken, answer, sends: () => sent }
}

const OTHERWISE = { status: 409, body: { code: 'acknowledged_otherwise' } }

describe('a decision that the gateway may have taken', () => {
  test.each([
    ['certainly did not arrive', limited],
    ['is refused', refused],
  ])('is not refused when an earlier send, whose answer comes later, %s', async (_, first) => {
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    let isWaiting = false
    const gateway = createOnceGateway(() => undefined)
    const shop = await createChargeWorld({
      async gateway(url, request) {
        if (!url.endsWith('/transactions/acknowledge') || isWaiting) {
          return gateway.answer?.(url, request)
        }

        isWaiting = true
        await answered
        return first()
      },
      backend: () => new Response(null, { status: 503 }),
    })
    await shop.charge(PAGE)
    gateway.told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(5 * MINUTE)

    const acknowledged = shop.acknowledge('SUCCESSFUL')
    while (!isWaiting) {
      await new Promise((resolve) => setImmediate(resolve))
    }

    // Its clock is ahead, so that the time of the next send has come.
    const clock = { ...shop.timeline, now: () => shop.timeline.now() + 30 * SECOND }
    const replica = shop.replica({
      clock,
      randomness: createSeededRandom(7, 'replica'),
      fetch: async (url, init) => {
        const given = await gateway.answer?.(url, init)
        if (url.endsWith('/transactions/acknowledge')) {
          throw new TypeError('fetch failed', {
            cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
          })
        }
        return given ?? shop.sandbox.app.request(url, init)
      },
    })
    const body = { status: 'SUCCESSFUL', narration: 'Served' }
    const headers = { authorization: `Bearer ${API_KEY}` }
    await replica.request(`${BFF}/api/charges/C-1/acknowledge`, posted(body, headers))
    expect(gateway.taken).toEqual(new Map([['T1', 'SUCCESSFUL']]))

    answer()
    expect(await acknowledged).toMatchObject({ body: { stage: 'decided' } })
    await shop.later(HOUR)
    expect(await shop.read()).toMatchObject({ fulfilment: { stage: 'decided' } })
    expect(await shop.acknowledge('FAILED')).toMatchObject(OTHERWISE)
  })

  test('after a person has withdrawn it, cannot be decided otherwise, and can be repeated', async () => {
    const gateway = createOnceGateway((sent) => (sent === 1 ? lost() : undefined))
    const shop = await createChargeWorld({ gateway: gateway.answer })
    await shop.charge(PAGE)
    gateway.told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(HOUR)
    await shop.laterWithoutServer(DAY)
    await shop.later(HOUR)
    expect(await shop.read()).toMatchObject({ attention: expect.stringContaining('could not be delivered') })
    await shop.api('/charges/C-1/resolve', { says: 'paid', by: 'Asha', note: 'The support has it.' })
    expect(await shop.acknowledge('FAILED')).toMatchObject(OTHERWISE)
    await shop.later(HOUR)
    expect(gateway.taken).toEqual(new Map([['T1', 'SUCCESSFUL']]))
    const repeated = { status: 202, body: { stage: 'decided' } }
    expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject(repeated)
    await shop.later(HOUR)
    expect(gateway.taken).toEqual(new Map([['T1', 'SUCCESSFUL']]))
  })

  test('is confirmed once the store can be used again, if it was away as the answer came', async () => {
    const inner = openStore('sqlite::memory:')
    let isAway = false
    const store = {
      ...inner,
      async commit(...args: Parameters<typeof inner.commit>) {
        if (isAway) {
          throw new StoreAwayError('The store is away for a moment.')
        }
        return inner.commit(...args)
      },
    }
    const gateway = createOnceGateway(() => {
      isAway = true
      return undefined
    })
    const shop = await createChargeWorld({ store, gateway: gateway.answer })
    await shop.charge(PAGE)
    gateway.told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(MINUTE)
    expect({ isAway, sends: gateway.sends() }).toEqual({ isAway: true, sends: 1 })
    isAway = false
    await shop.later(HOUR)
    expect({ charge: await shop.read(), sends: gateway.sends() }).toMatchObject({
      charge: { fulfilment: { stage: 'confirmed' } },
      sends: 1,
    })
  })
})

test('a decision about a payment without an id is not marked as sent: a refusal counts when it is named', async () => {
  const told = createToldGateway()
  told.refuses('T1')
  const shop = await createChargeWorld({ gateway: told.answer })
  await shop.charge(PAGE)
  told.says(801, [paying(700, '1000')])
  await shop.later(HOUR)
  const [row] = await shop.rows()
  expect(row?.record).toMatchObject({
    confirmation: { payments: [{ stage: 'decided', sent_at: null, unanswered: 0 }] },
  })
  told.says(801, [paying(700, '1000', 'T1')])
  await shop.later(HOUR)
  expect(await shop.read()).toMatchObject({ fulfilment: { stage: 'refused', payment_id: 'T1' } })
})

test('sending a decision again changes nothing that clients see, and no version', async () => {
  const { told, shop } = await toldCharge()
  told.falls(true)
  told.says(801, [paying(700, '1000', 'T1')])
  await shop.later(5 * MINUTE)
  const { version } = await shop.read()
  const sent = shop.confirmations().length
  await shop.later(HOUR)
  expect(shop.confirmations().length).toBeGreaterThan(sent + 5)
  expect(await shop.read()).toMatchObject({ version })
})

test('a page that is open sends no decision: only its pauses do', async () => {
  const { told, shop, id, checkout_id } = await toldSplits()
  told.falls(true)
  told.says(801, [paying(700, '1000', 'T1')], id)
  await shop.later(MINUTE)
  const before = shop.confirmations().length
  for (let poll = 0; poll < 300; poll++) {
    await shop.status(checkout_id)
    await shop.later(2 * SECOND)
  }
  expect(shop.confirmations().length - before).toBeLessThan(6)
})

describe('what is sent of a decision that could not be delivered, once reports say otherwise', () => {
  const left = [paying(700, '600', 'T1'), paying(702, '400', 'T2')]
  const back = [paying(702, '600', 'T1'), paying(702, '400', 'T2')]
  test.each([
    ['what is left, by 802', 802, left, ['SUCCESSFUL T1'], 'charge.reversed'],
    ['what is left, by 840', 840, left, ['SUCCESSFUL T1'], 'charge.reversed'],
    ['nothing, if all went back by 803', 803, back, [], 'charge.reversed'],
    ['nothing, if all went back by 840', 840, back, [], 'charge.reversed'],
    ['nothing, while they contradict each other', 803, [], [], 'charge.needs_attention'],
  ] as const)('is %s', async (_, status, payments, taken, event) => {
    const { told, shop } = await toldCharge()
    told.falls(true)
    told.says(801, [paying(700, '600', 'T1'), paying(700, '400', 'T2')])
    await shop.later(10 * MINUTE)
    told.says(status, [...payments])
    await shop.later(HOUR)
    told.falls(false)
    await shop.later(HOUR)
    expect(told.taken).toEqual(taken)
    expect(shop.types()).toEqual(['charge.succeeded', event])
  })
})

test('an alarm about a payment does not end, and come again, with decisions about others', async () => {
  const told = createToldGateway()
  const shop = await createChargeWorld({
    gateway: (url, request) =>
      url.endsWith('/acknowledge') && request.body?.includes('"T1"')
        ? new Response(null, { status: 503 })
        : told.answer(url, request),
  })
  await shop.charge(PAGE)
  told.says(801, [paying(700, '1000', 'T1')])
  await shop.later(HOUR)
  await shop.laterWithoutServer(DAY)
  await shop.later(2 * HOUR)
  told.says(801, [paying(700, '1000', 'T1'), paying(700, '1000', 'T2')])
  await shop.later(3 * HOUR)
  await shop.acknowledge('FAILED')
  await shop.later(3 * HOUR)
  expect(told.taken).toEqual(['FAILED T2'])
  // Once of T1, and once because there is more money.
  expect(shop.types().filter((type) => type === 'charge.needs_attention')).toHaveLength(2)
})

test('money that all went back is not acknowledged any more, whatever was confirmed before', async () => {
  const { told, shop } = await toldCharge()
  told.says(801, [paying(700, '1000', 'T1')])
  await shop.later(5 * MINUTE)
  told.says(840, [paying(702, '1000', 'T1')], 'C-1', '0')
  await shop.later(2 * HOUR)
  const unpaid = { status: 409, body: { code: 'charge_not_paid' } }
  expect(await shop.acknowledge('FAILED')).toMatchObject(unpaid)
  expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject(unpaid)
})
