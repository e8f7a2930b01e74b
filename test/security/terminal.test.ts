import { Writable } from 'node:stream'
import { expect, test } from 'vitest'

import { createLog } from '../../server/log/log.ts'
import { createTerminal } from '../support/worlds/terminal.ts'

import type { Environment } from '../../server/config/variables.ts'
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

test.each<[string, string[], string?, Environment?]>([
  ['a command', [`x${EVIL}`]],
  ['an option', ['check', `--${EVIL}`]],
  ['a value of an option', ['sandbox', '--port', EVIL]],
  ['a name of a file', ['api', 'POST', '/api/payouts', '--data', `@none${EVIL}.json`]],
  ['a reference', ['api', 'GET', `/api/payouts/P${EVIL}`]],
  ['a name of a field', ['api', 'POST', '/api/payouts', '--data', '-'], JSON.stringify({ [EVIL]: EVIL })],
  ['a filter', ['api', 'GET', `/api/payouts?outcome=${encodeURIComponent(EVIL)}`]],
  ['a setting', ['events', 'list'], '', { ALLOWED_ORIGINS: `https://${EVIL}` }],
  ['the store setting', ['events', 'list'], '', { STORE_URL: `sqlite:/none/${EVIL.replace('\0', '')}` }],
])('the control characters of %s are not printed', async (_, command, input = '', env = {}) => {
  const { code, out, err } = await createTerminal().run(command, { env, input })
  expect(code).not.toBe(0)
  expect(out).not.toMatch(CONTROLS)
  expect(err).not.toMatch(CONTROLS)
  expect(err.trim()).not.toBe('')
})

test('the control characters of a refusal of the gateway are neither printed nor told as JSON', async () => {
  const { run, fetch: fetchGateway } = createTerminal()
  const fetch: Fetch = (url, init) =>
    url.includes('/v1/accounts/')
      ? Response.json(
          { status_code: 172, status_description: `No${EVIL}\nReady`, message: EVIL },
          { status: 400 },
        )
      : fetchGateway(url, init)
  const shown = await run('check', { fetch })
  // The words of others lose what nobody sees, and a terminal is sent no line of theirs.
  const seen = '[2J2J0;x\u2028'
  expect(shown.out).toContain('No[2J2J0;x?')
  expect(shown.out).not.toMatch(CONTROLS)
  expect(shown.out).not.toMatch(/^Ready/m)
  const json = await run('check --json', { fetch })
  expect(json.out).not.toMatch(CONTROLS)
  const [account] = JSON.parse(json.out).findings.filter(({ what }: { what: string }) => what === 'account')
  expect(account.detail).toContain(`No${seen}\nReady`)
  const { out, err } = await run('api GET /api/accounts/ACC-001/balance', { fetch })
  expect(out + err).not.toMatch(CONTROLS)
  expect(JSON.parse(out).gateway).toMatchObject({ message: seen })
})

test('the control characters of the log of the server are not printed, and the log keeps its value', async () => {
  let out = ''

  const write = (chunk: unknown, _: BufferEncoding, done: () => void) => {
    out += String(chunk)
    done()
  }

  const log = await createLog({ level: 'info', stdout: new Writable({ write }), env: {} })
  log.warn({ order: EVIL, err: new Error(EVIL) }, EVIL)
  expect(out).not.toMatch(CONTROLS)
  expect(JSON.parse(out)).toMatchObject({ order: EVIL, msg: EVIL, err: { message: EVIL } })
})
