import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'

import { EVENT_TYPES, splitType, SUBJECTS } from '../../../server/api/kind-table.ts'
import { readConfig } from '../../../server/config/config.ts'
import { createApp } from '../../../server/every-feature.ts'
import { embed } from '../../../server/every-feature.ts'
import { silentLog } from '../../../server/log/log.ts'
import { verifyWebhook } from '../../../server/outbox/verify-webhook.ts'
import { version } from '../../../server/package.json'
import { openStore } from '../../../server/store/open.ts'
import { LEAST } from '../../support/least-config.ts'
import { localPayout } from '../../support/spec/payouts.ts'
import { CHARGE } from '../../support/worlds/chargeable.ts'
import { createTerminal } from '../../support/worlds/terminal.ts'
import { formOf, START } from '../../support/worlds/world.ts'

import type { Environment } from '../../../server/config/variables.ts'

const WEBHOOK = {
  MERCHANT_WEBHOOK_URL: 'http://127.0.0.1:4030/webhooks',
  MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('the secret of a merchant in a test').toString('base64')}`,
}

describe('help', () => {
  const COMMANDS = [
    'serve',
    'sandbox',
    'check',
    'link',
    'api',
    'erase',
    'backup',
    'recover',
    'events list',
    'events replay',
    'events ping',
    'events trigger',
    'prove',
  ]

  test('help names every command and every exit code, and each command has an example', async () => {
    const { run } = createTerminal()
    expect(await run('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
    const { code, out } = await run('--help')
    expect(code).toBe(0)
    for (const exitCode of [0, 1, 2, 65, 66, 69, 70, 73, 75, 77, 78, 130]) {
      expect(out).toMatch(new RegExp(`(^|\\s)${exitCode}\\s`))
    }

    for (const command of COMMANDS) {
      expect(out).toContain(command.split(' ')[0])
      const help = await run(`${command} --help`)
      expect(help).toMatchObject({ code: 0, err: '' })
      expect(help.out).toContain(`Examples:\n  gateway-checkout-server ${command}`)
    }
  })

  test.each(['', ...COMMANDS])('the help of "%s" fits 100 columns', async (command) => {
    const { out } = await createTerminal().run(`${command} --help`.trim())
    expect(out.split('\n').filter((line) => line.length > 100)).toEqual([])
  })

  test.each([
    [[]],
    [['nonsense']],
    [['events']],
    [['api', 'GET']],
    [['api', 'GET', '/health/ready']],
    [['api', 'GET', '/api/payouts', '--data', '{}']],
    [['check', '--verbose']],
    [['sandbox', '--port', '70000']],
    [['sandbox', '--charges', 'other']],
  ])('help is offered after %j, with exit code 2', async (args) => {
    const { code, out, err } = await createTerminal().run(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/--help|Usage|has no --data/)
  })
})

test.each(['serve', 'check', 'events list', 'api GET /api/payouts'])(
  'an invalid configuration ends %s with 78, and is named',
  async (command) => {
    const env = { GATEWAY_BASE_URL: undefined, PUBLIC_URL: 'nowhere' }
    const { code, out, err } = await createTerminal().run(command, { env })
    expect({ code, out }).toEqual({ code: 78, out: '' })
    expect(err).toContain('GATEWAY_BASE_URL is required.')
    expect(err).toContain('PUBLIC_URL must be an absolute http(s) URL')
  },
)

test('serve needs no source of orders: a merchant may have nothing but links', async () => {
  const { err } = await createTerminal({ STORE_URL: 'sqlite:/nowhere/store.sqlite' }).run('serve')
  expect(err).toContain('/nowhere/store.sqlite')
})

test('a refused start of serve is one line of JSON, as the log is, unless a person reads it', async () => {
  const { run } = createTerminal({ GATEWAY_BASE_URL: undefined, PUBLIC_URL: 'nowhere' })
  const { err } = await run('serve')
  expect(JSON.parse(err)).toMatchObject({
    level: 50,
    exit_code: 78,
    msg: expect.stringMatching(/GATEWAY_BASE_URL is required\.\n.*PUBLIC_URL must be/s),
  })
  expect(err.trimEnd()).not.toContain('\n')
  expect((await run('serve', { isWatched: true, isShown: true })).err).toContain(
    'GATEWAY_BASE_URL is required.\n',
  )
  expect((await run('check')).err).not.toContain('{')
})

test('an error about a secret names the path of a file that cannot be read or is empty, but no secret', async () => {
  const { run, folder } = createTerminal()
  writeFileSync(join(folder, 'empty'), '\n')
  for (const [path, reason] of [
    [join(folder, 'none'), 'which cannot be read: ENOENT'],
    [folder, 'which cannot be read: EISDIR'],
    [join(folder, 'empty'), 'which is empty'],
  ]) {
    expect((await run('check', { env: { GATEWAY_CONSUMER_SECRET_FILE: path } })).err).toContain(
      `GATEWAY_CONSUMER_SECRET_FILE names the file ${path}, ${reason}.`,
    )
  }

  const { err } = await run('check', { env: { GATEWAY_CONSUMER_SECRET_FILE: 'the-secret-itself' } })
  expect(err).toContain('GATEWAY_CONSUMER_SECRET_FILE names a file, which cannot be read: ENOENT.')
  expect(err).not.toContain('the-secret-itself')
})

test('serve warns that nobody is told of a payment without a webhook', async () => {
  const env = {
    ORDER_SIGNING_KEY: 'a signing key of 32 bytes or more',
    STORE_URL: 'sqlite:/nowhere/store.sqlite',
  }
  const warning = 'MERCHANT_WEBHOOK_URL is not set: nobody is told of a payment.'
  expect((await createTerminal(env).run('serve')).out).toContain(warning)
  const { out, err } = await createTerminal({ ...env, ...WEBHOOK }).run('serve')
  expect({ out, err }).toEqual({ out: '', err: expect.stringContaining('/nowhere/store.sqlite') })
})

describe('events', () => {
  test('events trigger sends a signed event about nothing, and shows the answer', async () => {
    const { MERCHANT_WEBHOOK_SECRET: secret } = WEBHOOK
    const { run } = createTerminal({ MERCHANT_WEBHOOK_SECRET: secret })
    const received: { type: string; data: object }[] = []
    const trigger = (type: string, status: number, answer = 'The database of 254700000001 is away.') =>
      run(`events trigger ${type} --to https://shop.example/webhooks`, {
        fetch: (_, { headers, body = '' }) => {
          received.push(verifyWebhook({ headers, body, secret, clock: { now: () => START } }))
          return new Response(answer, { status })
        },
      })
    for (const type of EVENT_TYPES) {
      expect({ type, code: (await trigger(type, 200)).code }).toEqual({ type, code: 0 })
    }

    expect(received.map(({ type }) => type)).toEqual(EVENT_TYPES)
    expect(received[0]).toMatchObject({ data: { outcome: 'paid', status: 801, environment: 'sandbox' } })
    const dataOf = (type: string) => received.find((each) => each.type === type)?.data
    expect(dataOf('checkout.paid')).toMatchObject({ discrepancy: null })
    for (const type of EVENT_TYPES) {
      SUBJECTS[splitType(type).subject].data.parse(dataOf(type))
    }

    expect(dataOf('checkout.unpaid')).toMatchObject({ amount_paid: '0', payments: [{ status: 701 }] })
    expect(dataOf('payout.failed')).toMatchObject({ payment_status: 701, result: null, attention: null })
    expect(dataOf('airtime.succeeded')).toMatchObject({ service_status: 602, attention: null })
    expect(dataOf('charge.failed')).toMatchObject({ status: 803, reason: 'unknown', amount_paid: '0' })
    expect(dataOf('checkout.overpaid')).toMatchObject({ discrepancy: 'excess' })
    expect(dataOf('checkout.review')).toMatchObject({ discrepancy: 'short' })
    expect(dataOf('charge.succeeded')).toMatchObject({ discrepancy: null })
    const { code, out } = await trigger('payout.failed', 503)
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringMatching(/^Not accepted: 503\.\nThe database of \*\*\* is away\./),
    })
    const page = await trigger('checkout.paid', 200, '<!doctype html><title>Sign in</title>')
    expect(page).toMatchObject({ code: 1, err: expect.stringContaining('may lead to a login page') })
    expect(await run('events trigger checkout.paid')).toMatchObject({ code: 78 })
  })

  test('events ping sends a signed event that nothing is to be done about', async () => {
    const { run } = createTerminal(WEBHOOK)
    const { MERCHANT_WEBHOOK_SECRET: secret } = WEBHOOK
    const clock = { now: () => START }
    const received: object[] = []
    const ping = (status: number) =>
      run('events ping', {
        fetch: (_, { headers, body = '' }) => {
          received.push(verifyWebhook({ headers, body, secret, clock }))
          return new Response(null, { status })
        },
      })
    expect(await ping(204)).toMatchObject({ code: 0, err: '' })
    expect(received).toMatchObject([{ type: 'ping', data: {} }])
    expect(await ping(401)).toMatchObject({ code: 1, err: expect.stringContaining('HTTP 401') })
  })

  test('events are listed by the order, payout, charge or airtime recipient, and replayed', async () => {
    const { run, post, get, timeline, environment, fetch, control } = createTerminal({
      ...WEBHOOK,
      GATEWAY_CHARGE_PATH: '/v1/charges',
      PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=25:Platform fee',
    })
    const store = openStore(String(environment.STORE_URL))
    const orders = (order: string) => ({ order, amount: '500', currency: 'KES', narration: 'Two kangas' })
    const app = createApp({ config: readConfig(environment), store, fetch, clock: timeline, orders })
    const started = formOf('A-1', { payer_msisdn: '254700000001' })
    const { merchant_transaction_id } = await (await app.request('/checkout/initiate', started)).json()
    await store.close()
    await control(`/checkouts/${merchant_transaction_id}/pay`, { scenario: 'approve' })
    await timeline.advance(10_000)
    await get('/checkouts/A-1')
    await post('/payouts', localPayout)
    await post('/charges', CHARGE)
    const recipients = [{ phone_number: '254720000001', amount: '10' }]
    await post('/airtime', { reference: 'BONUS-1', recipients })
    await timeline.advance(10_000)
    await get(`/payouts/${localPayout.payout_reference}`)
    await get(`/charges/${CHARGE.external_reference}`)
    await get('/airtime/BONUS-1')
    const { out } = await run('events list')
    expect(out).toMatch(/ checkout\.paid +A-1  /)
    expect(out).toMatch(/ payout\.succeeded +WAGES-1  /)
    expect(out).toMatch(/ charge\.succeeded +C-1  /)
    expect(out).toMatch(/ airtime\.succeeded +BONUS-1 +254720000001  /)
    const [event] = JSON.parse((await run('events list --json')).out).items
    const queued = 'Queued. The server delivers the event within a second, or when it runs again.\n'
    expect(await run(`events replay ${event.id}`)).toEqual({ code: 0, out: queued, err: '' })
    expect(await run('events replay evt_nobody')).toMatchObject({ code: 1, out: '' })
  })
})

