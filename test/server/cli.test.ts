import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../support/command-line.ts'
import { run, runUnread, start } from '../support/command-line.ts'
import { b2bPayout, localPayout, transfer } from '../support/spec-payouts.ts'

const PROCESS_MS = 30_000
const folder = mkdtempSync(join(tmpdir(), 'cli-'))
const SANDBOX_SAYS = /listens on (http:\/\/127\.0\.0\.1:\d+)/

let sandbox: Awaited<ReturnType<typeof start>>
let env: Env
let stores = 0

beforeAll(async () => {
  sandbox = await start(['sandbox', '--port', '0'], {}, SANDBOX_SAYS)
  env = {
    GATEWAY_ENVIRONMENT: 'sandbox',
    GATEWAY_BASE_URL: sandbox.match[1]!,
    GATEWAY_CONSUMER_KEY: 'sandbox-key',
    GATEWAY_CONSUMER_SECRET: 'sandbox-secret',
    GATEWAY_SERVICE_CODE: 'KES=CHECKOUT-KES',
    GATEWAY_ACCOUNT_NUMBER: 'ACC-001',
    PUBLIC_URL: 'http://127.0.0.1:9',
  }
}, PROCESS_MS)
afterAll(async () => {
  await sandbox.stop()
  rmSync(folder, { recursive: true })
})

/** A store of its own, so that no test hears of another. */
function fresh(more: Env = {}): Env {
  stores += 1
  return { ...env, STORE_URL: `sqlite:${join(folder, `${stores}.sqlite`)}`, ...more }
}

function file(content: unknown): string {
  stores += 1
  const path = join(folder, `${stores}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** References are unique in the sandbox, which all tests share. */
function unique<Request extends { payout_reference: string }>(request: Request): Request {
  stores += 1
  return { ...request, payout_reference: `${request.payout_reference}-${process.pid}-${stores}` }
}

async function advance(seconds: number): Promise<void> {
  await fetch(`${env.GATEWAY_BASE_URL}/_sandbox/clock/advance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seconds }),
  })
}

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
    const { code, out, err } = await run(args, fresh())
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/--help|Usage|needs an amount/)
  })
})

describe('a configuration that cannot be used', { timeout: PROCESS_MS }, () => {
  test.each(['serve', 'check', 'balance', 'payouts list', 'history X'])(
    'ends %s with 78',
    async (command) => {
      const { GATEWAY_BASE_URL: _, ...rest } = fresh()
      const { code, out, err } = await run(command.split(' '), { ...rest, PUBLIC_URL: 'nowhere' })
      expect([code, out]).toEqual([78, ''])
      expect(err).toContain('GATEWAY_BASE_URL is required.')
      expect(err).toContain('PUBLIC_URL must be an absolute http(s) URL.')
    },
  )

  test('is one that names no source of orders, for the server', async () => {
    const { code, err } = await run(['serve'], fresh())
    expect(code).toBe(78)
    expect(err).toContain('ORDERS_URL or ORDER_SIGNING_KEY is required')
  })

  test('is one whose store cannot be opened', async () => {
    const { code, err } = await run(
      ['payouts', 'list'],
      fresh({ STORE_URL: `sqlite:${folder}/no/such/folder` }),
    )
    expect(code).toBe(78)
    expect(err).toContain('STORE_URL names a store that cannot be opened')
  })
})

describe('the gateway', { timeout: PROCESS_MS }, () => {
  test.each([['fx', 'KES'], ['balance'], ['check']])(
    'that is away ends %s with 69, or says so',
    async (...args) => {
      const { code, out, err } = await run(args, fresh({ GATEWAY_BASE_URL: 'http://127.0.0.1:9' }))
      expect(code).toBe(args[0] === 'check' ? 1 : 69)
      expect(out + err).toMatch(/could not reach|did not give a usable answer/)
    },
  )

  test('that does not take the credentials ends with 77', async () => {
    const { code, err } = await run(['balance'], fresh({ GATEWAY_CONSUMER_SECRET: 'wrong' }))
    expect(code).toBe(77)
    expect(err).not.toContain('wrong')
  })
})

