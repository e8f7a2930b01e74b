import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
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

test('so it is where a framework runs the server for a developer, without a terminal', async () => {
  expect(await logged({ NODE_ENV: 'development' }, false)).toMatch(
    /^\d\d:\d\d:\d\d The checkout is settled: paid\./,
  )
})

test('colours need a terminal without NO_COLOR', async () => {
  expect(await logged({}, true)).toContain('\u001b[33mwarning\u001b[0m')
  expect(await logged({ TERM: 'dumb' }, true)).not.toContain('\u001b')
  expect(await logged({ NO_COLOR: '1' }, true)).not.toContain('\u001b')
  expect(await logged({ NODE_ENV: 'development' }, false)).not.toContain('\u001b')
})

test('elsewhere, each entry is JSON', async () => {
  const lines = (await logged({ NODE_ENV: 'production' }, false)).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 30, reference: 'A-1', trace_id: 'abc' }),
    expect.objectContaining({ level: 40, err: expect.objectContaining({ message: 'refused \u001b[2J' }) }),
  ])
})
