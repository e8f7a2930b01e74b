import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Environment } from '../../server/config/config.ts'
import { LEAST } from '../support/least-config.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { createTerminal } from '../support/terminal.ts'

const much = { sender_amount: '99999999.00', recipient_amount: '99999999.00' }

describe('api POST', () => {
  const route = '/v1/payouts/initiate'

  test('sends once in two runs, and api GET retrieves and lists', async () => {
    const { run, get, file, countRequests, timeline } = createTerminal()
    const send = ['api', 'POST', '/api/payouts', '--data', `@${file(`\uFEFF${JSON.stringify(localPayout)}`)}`]
    for (const _ of ['first', 'second']) expect(await run(send)).toMatchObject({ code: 0, err: '' })
    expect(await countRequests(route)).toBe(1)
    await timeline.advance(10_000)
    expect(await get('/payouts/WAGES-1')).toMatchObject({ outcome: 'succeeded' })
    expect((await get('/payouts?outcome=succeeded')).items).toHaveLength(1)
  })

  test('exits with 75 if the response is lost, and never sends again', async () => {
    const { post, get, control, countRequests, timeline } = createTerminal()
    await control('/faults', { route, fault: 'answer_lost', next: 1 })
    const lost = await post('/payouts', localPayout)
    expect([lost.code, JSON.parse(lost.out)]).toMatchObject([75, { outcome: 'sending' }])
    expect(lost.err).toContain("the gateway's response was not received. Query the status")
    await timeline.advance(60_000)
    expect(await get('/payouts/WAGES-1')).toMatchObject({ outcome: 'succeeded' })
    expect((await post('/payouts', localPayout)).code).toBe(0)
    expect(await countRequests(route)).toBe(1)
  })
})

test('a request that the server or the gateway refuses exits with 1, and the response is printed', async () => {
  const { run, post } = createTerminal()
  const { payout_reference: _, ...nameless } = localPayout
  const refused = await post('/payouts', nameless)
  expect(refused).toMatchObject({ code: 1, err: 'payout_reference is required.\n' })
  expect(JSON.parse(refused.out)).toMatchObject({ code: 'invalid_request', status: 422 })
  const rejected = await post('/payouts', { ...localPayout, ...much })
  expect([rejected.code, JSON.parse(rejected.out)]).toMatchObject([1, { outcome: 'failed' }])
  expect(await run('api GET /api/payouts/NOBODY')).toMatchObject({
    code: 1,
    err: 'No payout has this reference.\n',
  })
})

describe('--data', () => {
  test('is standard input, if it is -', async () => {
    const { run } = createTerminal()
    const input = JSON.stringify(localPayout)
    const { code, out } = await run('api POST /api/payouts --data -', { input })
    expect([code, JSON.parse(out)]).toMatchObject([0, { payout_reference: 'WAGES-1' }])
  })

  test.each([
    ['a file that is missing', '@/none/payout.json', 66, '/none/payout.json cannot be read: ENOENT.\n'],
    ['a file that is not JSON', '@package-lock.txt', 65, 'package-lock.txt must contain JSON.\n'],
    ['text that is not JSON', '{', 65, '--data must contain JSON.\n'],
  ])('refuses %s', async (_, data, expected, message) => {
    const { run, file } = createTerminal()
    const path = file('{')
    const name = (text: string) => text.replace('package-lock.txt', path)
    const { code, out, err } = await run(['api', 'POST', '/api/payouts', '--data', name(data)])
    expect([code, out, err]).toEqual([expected, '', name(message)])
  })
})

test.each<[string, Environment, number, RegExp]>([
  ['fx?base_currency=KES', { GATEWAY_BASE_URL: 'http://127.0.0.1:9' }, 69, /could not reach|usable answer/],
  ['accounts/ACC-001/balance', { GATEWAY_CONSUMER_SECRET: 'wr0ng' }, 77, /^(?![^]*wr0ng)/],
  ['fx?base_currency=XXX', {}, 1, /"status_code": 115/],
])(
  'api GET /api/%s fails as the gateway does, with its own exit code',
  async (path, env, expected, message) => {
    const { code, out, err } = await createTerminal().run(`api GET /api/${path}`, { env })
    expect([code, out + err]).toEqual([expected, expect.stringMatching(message)])
  },
)

test('in production, a POST request is sent only after a yes', async () => {
  const { run } = createTerminal(LEAST)
  const asked: string[] = []
  const fetch = (url: string) => {
    asked.push(new URL(url).pathname)
    return new Response('{}', { status: 503 })
  }
  const answering = (line: string) => ({
    fetch,
    stdin: Object.assign(Readable.from([`${line}\n`]), { isTTY: true }),
  })
  const payout = ['api', 'POST', '/api/payouts', '--data', JSON.stringify(localPayout)]
  expect(await run(payout, { fetch })).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('pass --yes'),
  })
  for (const line of ['n', '', 'yesterday'])
    expect(await run(payout, answering(line))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Go on\? \[y\/N\] Nothing was done/),
    })
  expect(asked).toEqual([])
  await run(payout, answering('y'))
  expect(asked).not.toEqual([])
  const before = asked.length
  await run(
    [...payout, '--yes'].map((word) => word.replace('WAGES-1', 'WAGES-2')),
    { fetch },
  )
  expect(asked.length).toBeGreaterThan(before)
  expect((await run('api GET /api/payouts', { fetch })).code).toBe(0)
})