test('output of check has coloured marks on a terminal, and failures are red, unless NO_COLOR is set', async () => {
  const { run } = createTerminal()
  const watched = { isWatched: true, isShown: true }
  const missing = 'api POST /api/payouts --data @/none.json'
  expect((await run('check', watched)).out).toContain('\u001b[33m→ environment:')
  expect((await run(missing, watched)).err).toContain('\u001b[31m/none.json cannot be read: ENOENT.')
  const env = { NO_COLOR: '1' }
  expect((await run('check', { ...watched, env })).out).not.toContain('\u001b')
  expect((await run(missing, { ...watched, env })).err).not.toContain('\u001b[31m')
})

const much = { sender_amount: '99999999.00', recipient_amount: '99999999.00' }

describe('api POST', () => {
  const route = '/v1/payouts/initiate'

  test('api POST sends once in two runs, and api GET retrieves and lists', async () => {
    const { run, get, file, countRequests, timeline } = createTerminal()
    const send = ['api', 'POST', '/api/payouts', '--data', `@${file(`\uFEFF${JSON.stringify(localPayout)}`)}`]
    for (const _ of ['first', 'second']) {
      expect(await run(send)).toMatchObject({ code: 0, err: '' })
    }

    expect(await countRequests(route)).toBe(1)
    await timeline.advance(10_000)
    expect(await get('/payouts/WAGES-1')).toMatchObject({ outcome: 'succeeded' })
    expect((await get('/payouts?outcome=succeeded')).items).toHaveLength(1)
  })

  test('api POST exits with 75 if the response is lost, and never sends again', async () => {
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

test('--data is standard input, if it is -', async () => {
  const { run } = createTerminal()
  const input = JSON.stringify(localPayout)
  const { code, out } = await run('api POST /api/payouts --data -', { input })
  expect({ code, answer: JSON.parse(out) }).toMatchObject({
    code: 0,
    answer: { payout_reference: 'WAGES-1' },
  })
})

test.each([
  ['a file that is missing', '@/none/payout.json', 66, '/none/payout.json cannot be read: ENOENT.\n'],
  [
    'a file that is not JSON',
    '@package-lock.txt',
    65,
    'package-lock.txt is not valid JSON, names a field twice, or is nested more than 100 levels deep.\n',
  ],
  [
    'text that is not JSON',
    '{',
    65,
    '--data is not valid JSON, names a field twice, or is nested more than 100 levels deep.\n',
  ],
])('--data refuses %s', async (_, data, expected, message) => {
  const { run, file } = createTerminal()
  const path = file('{')
  const name = (text: string) => text.replace('package-lock.txt', path)
  const { code, out, err } = await run(['api', 'POST', '/api/payouts', '--data', name(data)])
  expect({ code, out, err }).toEqual({ code: expected, out: '', err: name(message) })
})

test('--data - refuses an input without an end', async () => {
  async function* endless() {
    const piece = new Uint8Array(1_000_000).fill(0x20)
    for (;;) {
      yield piece
    }
  }

  const stdin = Readable.from(endless())
  const ended = await createTerminal().run(['api', 'POST', '/api/payouts', '--data', '-'], { stdin })
  expect(ended).toEqual({
    code: 66,
    out: '',
    err: 'Standard input cannot be read: it has more than 64 MB.\n',
  })
  expect(stdin.destroyed).toBe(true)
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

test.each<[string, string, number, RegExp]>([
  ['a variable that is not set', 'close 2026-11-21', 78, /no TIME_ZONE is set/],
  ['a variable that is not set', 'find --day 2026-11-21', 78, /no TIME_ZONE is set/],
  ['a variable that is not set', 'api GET /api/days/2026-11-21', 78, /no TIME_ZONE is set/],
  [
    'a variable that is not set',
    `api POST /api/charges --data ${JSON.stringify({})}`,
    78,
    /no GATEWAY_CHARGE_PATH is set/,
  ],
  ['a variable that is not set', 'events ping', 78, /MERCHANT_WEBHOOK_URL/],
  ['an argument that is wrong', 'close tomorrow', 2, /<day> must be a date/],
  ['an argument that is wrong', 'events ping --to backend', 2, /--to must be an absolute http/],
  ['an argument that is wrong', 'prove backend', 2, /<url> must be an absolute http/],
  ['nothing to do', 'recover --compared', 1, /never recovered/],
  ['a file that cannot be written', 'backup /none/copy.sqlite', 73, /There is no backup/],
  ['a file that exists', 'backup package.json', 73, /exists already/],
])('%s has one exit code in every command: %s', async (_, line, expected, message) => {
  const { code, err } = await createTerminal().run(line, { env: { TIME_ZONE: '' } })
  expect({ code, err }).toEqual({ code: expected, err: expect.stringMatching(message) })
})

test('in production, a POST request is sent only after a yes', async () => {
  const { run } = createTerminal(PRODUCTION)
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
  // It asks before it reads: the data may come to the end of the same input.
  const unread = ['api', 'POST', '/api/payouts', '--data', '@/none/payout.json']
  expect((await run(unread, { fetch })).err).toContain('pass --yes')
  for (const line of ['n', '', 'yesterday']) {
    expect(await run(payout, answering(line))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Go on\? \[y\/N\] Nothing was done/),
    })
  }

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

const ANOTHER = { GATEWAY_ACCOUNT_NUMBER: 'ACC-777' }
const { GATEWAY_SERVICE_CODE: _, STORE_URL: __, ...PRODUCTION } = LEAST
const REHEARSAL = { ...PRODUCTION, GATEWAY_REHEARSAL: '1' }
const NOTHING = 'There is nothing to adopt: the store has no transactions of another merchant.\n'
const ADOPTED = 'Adopted: they are the transactions of the configured merchant.\n'
const refusalOf = (account: string, queried: number) =>
  `The store has the ${account} transactions of the merchant with the account ACC-001 (still queried: ${queried}), and GATEWAY_ACCOUNT_NUMBER is ACC-777. If this is the same merchant, run "gateway-checkout-server adopt". Another merchant needs another STORE_URL.`

test('a server and commands with other account numbers are refused, until adopt moves the payments', async () => {
  const ORDER_SIGNING_KEY = 'a signing key of at least 32 bytes, for a test'
  const { run, post, get, environment } = createTerminal({ ORDER_SIGNING_KEY })
  await post('/payouts', localPayout)
  const env = ANOTHER
  const refused = refusalOf('sandbox', 1)
  const { code, err } = await run('serve', { env })
  expect({ code, msg: JSON.parse(err).msg }).toEqual({ code: 78, msg: refused })
  await expect(embed({ env: { ...environment, ...env }, log: silentLog })).rejects.toThrow(refused)
  for (const command of ['events list', 'erase --phone 254700000001']) {
    expect(await run(command, { env })).toEqual({ code: 78, out: '', err: `${refused}\n` })
  }

  const { findings } = JSON.parse((await run('check --json', { env })).out)
  expect(findings).toContainEqual({
    what: 'store',
    kind: 'problem',
    detail: expect.stringContaining(refused),
  })

  const running = openStore(String(environment.STORE_URL))
  expect(await run('adopt')).toEqual({ code: 0, out: NOTHING, err: '' })
  expect(await run('adopt', { env })).toEqual({ code: 0, out: `${refused}\n${ADOPTED}`, err: '' })
  await running.close()
  expect(await run('adopt', { env })).toEqual({ code: 0, out: NOTHING, err: '' })
  const { payout_reference } = localPayout
  expect((await get('/payouts', { env })).items).toMatchObject([{ payout_reference }])
  expect((await post('/payouts', localPayout, { env })).code).toBe(0)
  expect((await run('events list')).code).toBe(78)
})

test('in production, adopt asks first, as `api POST` does', async () => {
  const { run } = createTerminal(PRODUCTION)
  await run('events list')
  const env = ANOTHER
  const out = `${refusalOf('production', 0)}\n`
  const err = expect.stringMatching(/pass --yes/)
  expect(await run('adopt', { env })).toEqual({ code: 2, out, err })
  expect(await run('adopt --yes', { env })).toMatchObject({ code: 0, out: out + ADOPTED })
})

test('payments of a rehearsal and of production are never adopted into each other', async () => {
  const { run, post, get } = createTerminal()
  const fetch = () => new Response('{}', { status: 503 })
  await post('/payouts', localPayout, { env: REHEARSAL, fetch })
  for (const env of [{ ...PRODUCTION, ...ANOTHER }, ANOTHER]) {
    expect(await run('adopt', { env })).toEqual({ code: 0, out: NOTHING, err: '' })
    expect((await get('/payouts', { env })).items).toEqual([])
  }

  expect((await get('/payouts', { env: REHEARSAL })).items).toHaveLength(1)
})
