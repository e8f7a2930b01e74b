import { chmodSync, chownSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { readConfig } from '../../../server/config/config.ts'
import { withEnvFile } from '../../../server/config/env-file.ts'
import { newFolder } from '../../support/folder.ts'
import { CLI, MERCHANT, run } from '../../support/worlds/command-line.ts'
import { LEAST, problemsOf } from '../../support/worlds/least-config.ts'
import { createTerminal } from '../../support/worlds/terminal.ts'

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

test.each([
  ['GATEWAY_CONSUMER_SECRET=abc#def', 'GATEWAY_CONSUMER_SECRET'],
  ['export MERCHANT_API_KEY=#abc-def', 'MERCHANT_API_KEY'],
  ['ORDERS_TOKEN_FILE=/run/a#b\r\nPORT=1', 'ORDERS_TOKEN_FILE'],
  ['CALLBACK_SECRET_PREVIOUS=a#b # the old one', 'CALLBACK_SECRET_PREVIOUS'],
])('a value that .env cuts at # is refused by its name, and not printed: %j', (text, name) => {
  expect(() => read(text)).toThrow(new RegExp(`- ${name} in \\S+\\.env is cut at #: put it in quotes\\.$`))
  expect(() => read(text)).not.toThrow(/abc/)
})

test.each([
  ["GATEWAY_CONSUMER_SECRET='abc#def'", 'abc#def'],
  ['GATEWAY_CONSUMER_SECRET="abc#def" # from the portal', 'abc#def'],
  ['GATEWAY_CONSUMER_SECRET=abc # from the portal', 'abc'],
  ['GATEWAY_CONSUMER_SECRET=  # none', ''],
  ['# GATEWAY_CONSUMER_SECRET=abc#def\nGATEWAY_CONSUMER_SECRET=abc', 'abc'],
  ['GATEWAY_CONSUMER_SECRET=abc#def\nGATEWAY_CONSUMER_SECRET=ghi', 'ghi'],
  ['BRAND_COLOUR=#fff\nGATEWAY_CONSUMER_SECRET=abc', 'abc'],
  ['OTHER="\nGATEWAY_CONSUMER_SECRET=abc#def\n"\nGATEWAY_CONSUMER_SECRET=ghi', 'ghi'],
])('another # is accepted: %j', (text, secret) => {
  expect(read(text).GATEWAY_CONSUMER_SECRET).toBe(secret)
})

test('a cut value is of no account if the variable is set otherwise, unless another reader of .env cut it', () => {
  const text = 'GATEWAY_CONSUMER_SECRET=abc#def'
  expect(read(text, { GATEWAY_CONSUMER_SECRET: 'ghi' }).GATEWAY_CONSUMER_SECRET).toBe('ghi')
  expect(() => read(text, { GATEWAY_CONSUMER_SECRET: 'abc' })).toThrow(/is cut at #/)
})

test('where variables are missing, a command says once that there is no file .env', async () => {
  const folder = realpathSync(newFolder())
  const said = async (env: Env) => (await run(['events', 'list'], env, '', CLI, folder)).err
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
  for (const [mode, folderMode, named] of [
    [0o644, 0o755, readable],
    [0o660, 0o755, changeable],
    [0o640, 0o755, null],
    [0o600, 0o755, null],
    [0o600, 0o1777, null],
    [0o600, 0o777, replaceable],
  ] as const) {
    chmodSync(path, mode)
    chmodSync(folder, folderMode)
    const warnings = named === null ? [] : [{ about: 'files', text: named }]
    expect(readConfig({ ...LEAST, STORE_URL: store }, { folder }).warnings).toEqual(
      expect.arrayContaining([...warnings]),
    )
    const { out } = await run(['check', '--json'], { ...env, STORE_URL: store }, '', CLI, folder)
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
