import { chmodSync, chownSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { readConfig } from '../../../server/config/config.ts'
import { withEnvFile } from '../../../server/config/env-file.ts'
import { newFolder } from '../../support/folder.ts'
import { LEAST, problemsOf } from '../../support/least-config.ts'
import { MERCHANT } from '../../support/worlds/command-line.ts'
import { createTerminal, runHere } from '../../support/worlds/terminal.ts'

import type { Finding } from '../../../server/cli/check/finding.ts'
import type { Env } from '../../support/worlds/command-line.ts'

function read(text: string, env: Record<string, string> = {}) {
  const folder = newFolder()
  writeFileSync(join(folder, '.env'), text)
  return withEnvFile(env, folder)
}

test('a file .env completes the variables, and those that are set win', () => {
  const folder = newFolder()
  expect(withEnvFile({ PORT: '1' }, folder)).toEqual({ PORT: '1' })
  writeFileSync(join(folder, '.env'), '# the gateway\nPORT=2\nHOST=127.0.0.1\nKEY="a #1"\n')
  expect(withEnvFile({ PORT: '1' }, folder)).toEqual({ PORT: '1', HOST: '127.0.0.1', KEY: 'a #1' })
  rmSync(join(folder, '.env'))
  mkdirSync(join(folder, '.env'))
  expect(() => withEnvFile({}, folder)).toThrow(/\.env cannot be read: EISDIR/)
})

const CUT = (name: string) =>
  `the end of the value of ${name} is not clear. Put it in one line, in quotes that it does not contain.`
const TWO_VALUES = (name: string) => `${name} has another value above. Keep one of the lines.`
const NOTHING = 'it is no comment, and no assignment such as NAME=value.'

test.each([
  // Without quotes, Node reads until #.
  ['CALLBACK_SECRET=abc#def', 1, CUT('CALLBACK_SECRET')],
  ['export MERCHANT_API_KEY=#abc-def', 1, CUT('MERCHANT_API_KEY')],
  ['ORDERS_TOKEN_FILE=/run/a#b\r\nPORT=1', 1, CUT('ORDERS_TOKEN_FILE')],
  ['PORT=1\n\nCALLBACK_SECRET_PREVIOUS=a#b # the old one', 3, CUT('CALLBACK_SECRET_PREVIOUS')],
  // An open quote ends in another line.
  ["MERCHANT_NAME='Asha\nCALLBACK_SECRET='abc'", 1, CUT('MERCHANT_NAME')],
  ['MERCHANT_NAME=`Asha\nCALLBACK_SECRET=`abc`', 1, CUT('MERCHANT_NAME')],
  ['MERCHANT_NAME="Asha\nMama"', 1, CUT('MERCHANT_NAME')],
  ["MERCHANT_NAME='Asha's shop'", 1, CUT('MERCHANT_NAME')],
  ['MERCHANT_NAME="Asha "Mama" shop"', 1, CUT('MERCHANT_NAME')],
  ['MERCHANT_NAME="Asha \\"Mama\\" shop"', 1, CUT('MERCHANT_NAME')],
  // Other programs and editors write these.
  ['CALLBACK_SECRET: abc', 1, NOTHING],
  ['set CALLBACK_SECRET=abc', 1, NOTHING],
  ['$env:CALLBACK_SECRET="abc"', 1, NOTHING],
  ['CALLBACK_SECRET＝abc', 1, NOTHING],
  ['CALLBACK_SECRET\u00a0=\u00a0abc', 1, NOTHING],
  ['\u200bCALLBACK_SECRET=abc', 1, NOTHING],
  ['CALLBACK_SECRET', 1, NOTHING],
  ['=abc', 1, NOTHING],
  ['CALLBACK_SECRET=abc\nCALLBACK_SECRET=', 2, TWO_VALUES('CALLBACK_SECRET')],
  ['CALLBACK_SECRET=abc\nexport CALLBACK_SECRET=def', 2, TWO_VALUES('CALLBACK_SECRET')],
])(
  'a line of .env that is not read as it is written is refused by its number, and not printed: %j',
  (text, line, fault) => {
    expect(() => read(text)).toThrow(`.env, line ${line}: ${fault}`)
    expect(() => read(text, { CALLBACK_SECRET: 'ghi' })).toThrow(fault)
    expect(() => read(text)).not.toThrow(/abc/)
  },
)

test.each([
  ["CALLBACK_SECRET='abc#def'", 'abc#def'],
  ['CALLBACK_SECRET="abc#def" # from the portal', 'abc#def'],
  ['CALLBACK_SECRET=abc # from the portal', 'abc'],
  ["CALLBACK_SECRET=abc # don't share", 'abc'],
  ["CALLBACK_SECRET=abc's", "abc's"],
  ['CALLBACK_SECRET=`a"b\'c`', 'a"b\'c'],
  ['CALLBACK_SECRET="a\\nb"', 'a\nb'],
  ["CALLBACK_SECRET='a\\nb'", 'a\\nb'],
  ['CALLBACK_SECRET=a b \\', 'a b \\'],
  ['CALLBACK_SECRET=${OTHER}', '${OTHER}'],
  ['CALLBACK_SECRET=  # none', ''],
  ['CALLBACK_SECRET=', ''],
  ['\texport CALLBACK_SECRET = abc\t\r\n\r\n  # a comment\r\nPORT=1', 'abc'],
  ['# CALLBACK_SECRET=abc#def\nCALLBACK_SECRET=abc', 'abc'],
  // Node's own reader takes the assignment into the comment, or into the value.
  ['PORT=1\n\n  # a comment\nCALLBACK_SECRET=abc', 'abc'],
  ['PORT=1\rCALLBACK_SECRET=abc\r', 'abc'],
  ['PORT=1\u2028CALLBACK_SECRET=abc', 'abc'],
  ['PORT=1\fCALLBACK_SECRET=abc', 'abc'],
  // Twice the same, as a command that is appended twice writes it.
  ['CALLBACK_SECRET=abc\nPORT=1\nCALLBACK_SECRET="abc"', 'abc'],
])('a line of .env is read as it is written: %j', (text, secret) => {
  expect(read(text)['CALLBACK_SECRET']).toBe(secret)
})

test('every line of .env that is not read as it is written is named', () => {
  const text = "PORT: 1\nHOST=::\nMERCHANT_NAME='Asha\nCALLBACK_SECRET=a#b"
  const lines = /line 1: .*\n.*line 3: .*\n.*line 4: /
  expect(() => read(text)).toThrow(lines)
})

test('where variables are missing, a command says once that there is no file .env', async () => {
  const folder = realpathSync(newFolder())
  const said = async (env: Env) => (await runHere(['events', 'list'], env, { folder })).err
  const sentence = `  - There is no file .env in ${folder}.\n`
  expect((await said({})).split(sentence)).toEqual([
    'The configuration cannot be used:\n',
    expect.stringContaining('GATEWAY_BASE_URL is required.'),
  ])
  // What is wrong here is no missing variable.
  const wrong = { ...MERCHANT, GATEWAY_BASE_URL: 'http://127.0.0.1:9', PUBLIC_URL: 'nowhere' }
  expect(await said(wrong)).not.toContain('no file')
  writeFileSync(join(folder, '.env'), 'PORT=8080')
  expect(await said({})).not.toContain('no file')
})

test('a file .env that others may read or replace is named at the start, and by check', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, '.env'), 'LOG_LEVEL=warn\n')
  const store = `sqlite:${join(folder, 'store.sqlite')}`
  const env = { ...MERCHANT, GATEWAY_BASE_URL: 'http://127.0.0.1:1', PUBLIC_URL: 'http://127.0.0.1:4020' }
  const path = join(folder, '.env')
  const readable = `${path} may be read by every user of this machine: chmod 600.`
  const changeable = `${path} may be changed by its group (${process.getegid?.()}): chmod 600.`
  const replaceable = `${path} may be replaced by every user of this machine, who may write to ${folder}: chmod 755 the folder.`
  const group = process.getegid?.() ?? -1
  const cases: [mode: number, folderMode: number, folderGroup: number, named: string | null][] = [
    [0o644, 0o755, group, readable],
    [0o660, 0o755, group, changeable],
    [0o640, 0o755, group, null],
    [0o600, 0o755, group, null],
    [0o600, 0o1777, group, null],
    [0o600, 0o775, group, null],
    [0o600, 0o777, group, replaceable],
  ]
  if (process.geteuid?.() === 0) {
    const byGroup = replaceable.replace('every user of this machine', 'the group 5555')
    cases.push([0o600, 0o775, 5555, byGroup], [0o600, 0o1775, 5555, null])
  }

  for (const [mode, folderMode, folderGroup, named] of cases) {
    chownSync(folder, -1, folderGroup)
    chmodSync(path, mode)
    chmodSync(folder, folderMode)
    const warnings = named === null ? [] : [{ about: 'files', text: named }]
    expect(readConfig({ ...LEAST, STORE_URL: store }, { folder }).warnings).toEqual(
      expect.arrayContaining([...warnings]),
    )
    const { out } = await runHere(['check', '--json'], { ...env, STORE_URL: store }, { folder })
    const findings: Finding[] = JSON.parse(out).findings
    expect(findings.filter(({ what }) => what === 'files').map(({ detail }) => detail)).toEqual(
      warnings.map(({ text }) => text),
    )
  }
})