describe('fx and balance', { timeout: PROCESS_MS }, () => {
  test('are shown as text, and as the API answers them', async () => {
    const rates = await run(['fx', 'KES'], fresh())
    expect(rates.out).toMatch(/^1 KES +buying +selling\n(.*\n)*UGX +\d/)
    expect(JSON.parse((await run(['fx', 'KES', '--json'], fresh())).out)).toMatchObject({
      base_currency: 'KES',
    })

    const quoted = JSON.parse((await run(['fx', 'KES', 'UGX', '1500.00', '--json'], fresh())).out)
    expect(quoted).toMatchObject({
      direction: 'buying',
      sender_amount: '1500.00',
      destination_currency: 'UGX',
    })
    const sold = JSON.parse((await run(['fx', 'USD', 'KES', '100', '--selling', '--json'], fresh())).out)
    expect(sold).toMatchObject({ direction: 'selling', recipient_amount: '100.00', source_currency: 'KES' })

    expect((await run(['balance'], fresh())).out).toMatch(/^account +ACC-001\nbalance +\d+\.\d\d KES\n/)
    expect(JSON.parse((await run(['balance', '--json'], fresh())).out)).toMatchObject({ currency: 'KES' })
  })

  test('that the gateway refuses end with 1 and its words', async () => {
    const { code, out, err } = await run(['fx', 'XXX'], fresh())
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('115')
  })
})

