import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../server/config/config.ts'
import { withEnvFile } from '../../server/config/env-file.ts'
import { LEAST, problemsOf } from '../support/least-config.ts'
import { createTerminal } from '../support/terminal.ts'

const BOM = '\uFEFF'
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

function folderWith(name: string, bytes: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'text-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
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

describe('a file of the operator', () => {
  test.each(READ)('in %s is read: .env, a secret, and the body of a command', async (_, encode) => {
    const folder = folderWith('.env', encode('PORT=1\nORDERS_TOKEN=ключ\n'))
    expect(withEnvFile({}, folder)).toEqual({ PORT: '1', ORDERS_TOKEN: 'ключ' })
    const secret = join(folderWith('secret', encode('the key of a merchant in a test\r\n')), 'secret')
    const { apiKeys } = readConfig({ ...LEAST, MERCHANT_API_KEY_FILE: secret })
    expect(apiKeys?.[0].reveal()).toBe('the key of a merchant in a test')
    const body = join(folderWith('body', encode('{"reference":"é"}')), 'body')
    const { err } = await createTerminal().run(`api POST /api/airtime --data @${body}`)
    expect(err).not.toMatch(/JSON|read/)
  })

  test.each(REFUSED)('in %s is refused with the name of the encoding', async (_, encode, reason) => {
    const folder = folderWith('.env', encode('PORT=1'))
    expect(() => withEnvFile({}, folder)).toThrow(reason)
    const MERCHANT_API_KEY_FILE = join(folder, '.env')
    expect(problemsOf({ MERCHANT_API_KEY_FILE })).toEqual([expect.stringMatching(reason)])
    const { code, err } = await createTerminal().run(`api POST /api/airtime --data @${MERCHANT_API_KEY_FILE}`)
    expect([code, err]).toEqual([66, expect.stringMatching(reason)])
  })
})