test.runIf(process.geteuid?.() === 0)('a file .env of another user is refused; one of root is read', () => {
  const folder = newFolder()
  const path = join(folder, '.env')
  chmodSync(folder, 0o755)
  writeFileSync(path, 'PORT=1\n', { mode: 0o644 })
  process.seteuid?.(4321)
  try {
    expect(withEnvFile({}, folder)).toEqual({ PORT: '1' })
    process.seteuid?.(0)
    chownSync(path, 1234, 1234)
    expect(withEnvFile({}, folder)).toEqual({ PORT: '1' })
    process.seteuid?.(4321)
    expect(() => withEnvFile({}, folder)).toThrow(`${path} belongs to user 1234, who can change it`)
  } finally {
    process.seteuid?.(0)
  }
})

test.each([0o602, 0o622, 0o666])('a file .env that every user may change is refused: mode %o', (mode) => {
  const folder = newFolder()
  const path = join(folder, '.env')
  writeFileSync(path, 'PORT=1\n')
  chmodSync(path, mode)
  expect(() => withEnvFile({}, folder)).toThrow(
    `${path} may be changed by every user of this machine: chmod 600.`,
  )
})

const BOM = '\uFEFF'
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

function folderWith(name: string, bytes: string | Uint8Array): string {
  const folder = newFolder()
  writeFileSync(join(folder, name), bytes)
  return folder
}

