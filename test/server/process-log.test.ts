import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { withEnvFile } from '../../server/env-file.ts'
import { createLog } from '../../server/log/process-log.ts'

async function logged(env: Record<string, string>, isTTY: boolean): Promise<string> {
  let text = ''
  const write = (chunk: unknown, _: BufferEncoding, done: () => void) => {
    text += String(chunk)
    done()
  }
  const stdout = Object.assign(new Writable({ write }), { isTTY })
  const log = await createLog({ level: 'info', stdout, env })
  log.info({ reference: 'A-1', ms: 31, trace_id: 'abc' }, 'The checkout is settled: paid.')
  log.warn({ err: new Error('refused \u001b[2J') }, 'An event could not be delivered.')
  log.debug({}, 'Not at this level.')
  return text
}

test('on a terminal, each entry is a readable line', async () => {
  const [paid, failed, ...stack] = (await logged({ NO_COLOR: '1' }, true)).trimEnd().split('\n')
  expect(paid).toMatch(/^\d\d:\d\d:\d\d The checkout is settled: paid\. reference=A-1 ms=31$/)
  expect(failed).toMatch(/^\d\d:\d\d:\d\d warning An event could not be delivered\. refused \?\[2J$/)
  expect(stack.length).toBeGreaterThan(0)
  expect(stack.filter((line) => !/^ +at /.test(line))).toEqual([])
})

test('colours need a terminal without NO_COLOR', async () => {
  expect(await logged({}, true)).toContain('\u001b[33mwarning\u001b[0m')
  expect(await logged({ TERM: 'dumb' }, true)).not.toContain('\u001b')
  expect(await logged({ NO_COLOR: '1' }, true)).not.toContain('\u001b')
})

test('elsewhere, each entry is JSON', async () => {
  const lines = (await logged({}, false)).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 30, reference: 'A-1', trace_id: 'abc' }),
    expect.objectContaining({ level: 40, err: expect.objectContaining({ message: 'refused \u001b[2J' }) }),
  ])
})

test('a file .env completes the variables, and those that are set win', () => {
  const folder = mkdtempSync(join(tmpdir(), 'env-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(withEnvFile({ PORT: '1' }, folder)).toEqual({ PORT: '1' })
  writeFileSync(join(folder, '.env'), '# the gateway\nPORT=2\nHOST=127.0.0.1\nKEY="a #1"\n')
  expect(withEnvFile({ PORT: '1' }, folder)).toEqual({ PORT: '1', HOST: '127.0.0.1', KEY: 'a #1' })
  rmSync(join(folder, '.env'))
  mkdirSync(join(folder, '.env'))
  expect(() => withEnvFile({}, folder)).toThrow(/\.env cannot be read \(EISDIR\)/)
})
