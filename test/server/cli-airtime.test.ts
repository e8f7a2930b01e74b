import { EventEmitter } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TrackedRecipient } from '../../server/api/airtime.ts'
import type { Fetch } from '../../server/exchange.ts'
import { manyRecipients } from '../support/spec-airtime.ts'
import { createTerminal } from '../support/terminal.ts'

const SEND = '/v1/gw/airtime/send'
const ONE = 'phone_number,amount\n254720000001,10\n'

function csvOf(recipients: readonly { phone_number: string; amount: string }[]): string {
  const lines = recipients.map(({ phone_number, amount }) => `${phone_number},${amount}\n`)
  return `phone_number,amount\n${lines.join('')}`
}

function resultsOf(path: string): string[] {
  return readFileSync(path.replace('.csv', '.results.csv'), 'utf8').trimEnd().split('\n')
}

describe('airtime', () => {
  test('is sent to a list, and the results are written next to the file', async () => {
    const { run, file } = createTerminal()
    const path = file(
      '\uFEFFname, phone_number ,amount\r\nAsha,+254 700 000 011,10\r\n\r\nJuma,254700009101,5.50\r\n',
      'csv',
    )
    const { code, out, err } = await run(['airtime', 'send', path])
    expect(code).toBe(1)
    expect(err).toMatch(/^Reference: AIRTIME-[0-9a-f]{16}\. Recipients: 2\.\n/)
    expect(err).toContain('2 of 2 recipients completed')
    expect(out).toMatch(/outcome +partial\n/)
    expect(out).toMatch(/succeeded +1 +10.00\n/)
    expect(out).toMatch(/total +2 +15.50\n/)
    expect(resultsOf(path)).toEqual([
      'phone_number,amount,outcome,service_status,message,provider_reference',
      expect.stringMatching(/^254700000011,10,succeeded,602,The airtime was delivered\.,[0-9A-Z]{10}$/),
      '254700009101,5.50,failed,603,The network declined the airtime.,',
    ])
  })

  test('reaches each status of the gateway', async () => {
    const { run, file, timeline } = createTerminal()
    const digits = ['0021', '9101', '9008', '9009', '9010', '9113']
    const recipients = digits.map((end) => ({ phone_number: `25471000${end}`, amount: '10' }))
    const path = file(csvOf(recipients), 'csv')
    expect((await run(['airtime', 'send', path, '--reference', 'ALL', '--no-wait'])).code).toBe(0)
    const statuses = async () => {
      const { out } = await run('airtime status ALL --json')
      return JSON.parse(out).recipients.map(({ service_status }: TrackedRecipient) => service_status)
    }
    for (const [seconds, expected] of [
      [2, [601, 601, 601, 601, 601, 601]],
      [2, [602, 603, 604, 602, 602, 607]],
      [120, [602, 603, 604, 605, 606, 602]],
    ] as const) {
      await timeline.advance(seconds * 1_000)
      expect(await statuses()).toEqual(expected)
    }
    const { out } = await run('airtime status ALL')
    expect(out).toMatch(/outcome +needs_attention, not settled\n/)
    expect(out).toMatch(/254710009009 +10 +reversed +605 +The airtime was reversed\./)
    const listed = await run('airtime list --outcome needs_attention')
    expect(listed.out).toMatch(/ALL +ALL +needs_attention +6 +2 +60.00/)
    expect((await run('history ALL')).out).toContain('The gateway accepted it.')
  })

  test('is not sent twice when the command runs twice, even over another store', async () => {
    const { run, file, newPath, control, arrivals } = createTerminal()
    const command = ['airtime', 'send', file(ONE, 'csv')]
    expect((await run(command)).code).toBe(0)
    const again = await run(command)
    expect([again.code, again.err]).toEqual([0, expect.stringContaining('Nobody is sent airtime twice')])
    expect(again.err).toContain('To send the same list again, pass another --reference.')
    expect(await arrivals(SEND)).toBe(1)

    expect((await run(command, { env: { STORE_URL: `sqlite:${newPath('sqlite')}` } })).code).toBe(0)
    const { entries } = await control('/ledger')
    const sent = entries.filter(({ reference }: { reference: string }) => reference.endsWith('254720000001'))
    expect(sent).toHaveLength(1)
  })

  test('whose response is lost exits with 75, and is settled later', async () => {
    const { run, file, control } = createTerminal()
    const path = file(ONE, 'csv')
    await control('/faults', { route: SEND, fault: 'answer_lost', next: 1 })
    const lost = await run(['airtime', 'send', path, '--no-wait', '--reference', 'LOST'])
    expect(lost.code).toBe(75)
    expect(lost.err).toContain("the gateway's response was not received. Run `airtime status LOST`.")
    expect((await run(['airtime', 'send', path, '--reference', 'LOST'])).code).toBe(0)
  })

  test('is sent to nobody while a line is invalid, and every invalid line is named', async () => {
    const { run, file, arrivals } = createTerminal()
    const valid = manyRecipients(3000, 900_000).map(({ phone_number }) => `${phone_number},10`)
    const lines = ['phone_number,amount', ...valid]
    lines[5] = '0700000001,10'
    lines[7] = '254700000001,0'
    lines[2999] = '+254700000005,1'
    lines[12] = '254700000005,1'
    const { code, out, err } = await run(['airtime', 'send', file(lines.join('\n'), 'csv')])
    expect([code, out]).toEqual([65, ''])
    expect(err.split('\n').slice(1)).toEqual([
      '  line 6: phone_number must be a phone number with its country code',
      '  line 8: amount must be more than zero',
      '  line 3000: phone_number is the same as on line 13',
      '',
    ])
    expect(await arrivals(SEND)).toBe(0)
  })

  test.each([
    ['no header', '254700000001,10\n', 'needs a header with phone_number and amount'],
    ['a row of another length', 'phone_number,amount\n254700000001\n', 'is not valid CSV'],
    ['an open quote', 'phone_number,amount\n"254700000001,10\n', 'is not valid CSV'],
    ['no recipients', 'phone_number,amount\n', 'contains no recipients'],
    ['no content', '', 'contains no recipients'],
  ])('from a file with %s exits with 65', async (_, text, message) => {
    const { run, file } = createTerminal()
    const { code, out, err } = await run(['airtime', 'send', file(text, 'csv')])
    expect([code, out]).toEqual([65, ''])
    expect(err).toContain(message)
  })

  test('from a missing file exits with 66, and an unknown reference with 1', async () => {
    const { run, folder } = createTerminal()
    const missing = await run(['airtime', 'send', join(folder, 'none.csv')])
    expect([missing.code, missing.err]).toEqual([66, expect.stringContaining('cannot be read')])
    const unknown = await run('airtime status NOBODY')
    expect([unknown.code, unknown.err]).toEqual([1, 'No airtime has this reference.\n'])
  })

  test('to two thousand, interrupted twice, reaches each of them once', async () => {
    const { run, file, folder, control, timeline, fetch: fetchGateway } = createTerminal()
    const recipients = manyRecipients(2000, 100_000)
    const path = file(csvOf(recipients), 'csv')
    await control('/faults', { route: SEND, fault: 'latency', ms: 1_500, next: 2 })
    for (const _ of ['first', 'second']) {
      const signals = new EventEmitter()
      const fetch: Fetch = (url, init) => {
        if (!url.endsWith('/auth')) void timeline.after(500, () => void signals.emit('SIGINT'))
        return fetchGateway(url, init)
      }
      const { code, err } = await run(['airtime', 'send', path], { signals, fetch })
      expect([code, err]).toEqual([130, expect.stringContaining('Run the same command again')])
    }
    const { code, err } = await run(['airtime', 'send', path])
    expect([code, err]).toEqual([0, expect.stringContaining('2000 of 2000 recipients completed')])
    const [, ...rows] = resultsOf(path)
    expect(rows.map((row) => row.split(',').slice(0, 4).join())).toEqual(
      recipients.map(({ phone_number, amount }) => `${phone_number},${amount},succeeded,602`),
    )
    const { entries } = await control('/ledger')
    const delivered = entries
      .filter(({ what }: { what: string }) => what === 'airtime delivered')
      .map(({ reference }: { reference: string }) => reference.split('/')[1])
    expect(delivered.toSorted()).toEqual(recipients.map(({ phone_number }) => phone_number).toSorted())
    expect(readdirSync(folder).filter((name) => name.endsWith('.unfinished'))).toEqual([])
    expect(existsSync(path)).toBe(true)
  })
})
