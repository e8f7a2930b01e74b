import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run, runUnread, start } from '../support/command-line.ts'
import { createDesk } from '../support/desk.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { openDatabase } from '../../server/store/sqlite/database.ts'

const PROCESS_MS = 120_000

let desk: Awaited<ReturnType<typeof createDesk>>
beforeAll(async () => {
  desk = await createDesk()
}, PROCESS_MS)
afterAll(() => desk.close())

describe('help', { timeout: PROCESS_MS }, () => {
  const COMMANDS = [
    'serve',
    'sandbox',
    'check',
    'fx',
    'balance',
    'history',
    'payouts send',
    'payouts status',
    'payouts list',
    'checkouts list',
    'checkouts show',
    'events list',
    'events replay',
  ]

  test('names every command, and every exit code', async () => {
    const { code, out } = await run(['--help'])
    expect(code).toBe(0)
    for (const command of COMMANDS) expect(out).toContain(command.split(' ')[0])
    for (const exitCode of [0, 1, 2, 65, 66, 69, 70, 75, 77, 78]) {
      expect(out).toMatch(new RegExp(`(^|\\s)${exitCode}\\s`))
    }
  })

  test.each(COMMANDS)('of %s has an example', async (command) => {
    const { code, out, err } = await run([...command.split(' '), '--help'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`gateway-checkout-server ${command}`)
    expect(out).toContain('Examples:')
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
  ])('is offered after %j', async (args) => {
    const { code, out, err } = await run(args, desk.fresh())
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/--help|Usage|needs an amount/)
  })
})

describe('a configuration that cannot be used', { timeout: PROCESS_MS }, () => {
  test.each(['serve', 'check', 'balance', 'payouts list', 'history X'])(
    'ends %s with 78',
    async (command) => {
      const { GATEWAY_BASE_URL: _, ...rest } = desk.fresh()
      const { code, out, err } = await run(command.split(' '), { ...rest, PUBLIC_URL: 'nowhere' })
      expect([code, out]).toEqual([78, ''])
      expect(err).toContain('GATEWAY_BASE_URL is required.')
      expect(err).toContain('PUBLIC_URL must be an absolute http(s) URL.')
    },
  )

  test('is one that names no source of orders, for the server', async () => {
    const { code, err } = await run(['serve'], desk.fresh())
    expect(code).toBe(78)
    expect(err).toContain('ORDERS_URL or ORDER_SIGNING_KEY is required')
  })

  test('is one whose store cannot be opened', async () => {
    const { code, err } = await run(
      ['payouts', 'list'],
      desk.fresh({ STORE_URL: `sqlite:${desk.folder}/no/such/folder` }),
    )
    expect(code).toBe(78)
    expect(err).toContain(`STORE_URL names a store that cannot be opened: ${desk.folder}/no/such/folder: `)
  })
})

describe('the gateway', { timeout: PROCESS_MS }, () => {
  test.each([['fx', 'KES'], ['balance'], ['check']])(
    'that is away ends %s with 69, or says so',
    async (...args) => {
      const { code, out, err } = await run(args, desk.fresh({ GATEWAY_BASE_URL: 'http://127.0.0.1:9' }))
      expect(code).toBe(args[0] === 'check' ? 1 : 69)
      expect(out + err).toMatch(/could not reach|did not give a usable answer/)
    },
  )

  test('that does not take the credentials ends with 77', async () => {
    const { code, err } = await run(['balance'], desk.fresh({ GATEWAY_CONSUMER_SECRET: 'wrong' }))
    expect(code).toBe(77)
    expect(err).not.toContain('wrong')
  })
})

describe('fx and balance', { timeout: PROCESS_MS }, () => {
  test('are shown as text, and as the API answers them', async () => {
    const rates = await run(['fx', 'KES'], desk.fresh())
    expect(rates.out).toMatch(/^1 KES +buying +selling\n(.*\n)*UGX +\d/)
    expect(JSON.parse((await run(['fx', 'KES', '--json'], desk.fresh())).out)).toMatchObject({
      base_currency: 'KES',
    })

    const quoted = JSON.parse((await run(['fx', 'KES', 'UGX', '1500.00', '--json'], desk.fresh())).out)
    expect(quoted).toMatchObject({
      direction: 'buying',
      sender_amount: '1500.00',
      destination_currency: 'UGX',
    })
    const sold = JSON.parse((await run(['fx', 'USD', 'KES', '100', '--selling', '--json'], desk.fresh())).out)
    expect(sold).toMatchObject({ direction: 'selling', recipient_amount: '100.00', source_currency: 'KES' })

    expect((await run(['balance'], desk.fresh())).out).toMatch(/^account +ACC-001\nbalance +\d+\.\d\d KES\n/)
    expect(JSON.parse((await run(['balance', '--json'], desk.fresh())).out)).toMatchObject({
      currency: 'KES',
    })
  })

  test('that the gateway refuses end with 1 and its words', async () => {
    const { code, out, err } = await run(['fx', 'XXX'], desk.fresh())
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('115')
  })
})

