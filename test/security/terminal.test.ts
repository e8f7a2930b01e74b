import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { createTerminal } from '../support/terminal.ts'
import { PAYER } from '../support/world.ts'
import type { Environment } from '../../server/config/config.ts'
import type { Fetch } from '../../server/http/exchange.ts'

// Escape, CSI and OSC as one character, backspace, and marks that reorder or hide text.
const ATTACKS = [
  '\u001b[2J',
  '\u009b2J',
  '\u009d0;x\u0007',
  '\b\b',
  '\u202e',
  '\u2066',
  '\u200f',
  '\u2028',
  '\u{e0041}',
]
const EVIL = ATTACKS.join('')
const CONTROLS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

describe('text with control characters is printed without them', () => {
  test.each<[string, string[], string?, Environment?]>([
    ['a command', [`x${EVIL}`]],
    ['an option', ['check', `--${EVIL}`]],
    ['a value of an option', ['sandbox', '--port', EVIL]],
    ['a name of a file', ['api', 'POST', '/api/payouts', '--data', `@none${EVIL}.json`]],
    ['a reference', ['api', 'GET', `/api/payouts/P${EVIL}`]],
    ['a name of a field', ['api', 'POST', '/api/payouts', '--data', '-'], JSON.stringify({ [EVIL]: EVIL })],
    ['a filter', ['api', 'GET', `/api/payouts?outcome=${encodeURIComponent(EVIL)}`]],
    ['a setting', ['events', 'list'], '', { ALLOWED_ORIGINS: `https://${EVIL}` }],
    [
      'a setting of the store',
      ['events', 'list'],
      '',
      { STORE_URL: `sqlite:/none/${EVIL.replace('\0', '')}` },
    ],
  ])('of %s', async (_, command, input = '', env = {}) => {
    const { code, out, err } = await createTerminal().run(command, { env, input })
    expect(code).not.toBe(0)
    expect(out).not.toMatch(CONTROLS)
    expect(err).not.toMatch(CONTROLS)
    expect(err.trim()).not.toBe('')
  })

  test('of a refusal of the gateway, also as JSON, which keeps its value', async () => {
    const { run, fetch: fetchGateway } = createTerminal()
    const fetch: Fetch = (url, init) =>
      url.includes('/v1/accounts/')
        ? Response.json(
            { status_code: 172, status_description: `No${EVIL}\nReady`, message: EVIL },
            { status: 400 },
          )
        : fetchGateway(url, init)
    const shown = await run('check', { fetch })
    expect(shown.out).toContain('No?')
    expect(shown.out).not.toMatch(CONTROLS)
    expect(shown.out).not.toMatch(/^Ready/m)
    const json = await run('check --json', { fetch })
    expect(json.out).not.toMatch(CONTROLS)
    const [account] = JSON.parse(json.out).findings.filter(({ what }: { what: string }) => what === 'account')
    expect(account.detail).toContain(`No${EVIL}\nReady`)
    const { out, err } = await run('api GET /api/accounts/ACC-001/balance', { fetch })
    expect(out + err).not.toMatch(CONTROLS)
    expect(err).toContain('?[2J')
    expect(JSON.parse(out).gateway).toMatchObject({ message: EVIL })
  })

  test('of the log of the server, which keeps its value', async () => {
    const { run, fetch: fetchGateway } = createTerminal()
    const port = await freePort()
    const server = `http://127.0.0.1:${port}`
    const env = {
      PORT: String(port),
      HOST: '127.0.0.1',
      ORDERS_URL: 'http://127.0.0.1:1',
      ORDERS_TOKEN: 'token',
    }
    const fetch: Fetch = (url, init) => {
      if (url.startsWith(env.ORDERS_URL))
        return Response.json({ order: 'A-1', amount: '10', currency: 'KES', narration: 'Two kangas' })
      return url.endsWith('/initiate')
        ? Response.json({ status_code: 172, status_description: EVIL, message: EVIL }, { status: 400 })
        : fetchGateway(url, init)
    }
    const signals = new EventEmitter()
    const ended = run('serve', { env, fetch, signals })
    const body = new URLSearchParams({ order: 'A-1', ...PAYER, payer_msisdn: '254700000001' })
    const start = () => globalThis.fetch(`${server}/checkout/initiate`, { method: 'POST', body })
    await expect
      .poll(
        () =>
          start().then(
            ({ status }) => status,
            () => null,
          ),
        { timeout: 20_000 },
      )
      .toBe(502)
    signals.emit('SIGTERM')
    const { out } = await ended
    expect(out).toContain('2J')
    expect(out).not.toMatch(CONTROLS)
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.stringify(JSON.parse(line)))
    expect(lines.join()).toContain(JSON.stringify(EVIL).slice(1, -1))
  })
})
