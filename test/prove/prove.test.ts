import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'

import { EVENT_TYPES, splitType, SUBJECTS } from '../../server/api/kind-table.ts'
import { Secret } from '../../server/config/secret.ts'
import { parseJson } from '../../server/contract/parse.ts'
import { prove } from '../../server/prove/prove.ts'
import { Ruling } from '../../server/prove/run.ts'
import { SEQUENCES } from '../../server/prove/sequences.ts'
import { WAYS } from '../../server/prove/ways.ts'
import { systemClock } from '../../server/work/clock.ts'
import { systemRandomness } from '../../server/work/randomness.ts'
import { listen } from '../support/free-port.ts'
import { FAULTS, openShop, SECRET } from './faulty-shop.ts'
import { createSkippingClock } from './skipping-clock.ts'

import type { Fetch } from '../../server/http/exchange.ts'
import type { Sequence } from '../../server/prove/sequences.ts'
import type { Fault } from './faulty-shop.ts'
import type { SkippingClock } from './skipping-clock.ts'
import type { TestContext } from 'vitest'

const TIMEOUT_MS = 60_000

test('a webhook without a fault passes every sequence', { timeout: TIMEOUT_MS }, async (context) => {
  const verdicts = await judge(null, context)
  expect(verdicts.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
  expect(verdicts.map(({ name }) => name).toSorted()).toEqual(Object.keys(SEQUENCES).toSorted())
})

test('a webhook that answers before the last piece, and then closes the connection, has answered', async (context) => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n')
      setTimeout(() => socket.resetAndDestroy(), 40)
    })
  })
  context.onTestFinished(() => void server.close())
  const send = WAYS['in seven pieces'].fetch(fetch, systemClock)
  const init = { method: 'POST', headers: {}, redirect: 'manual', signal: context.signal } as const
  const { status } = await send(await listen(server), { ...init, body: 'x'.repeat(10_000) })
  expect(status).toBe(401)
})

/** What is said of some faults: the advice belongs to what failed, not to the sequence. */
const SAID: Partial<Record<Fault, { advice?: string; reason?: string }>> = {
  'loses the mark when it is paid again': { advice: 'lost or overwritten' },
  'writes overpaid over the mark': { advice: 'a later event has overwritten the mark' },
  'lets another checkout undo the mark': { advice: 'a checkout of the same order that ended without money' },
  'takes overpaid for paid': { advice: 'One payment is fulfilled twice' },
  'fulfils each time': { advice: 'One payment is fulfilled twice' },
  'takes unknown types for paid': { advice: 'compare the whole type' },
  'remembers half an event': { advice: 'Verify the whole body first' },
  'knows no payment': { advice: '--state is read when you have answered' },
  'answers 500 to another amount': { advice: 'waits behind it', reason: 'HTTP 500' },
  'falls over an unknown order': { advice: 'its log says why' },
  'takes the text of the secret for the key': { advice: 'bytes of HMAC-SHA256(key, webhook-id' },
  'has a CSRF check before it': {
    advice: 'No event reaches your handler',
    reason: 'Exempt the address from the CSRF check: csrf_exempt in Django',
  },
  'makes an order that it never had': { advice: 'that you never made' },
  'knows no late payment': {
    reason:
      'Paid looked like: status: paid; fulfilled: 1; payment: {merchant_transaction_id}; this lacks all of it.',
  },
  'answers with a page': { reason: 'expected that it is not answered with a page or an error' },
  'displays a warning of PHP': { reason: 'display_errors=Off' },
}
const faults = Object.keys(FAULTS).filter((name): name is Fault => Object.hasOwn(FAULTS, name))
test.concurrent.for(faults)(
  'a webhook that %s is caught by its sequence',
  { timeout: TIMEOUT_MS },
  async (fault, context) => {
    const verdicts = await judge(fault, context, only('paid', FAULTS[fault]))
    const { advice = '', reason = '' } = SAID[fault] ?? {}
    expect(verdicts).toContainEqual({
      name: FAULTS[fault],
      verdict: 'failed',
      reason: expect.stringContaining(reason),
      advice: expect.stringContaining(advice),
      ms: expect.any(Number),
    })
  },
)