describe('beside a running server', { timeout: PROCESS_MS }, () => {
  test('checkouts are shown, and events listed and told again', async () => {
    const key = 'a-merchant-api-key-of-32-letters'
    const shop = desk.fresh({
      ORDER_SIGNING_KEY: 'a signing key of at least 32 bytes, for a test',
      MERCHANT_API_KEY: key,
    })
    const server = await start(['serve'], { ...shop, HOST: '127.0.0.1', PORT: '0' }, /listens on port (\d+)/)
    try {
      const { signOrder } = await import('gateway-checkout-server')
      const now = Date.now()
      const order = await signOrder(
        { order: 'A-1', amount: '500', currency: 'KES', narration: 'Two kangas' },
        {
          key: shop.ORDER_SIGNING_KEY!,
          audience: shop.PUBLIC_URL!,
          issuedAt: now,
          lifetime: 600_000,
        },
      )
      const begun = await (
        await fetch(`http://127.0.0.1:${server.match[1]}/checkout/initiate`, {
          method: 'POST',
          headers: { accept: 'application/json' },
          body: new URLSearchParams({
            order,
            payer_name: 'Asha Otieno',
            payer_email: 'asha@example.com',
            payer_msisdn: '254700000001',
          }),
        })
      ).json()
      await desk.control(`/checkouts/${begun.merchant_transaction_id}/pay`, { scenario: 'approve' })
      await expect
        .poll(async () => (await run(['checkouts', 'show', 'A-1', '--json'], shop)).out, { timeout: 60_000 })
        .toContain('"outcome": "paid"')

      expect((await run(['checkouts', 'list', '--outcome', 'paid'], shop)).out).toMatch(
        /\nA-1 +1 +paid +801 +500 KES/,
      )
      expect((await run(['checkouts', 'show', 'A-1'], shop)).out).toMatch(/\n700 +successful +500.00 KES/)
      const [event] = JSON.parse((await run(['events', 'list', '--json'], shop)).out).items
      expect(event).toMatchObject({ type: 'checkout.paid' })
      expect((await run(['events', 'list'], shop)).out).toContain(event.id)
      expect(await run(['events', 'replay', event.id], shop)).toMatchObject({ code: 0, err: '' })
      expect(await run(['events', 'replay', 'evt_nobody'], shop)).toMatchObject({ code: 1, out: '' })
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })
})

describe('a result', { timeout: PROCESS_MS }, () => {
  test('that nobody reads ends quietly, and what was to be done is done', async () => {
    const shop = desk.fresh()
    expect(await runUnread(['fx', 'KES', '--json'], shop)).toEqual({ code: 0, err: '' })
    const payout = desk.unique(localPayout)
    expect(await runUnread(['payouts', 'send', desk.file(payout)], shop)).toEqual({ code: 0, err: '' })
    expect((await run(['payouts', 'list'], shop)).out).toContain(payout.payout_reference)
  })

  test('has no colours, no cursor movements and no spinner without a terminal', async () => {
    for (const args of [['fx', 'KES'], ['check'], ['--help'], ['payouts', 'status', 'NOBODY']]) {
      const { out, err } = await run(args, desk.fresh())
      expect(out + err).not.toContain('\u001b')
    }
  })

  test('shows no control characters that somebody else wrote', async () => {
    const shop = desk.fresh()
    const payout = { ...localPayout, payout_reference: `\u202eODD-1` }
    await run(['payouts', 'send', desk.file(payout)], shop)
    const { out } = await run(['payouts', 'list'], shop)
    expect(out).toContain('?ODD-')
    expect(out).not.toContain('\u202e')
  })
})

test(
  'a list names on its side what it leaves out because it cannot be read',
  { timeout: PROCESS_MS },
  async () => {
    const shop = desk.fresh()
    const payout = desk.unique(localPayout)
    await run(['payouts', 'send', desk.file(payout)], shop)
    const database = openDatabase(String(shop.STORE_URL).replace('sqlite:', ''))
    database.exec(`UPDATE transactions SET record = '{}'`)
    database.close()
    const { out, err } = await run(['payouts', 'list', '--json'], shop)
    expect(JSON.parse(out).items).toEqual([])
    expect(err).toMatch(/cannot be read/)
    expect(err).toContain(payout.payout_reference)
  },
)

test('serve loads neither the sandbox nor what other commands need', () => {
  const chunks = readdirSync('server/dist/chunks').filter((name) => name.endsWith('.js'))
  const read = (name: string) => readFileSync(`server/dist/${name}`, 'utf8')
  const reached = new Set<string>()
  const walk = (name: string) => {
    if (reached.has(name)) return
    reached.add(name)
    for (const [, next] of read(name).matchAll(
      /from"?\s*["']\.\/([\w./-]+\.js)["']|^import ["']\.\/([\w./-]+)["']/gm,
    )) {
      const path = name.startsWith('chunks/') ? `chunks/${next}` : next
      if (path) walk(path)
    }
  }
  walk('cli.js')
  walk(`chunks/${chunks.find((name) => name.startsWith('serve-'))}`)
  expect(reached.size).toBeGreaterThan(3)
  expect([...reached].filter((name) => /sandbox|check-|send-/.test(name))).toEqual([])
})