const READ: [string, (text: string) => string | Uint8Array][] = [
  ['UTF-8', (text) => text],
  ['UTF-8 with a byte order mark', (text) => BOM + text],
  ['UTF-16LE, as PowerShell writes it', (text) => utf16(BOM + text)],
  ['UTF-16BE', (text) => utf16(BOM + text).swap16()],
]
const REFUSED: [string, (text: string) => Uint8Array, RegExp][] = [
  ['UTF-16 without a byte order mark', utf16, /UTF-16 or UTF-32 without a byte order mark; save it as UTF-8/],
  [
    'UTF-32',
    (text) => Buffer.concat([utf16(BOM), utf16(Array.from(`\0${text}`).join('\0'))]),
    /UTF-16 or UTF-32/,
  ],
  ['half a UTF-16 character', (text) => utf16(BOM + text).subarray(0, -1), /is not UTF-16LE; save it as/],
  ['Windows-1252', (text) => Buffer.from(`${text}é`, 'latin1'), /is not UTF-8; save it as UTF-8/],
]

test.each(READ)(
  'a file of the operator in %s is read: .env, a secret, and the body of a command',
  async (_, encode) => {
    const folder = folderWith('.env', encode('PORT=1\nORDERS_TOKEN=ключ\n'))
    expect(withEnvFile({}, folder)).toEqual({ PORT: '1', ORDERS_TOKEN: 'ключ' })
    const secret = join(folderWith('secret', encode('the key of a merchant in a test\r\n')), 'secret')
    const { apiKeys } = readConfig({ ...LEAST, MERCHANT_API_KEY_FILE: secret })
    expect(apiKeys?.secrets[0].reveal()).toBe('the key of a merchant in a test')
    const body = join(folderWith('body', encode('{"reference":"é"}')), 'body')
    const { err } = await createTerminal().run(`api POST /api/airtime --data @${body}`)
    expect(err).not.toMatch(/JSON|read/)
  },
)

test.each(REFUSED)(
  'a file of the operator in %s is refused with the name of the encoding',
  async (_, encode, reason) => {
    const folder = folderWith('.env', encode('PORT=1'))
    expect(() => withEnvFile({}, folder)).toThrow(reason)
    const MERCHANT_API_KEY_FILE = join(folder, '.env')
    expect(problemsOf({ MERCHANT_API_KEY_FILE })).toEqual([expect.stringMatching(reason)])
    const { code, err } = await createTerminal().run(`api POST /api/airtime --data @${MERCHANT_API_KEY_FILE}`)
    expect({ code, err }).toEqual({ code: 66, err: expect.stringMatching(reason) })
  },
)