test('what any event changes in a state is no payment', { timeout: TIMEOUT_MS }, async (context) => {
  const untouched = '"fulfilled":0,"taken_back":0,"payment":null,"look":[]'
  const tell = (state: string) => state.replace('{', `{"touched":${!state.includes(untouched)},`)
  const verdicts = await judge(null, context, SEQUENCES, tell)
  expect(verdicts.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
})

test('a history of the events in a state is no payment', { timeout: TIMEOUT_MS }, async (context) => {
  const tell = (state: string, _: string, told: object) =>
    JSON.stringify({ ...JSON.parse(state), history: told })
  const verdicts = await judge(null, context, SEQUENCES, tell)
  expect(verdicts.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
})

test('what late work may hide is not proven', { timeout: TIMEOUT_MS }, async (context) => {
  const hidden = ['wrong amount', 'duplicate', 'another checkout ends']
  const sequences = only('paid', 'ping', 'wrong secret', '2xx before the work', ...hidden)
  const verdicts = await judge('answers before the work', context, sequences)
  const of = (wanted: string) =>
    verdicts.flatMap(({ name, verdict }) => (verdict === wanted ? [name] : [])).toSorted()
  expect(of('failed')).toEqual(['2xx before the work'])
  expect(of('not proven')).toEqual(hidden.toSorted())
  expect(of('passed')).toEqual(['paid', 'ping', 'wrong secret'])
})

test(
  'a state by which two paid orders differ proves no payment',
  { timeout: TIMEOUT_MS },
  async (context) => {
    const tell = (state: string, order: string) => state.replace('"paid"', `"paid as ${order.slice(0, 8)}"`)
    const verdicts = await judge(null, context, SEQUENCES, tell)
    const reason = expect.stringContaining('two orders that were paid alike differ')
    expect(verdicts).toContainEqual(expect.objectContaining({ name: 'paid', verdict: 'not proven', reason }))
    expect(verdicts.filter(({ verdict }) => verdict === 'failed')).toEqual([])
  },
)

test(
  'of two orders with one reference, the second is told and not judged',
  { timeout: TIMEOUT_MS },
  async (context) => {
    let count = 0
    const rename = (order: string) => ((count += 1) % 9 === 0 ? 'the same' : order)
    const verdicts = await judge(null, context, SEQUENCES, undefined, rename)
    const wrong = verdicts.filter(({ verdict }) => verdict !== 'passed')
    expect(wrong.length).toBeGreaterThan(1)
    expect(new Set(wrong.map(({ reason }) => reason))).toEqual(
      new Set(['--create answered "the same" for two orders.']),
    )
    expect(wrong[0]?.advice).toContain('Give each order its own reference')
    expect(wrong[1]?.advice).toBe(`See "${wrong[0]?.name}".`)
  },
)

test('nothing more is sent to a shop that has ended', { timeout: TIMEOUT_MS }, async (context) => {
  const verdicts = await judge('falls over a huge body', context)
  const reason = expect.stringMatching(/^\d+ are not sent: your shop has ended, and its log says why\.$/)
  expect(verdicts).toContainEqual(expect.objectContaining({ name: 'all others', reason }))
  expect(verdicts.filter(({ reason: each }) => each.includes('ECONNREFUSED')).length).toBeLessThan(13)
})

test('a shop may fail when it is asked about an order that it never had', async (context) => {
  const verdicts = await judge(null, context, only('paid', 'unknown order'), (state) => {
    if (state === 'null') {
      throw new Ruling('not proven', 'HTTP 500')
    }
    return state
  })
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['passed', 'passed'])
})

test('without a number, the report says once that fulfilling twice cannot be seen', async (context) => {
  const tell = (state: string) => state.replaceAll(/:(\d+)/g, (_, number: string) => `:${number !== '0'}`)
  const verdicts = await judge('fulfils each time', context, only('paid', 'duplicate'), tell)
  const reason = expect.stringContaining('such as "shipments": 1')
  expect(verdicts.filter(({ verdict }) => verdict !== 'passed')).toEqual([
    { name: 'how often', verdict: 'not proven', reason, advice: null, ms: 0 },
  ])
})

test('a row of a database is a state, too', { timeout: TIMEOUT_MS }, async (context) => {
  const tell = (state: string) => Object.values(JSON.parse(state)).map(String).join('|')
  const verdicts = await judge(null, context, SEQUENCES, tell)
  expect(verdicts.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
})

test('what is sent is as the reference of the events says', { timeout: TIMEOUT_MS }, async (context) => {
  const wrong: string[] = []
  const watch =
    (clock: SkippingClock): Fetch =>
    async (url, init) => {
      const { type, data } = Object(parseJson(init.body ?? ''))
      const known = EVENT_TYPES.find((each) => each === type)
      if (known) {
        const { error } = SUBJECTS[splitType(known).subject].data.safeParse(data)
        if (error) {
          wrong.push(`${known}: ${error.message}`)
        }
      }
      return clock.fetch(url, init)
    }
  const verdicts = await judge(null, context, SEQUENCES, undefined, undefined, watch)
  expect(verdicts).toContainEqual(expect.objectContaining({ name: 'long event', verdict: 'passed' }))
  expect(wrong).toEqual([])
})

test('a slow webhook is told once, with its time', { timeout: TIMEOUT_MS }, async (context) => {
  const slow =
    (clock: SkippingClock): Fetch =>
    async (url, init) => {
      await clock.sleep(6_000)
      return clock.fetch(url, init)
    }
  const verdicts = await judge(null, context, SEQUENCES, undefined, undefined, slow)
  const told = verdicts.filter(({ reason }) => reason.includes('the run ends'))
  expect(told).toHaveLength(1)
  expect(told[0]?.reason).toMatch(
    /: your webhook ([6-9]|\d\d)\.\d s, --create 0\.0 s, --state 0\.0 s\. Most went to your webhook: .* Mark, answer, then work\.$/,
  )
})

test('a slow state is not told as a slow webhook', { timeout: TIMEOUT_MS }, async (context) => {
  const verdicts = await judge(null, context, SEQUENCES, undefined, undefined, undefined, 4_000)
  const told = verdicts.filter(({ reason }) => reason.includes('the run ends'))
  expect(told).toHaveLength(1)
  expect(told[0]?.reason).toMatch(
    /: your webhook 0\.\d s, --create 0\.0 s, --state 4\.\d s\. Most went to --state: [^.]*$/,
  )
})

function only(...names: string[]) {
  return Object.fromEntries(Object.entries(SEQUENCES).filter(([name]) => names.includes(name)))
}

async function judge(
  fault: Fault | null,
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  sequences: Readonly<Record<string, Sequence>> = SEQUENCES,
  tell: (state: string, order: string, told: object) => string = (state) => state,
  refer: (order: string) => string = (order) => order,
  send = (clock: SkippingClock): Fetch => clock.fetch,
  stateMs = 0,
) {
  const clock = createSkippingClock()
  const shop = await openShop(fault, clock)
  onTestFinished(shop.close)
  const means = { fetch: send(clock), clock, randomness: systemRandomness, secrets: [new Secret(SECRET)] }
  const read = async (order: string) => {
    if (stateMs > 0) {
      await clock.sleep(stateMs)
    }
    return tell(await shop.read(order), order, shop.told.get(order) ?? [])
  }

  const create = async () => shop.create(refer(randomUUID()))
  return prove(
    { ...shop, ...means, create, read, terms: { amount: '1500', currency: 'KES' } },
    () => {},
    sequences,
  )
}
