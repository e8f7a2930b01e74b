import { EventEmitter } from 'node:events'
import { mkdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../server/api/events.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { verifyWebhook } from '../../server/outbox/verify-webhook.ts'
import { openStore } from '../../server/store/open.ts'
import { openDatabase } from '../../server/store/sqlite/database.ts'
import { CHARGE } from '../support/chargeable.ts'
import { AIRTIME } from '../support/spec-airtime.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { createTerminal } from '../support/terminal.ts'
import { PAYER, START } from '../support/world.ts'

const WEBHOOK = {
  MERCHANT_WEBHOOK_URL: 'http://127.0.0.1:4030/webhooks',
  MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('the secret of a merchant in a test').toString('base64')}`,
}

async function createTerminalWithPaidCheckout(order: string) {
  const terminal = createTerminal({
    ...WEBHOOK,
    GATEWAY_CHARGE_PATH: '/v1/charges',
    PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=25:Platform fee',
  })
  const { environment, fetch, timeline: clock } = terminal
  const store = openStore(String(environment.STORE_URL))
  const orders = () => ({ order, amount: '500', currency: 'KES', narration: 'Two kangas' })
  const app = createApp({ config: readConfig(environment), store, fetch, clock, orders })
  const response = await app.request('/checkout/initiate', {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ order, ...PAYER, payer_msisdn: '254700000001' }),
  })
  const { merchant_transaction_id } = await response.json()
  await store.close()
  await terminal.control(`/checkouts/${merchant_transaction_id}/pay`, { scenario: 'approve' })
  await clock.advance(10_000)
  return terminal
}

describe('help', () => {
  const COMMANDS = [
    'serve',
    'sandbox',
    'check',
    'fx',
    'balance',
    'history',
    'erase',
    'backup',
    'recover',
    'charges acknowledge',
    'completion',
    'checkouts list',
    'checkouts show',
    'events list',
    'events show',
    'events replay',
    'events trigger',
    ...['payouts', 'charges', 'airtime'].flatMap((kind) => [
      `${kind} send`,
      `${kind} status`,
      `${kind} list`,
    ]),
  ]

  test('names every command and every exit code, and each command has an example', async () => {
    const { run } = createTerminal()
    const { code, out } = await run('--help')
    expect(code).toBe(0)
    for (const exitCode of [0, 1, 2, 65, 66, 69, 70, 75, 77, 78, 130])
      expect(out).toMatch(new RegExp(`(^|\\s)${exitCode}\\s`))
    for (const command of COMMANDS) {
      expect(out).toContain(command.split(' ')[0])
      const help = await run(`${command} --help`)
      expect(help).toMatchObject({ code: 0, err: '' })
      expect(help.out).toContain(`Examples:\n  gateway-checkout-server ${command}`)
    }
  })

  test.each([
    [[]],
    [['nonsense']],
    [['payouts']],
    [['payouts', 'send']],
    [['payouts', 'send', 'x', '--type', 'cash']],
    [['fx']],
    [['fx', 'KES', 'UGX']],
    [['history']],
    [['balance', '--verbose']],
    [['sandbox', '--port', 'x']],
    [['sandbox', '--port', '70000']],
    [['sandbox', '--charges', 'other']],
  ])('is offered after %j, with exit code 2', async (args) => {
    const { code, out, err } = await createTerminal().run(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/--help|Usage|needs an amount/)
  })
})

describe('an invalid configuration', () => {
  test.each(['serve', 'check', 'balance', 'payouts list', 'history X'])(
    'ends %s with 78, and is named',
    async (command) => {
      const env = { GATEWAY_BASE_URL: undefined, PUBLIC_URL: 'nowhere' }
      const { code, out, err } = await createTerminal().run(command, { env })
      expect([code, out]).toEqual([78, ''])
      expect(err).toContain('GATEWAY_BASE_URL is required.')
      expect(err).toContain('PUBLIC_URL must be an absolute http(s) URL.')
    },
  )

  test('is one without a source of orders, for serve', async () => {
    const err = expect.stringContaining('ORDER_PUBLIC_KEYS is required: it is the source of orders')
    expect(await createTerminal().run('serve')).toMatchObject({ code: 78, err })
  })

  test('is one whose store cannot be opened', async () => {
    const { run, folder } = createTerminal()
    const path = `${folder}/folder`
    mkdirSync(path)
    const { code, err } = await run('payouts list', { env: { STORE_URL: `sqlite:${path}` } })
    expect(code).toBe(78)
    expect(err).toContain(`The store in STORE_URL cannot be opened: ${path}: `)
  })
})

test.each([
  ['fx KES', { GATEWAY_BASE_URL: 'http://127.0.0.1:9' }, 69, /could not reach|did not give a usable answer/],
  ['balance', { GATEWAY_BASE_URL: 'http://127.0.0.1:9' }, 69, /could not reach|did not give a usable answer/],
  ['check', { GATEWAY_BASE_URL: 'http://127.0.0.1:9' }, 1, /could not reach|did not give a usable answer/],
  ['balance', { GATEWAY_CONSUMER_SECRET: 'wr0ng' }, 77, /^(?![^]*wr0ng)/],
  ['fx XXX', {}, 1, /115/],
])('%s fails as the gateway does, with its own exit code', async (command, env, expected, message) => {
  const { code, out, err } = await createTerminal().run(command, { env })
  expect([code, out + err]).toEqual([expected, expect.stringMatching(message)])
})

test('fx and balance print text, or the response of the API', async () => {
  const { run } = createTerminal()
  const json = async (command: string) => JSON.parse((await run(`${command} --json`)).out)
  expect((await run('fx KES')).out).toMatch(/^1 KES +buying +selling\n(.*\n)*UGX +\d/)
  expect(await json('fx KES')).toMatchObject({ base_currency: 'KES' })
  expect(await json('fx KES UGX 1500.00')).toMatchObject({
    direction: 'buying',
    sender_amount: '1500.00',
    destination_currency: 'UGX',
  })
  expect(await json('fx USD KES 100 --selling')).toMatchObject({
    direction: 'selling',
    recipient_amount: '100.00',
    source_currency: 'KES',
  })
  expect((await run('balance')).out).toMatch(/^account +ACC-001\nbalance +\d+\.\d\d KES\n/)
  expect(await json('balance')).toMatchObject({ currency: 'KES' })
})

describe('checkouts and events', () => {
  test('are shown, listed and replayed', async () => {
    const { run } = await createTerminalWithPaidCheckout('A-1')
    expect((await run('checkouts show A-1 --json')).out).toContain('"outcome": "paid"')
    expect((await run('checkouts show A-1')).out).toMatch(/\n700 +successful +500.00 KES/)
    expect((await run('checkouts list --outcome paid')).out).toMatch(/\nA-1 +1 +paid +801 +500 KES/)

    const [event] = JSON.parse((await run('events list --json')).out).items
    expect(event).toMatchObject({ type: 'checkout.paid' })
    const queued = 'Queued. The server delivers the event within a second, or when it runs again.\n'
    expect(await run(`events replay ${event.id}`)).toEqual({ code: 0, out: queued, err: '' })
    expect(await run('events replay evt_nobody')).toMatchObject({ code: 1, out: '' })
    expect(await run('events show evt_nobody')).toMatchObject({ code: 1, out: '' })
    const { out } = await run(`events show ${event.id}`)
    expect(out).toMatch(/^id +evt_\S+\n[^]*delivery +waiting\n[^]*"order": "A-1"/)
  })

  test('events list --follow shows each event once, until Ctrl-C', async () => {
    const { run } = await createTerminalWithPaidCheckout('A-1')
    await run('checkouts show A-1')
    const signals = new EventEmitter()
    const followed = run('events list --follow', {
      signals,
      onOut: (text) => void (text && signals.emit('SIGINT')),
    })
    const { code, out } = await followed
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^\S+ {2}checkout\.paid {2}A-1 {2}waiting {2}evt_\S+\n$/),
    ])
  })

  test('events trigger sends a signed event about nothing, and shows the answer', async () => {
    const secret = `whsec_${Buffer.from('the secret of a merchant in a test').toString('base64')}`
    const { run } = createTerminal({ MERCHANT_WEBHOOK_SECRET: secret })
    const received: { type: string; data: object }[] = []
    const trigger = (type: string, status: number, answer = 'The database of 254700000001 is away.') =>
      run(`events trigger ${type} --to https://shop.example/webhooks`, {
        fetch: (_, { headers, body = '' }) => {
          received.push(verifyWebhook({ headers, body, secret, clock: { now: () => START } }))
          return new Response(answer, { status })
        },
      })
    for (const type of EVENT_TYPES) expect([type, (await trigger(type, 200)).code]).toEqual([type, 0])
    expect(received.map(({ type }) => type)).toEqual(EVENT_TYPES)
    expect(received[0]).toMatchObject({ data: { outcome: 'paid', status: 801, environment: 'sandbox' } })
    const { code, out } = await trigger('payout.failed', 503)
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^Not accepted: 503\.\nThe database of \*\*\* is away\./),
    ])
    const page = await trigger('checkout.paid', 200, '<!doctype html><title>Sign in</title>')
    expect(page).toMatchObject({ code: 1, err: expect.stringContaining('may lead to a login page') })
    expect(await run('events trigger checkout.paid')).toMatchObject({ code: 2 })
  })

  test('events list names the order, payout, charge or airtime recipient', async () => {
    const { run, file, timeline } = await createTerminalWithPaidCheckout('A-1')
    await run('checkouts show A-1')
    await run(['payouts', 'send', file(localPayout)])
    await run(['charges', 'send', file(CHARGE)])
    await timeline.advance(10_000)
    await run(`payouts status ${localPayout.payout_reference}`)
    await run(`charges status ${CHARGE.external_reference}`)
    const recipients = file('phone_number,amount\n254720000001,10\n', 'csv')
    await run(['airtime', 'send', recipients, '--reference', 'BONUS-1'])
    const { out } = await run('events list')
    expect(out).toMatch(/ checkout\.paid +A-1  /)
    expect(out).toMatch(/ payout\.succeeded +WAGES-1  /)
    expect(out).toMatch(/ charge\.succeeded +C-1  /)
    expect(out).toMatch(/ airtime\.succeeded +BONUS-1 254720000001  /)
  })
})