describe('payouts', { timeout: PROCESS_MS }, () => {
  test('are sent, followed, listed, and have a history', async () => {
    const shop = fresh()
    const payout = unique(localPayout)
    const sent = await run(['payouts', 'send', file(payout)], shop)
    expect(sent).toMatchObject({ code: 0, err: '' })
    expect(sent.out).toMatch(
      new RegExp(`^payout_reference .*\\n${payout.payout_reference} +local +pending +720 +1500.00 KES`),
    )

    await advance(10)
    const status = () => run(['payouts', 'status', payout.payout_reference], shop)
    await expect.poll(async () => (await status()).out, { timeout: 20_000 }).toMatch(/outcome +succeeded\n/)
    expect(await status()).toMatchObject({ code: 0, err: '' })

    const listed = await run(['payouts', 'list', '--outcome', 'succeeded', '--json'], shop)
    expect(JSON.parse(listed.out)).toMatchObject({
      items: [{ payout_reference: payout.payout_reference, payment_status: 700 }],
      next_cursor: null,
    })
    const told = await run(['history', payout.payout_reference], shop)
    expect(told.out).toContain('The gateway accepted it.')
    expect(told.out).toContain('The gateway says 700: succeeded.')
  })

  test.each([
    ['local', localPayout],
    ['imt', transfer],
    ['b2b', b2bPayout],
  ])('of type %s come from standard input', async (type, request) => {
    const { code, out } = await run(
      ['payouts', 'send', '-', '--type', type, '--json'],
      fresh(),
      JSON.stringify([unique(request)]),
    )
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject([{ outcome: 'pending', response_code: 720 }])
  })

  test('that are refused do not keep the others, and end with 1', async () => {
    const good = unique(localPayout)
    const poor = unique({ ...localPayout, sender_amount: '99999999.00', recipient_amount: '99999999.00' })
    const { payout_reference: _, ...nameless } = localPayout
    const { code, out, err } = await run(['payouts', 'send', file([nameless, poor, good])], fresh())
    expect(code).toBe(1)
    expect(out).toContain(`${good.payout_reference} `)
    expect(out).toContain('INSUFFICIENT_BALANCE')
    expect(err).toBe('Number 1 was refused: payout_reference is required.\n')
  })

  test('run again send nothing twice', async () => {
    const shop = fresh()
    const payout = unique(localPayout)
    const path = file(payout)
    const first = await run(['payouts', 'send', path, '--json'], shop)
    const again = await run(['payouts', 'send', path, '--json'], shop)
    const created = [first, again].map(({ out }) => JSON.parse(out)[0].created_at)
    expect(created[0]).toBe(created[1])
    const changed = await run(['payouts', 'send', file({ ...payout, payment_description: 'More' })], shop)
    expect(changed).toMatchObject({ code: 1, out: '' })
    expect(changed.err).toContain('Another payout was sent under this payout_reference.')
  })

  test('whose answer is lost are stored and end with 75, and are settled later', async () => {
    const shop = fresh()
    const payout = unique(localPayout)
    await loseNextAnswer()
    const sent = await run(['payouts', 'send', file(payout), '--json'], shop)
    expect(sent.code).toBe(75)
    expect(JSON.parse(sent.out)).toMatchObject([{ outcome: 'sending', response_code: null }])
    const status = () => run(['payouts', 'status', payout.payout_reference, '--json'], shop)
    await expect.poll(async () => (await status()).out, { timeout: 20_000 }).toContain('"response_code": 720')
  })

  test.each([
    ['no JSON', '{', 65],
    ['no file', null, 66],
  ])('from %s end with a code of their own', async (_, content, expected) => {
    const path = content === null ? join(folder, 'missing.json') : file(content)
    const { code, out, err } = await run(['payouts', 'send', path], fresh())
    expect([code, out]).toEqual([expected, ''])
    expect(err).toContain(path)
  })

  test('that nobody sent are not found', async () => {
    const { code, err } = await run(['payouts', 'status', 'NOBODY'], fresh())
    expect([code, err]).toEqual([1, 'No payout has this reference.\n'])
    expect(await run(['payouts', 'list'], fresh())).toEqual({ code: 0, out: '', err: 'There are none.\n' })
  })

  test('by an unknown outcome are refused by rule', async () => {
    const { code, err } = await run(['payouts', 'list', '--outcome', 'paid'], fresh())
    expect(code).toBe(1)
    expect(err).toMatch(/^outcome must be one of sending,/)
  })

  /** The next initiate is done, and its answer never leaves. */
  async function loseNextAnswer(): Promise<void> {
    await fetch(`${env.GATEWAY_BASE_URL}/_sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ route: '/v1/payouts/initiate', fault: 'answer_lost', next: 1 }),
    })
  }
})

describe('beside a running server', { timeout: PROCESS_MS }, () => {
  test('checkouts are shown, and events listed and told again', async () => {
    const key = 'a-merchant-api-key-of-32-letters'
    const shop = fresh({
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
      await fetch(`${env.GATEWAY_BASE_URL}/_sandbox/checkouts/${begun.merchant_transaction_id}/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ scenario: 'approve' }),
      })
      await expect
        .poll(async () => (await run(['checkouts', 'show', 'A-1', '--json'], shop)).out, { timeout: 20_000 })
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
    const shop = fresh()
    expect(await runUnread(['fx', 'KES', '--json'], shop)).toEqual({ code: 0, err: '' })
    const payout = unique(localPayout)
    expect(await runUnread(['payouts', 'send', file(payout)], shop)).toEqual({ code: 0, err: '' })
    expect((await run(['payouts', 'list'], shop)).out).toContain(payout.payout_reference)
  })

  test('has no colours, no cursor movements and no spinner without a terminal', async () => {
    for (const args of [['fx', 'KES'], ['check'], ['--help'], ['payouts', 'status', 'NOBODY']]) {
      const { out, err } = await run(args, fresh())
      expect(out + err).not.toContain('\u001b')
    }
  })

  test('shows no control characters that somebody else wrote', async () => {
    const shop = fresh()
    const payout = { ...unique(localPayout), payout_reference: `\u202eODD-${process.pid}-${stores}` }
    await run(['payouts', 'send', file(payout)], shop)
    const { out } = await run(['payouts', 'list'], shop)
    expect(out).toContain('?ODD-')
    expect(out).not.toContain('\u202e')
  })
})

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