describe('output', () => {
  test('has no escape sequences without a terminal', async () => {
    const { run } = createTerminal()
    for (const command of ['fx KES', 'check', '--help', 'payouts status NOBODY']) {
      const { out, err } = await run(command)
      expect(out + err).not.toContain('\u001b')
    }
  })

  test('shows on a terminal what a command waits for, and leaves Ctrl-C a signal', async () => {
    const { run, file, control, timeline } = createTerminal()
    const path = file('phone_number,amount\n254720000001,10\n', 'csv')
    await control('/faults', { route: AIRTIME, fault: 'latency', ms: 7_000, next: 1 })
    const keyListeners: number[] = []
    timeline.after(6_000, () => void keyListeners.push(process.stdin.listenerCount('keypress')))
    const { code, out, err } = await run(['airtime', 'send', path], { isWatched: true })
    // A listener for keys sets the terminal to raw mode, in which Ctrl-C sends no SIGINT.
    expect(keyListeners).toEqual([0])
    expect(code).toBe(0)
    expect(err).toContain('Sending ')
    expect(err).toMatch(/\r█+ 1 of 1 recipients completed\n/)
    expect(out).not.toContain('\u001b')
  })

  test('replaces control characters in foreign text', async () => {
    const { run, file } = createTerminal()
    await run(['payouts', 'send', file({ ...localPayout, payout_reference: `\u202eODD-1` })])
    const { out } = await run('payouts list')
    expect(out).toContain('?ODD-')
    expect(out).not.toContain('\u202e')
  })

  test('a list omits an unreadable record, and names it on standard error', async () => {
    const { run, file, environment } = createTerminal()
    await run(['payouts', 'send', file(localPayout)])
    const database = openDatabase(String(environment.STORE_URL).replace('sqlite:', ''))
    database.exec(`UPDATE transactions SET record = '{}'`)
    database.close()
    const { out, err } = await run('payouts list --json')
    expect(JSON.parse(out).items).toEqual([])
    expect(err).toMatch(/cannot be read/)
    expect(err).toContain(localPayout.payout_reference)
  })
})
