import { EventEmitter } from 'node:events'
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Fetch } from '../../server/exchange.ts'
import { AIRTIME, manyRecipients } from '../support/spec-airtime.ts'
import { openStore } from '../../server/store/open.ts'
import { createTerminal } from '../support/terminal.ts'

const ONE = 'phone_number,amount\n254720000001,10\n'

async function otherStore(newPath: (extension: string) => string) {
  const STORE_URL = `sqlite:${newPath('sqlite')}`
  await openStore(STORE_URL).close()
  return { STORE_URL }
}

describe('airtime', () => {
  const resultsOf = (path: string) =>
    readFileSync(path.replace('.csv', '.results.csv'), 'utf8').trimEnd().split('\n')

  test('is sent to a list, and the results are written next to the file', async () => {
    const { run, file } = createTerminal()
    const people = 'Asha,+254 700 000 011,10\r\n\r\nJuma,254700009101,5.50\r\n'
    const path = file(`\uFEFFname, phone_number ,amount\r\n${people}`, 'csv')
    const { code, out, err } = await run(['airtime', 'send', path])
    expect(code).toBe(1)
    expect(err).toMatch(/^Reference: AIRTIME-[0-9a-f]{16}\. Recipients: 2\.\n[^]*2 of 2 recipients completed/)
    expect(out).toMatch(/outcome +partial\n[^]*succeeded +1 +10.00\n[^]*total +2 +15.50\n/)
    expect(resultsOf(path)).toEqual([
      'phone_number,amount,outcome,service_status,message,provider_reference',
      expect.stringMatching(/^254700000011,10,succeeded,602,The airtime was delivered\.,[0-9A-Z]{10}$/),
      '254700009101,5.50,failed,603,The network declined the airtime.,',
    ])
  })

  test('is not sent twice, even over another store', async () => {
    const { run, file, newPath, delivered } = createTerminal()
    const command = ['airtime', 'send', file(ONE, 'csv')]
    expect((await run(command)).code).toBe(0)
    const { err } = await run(command)
    expect(err).toMatch(/Nobody is sent airtime twice[^]*pass another --reference\./)
    expect((await run(command, { env: await otherStore(newPath) })).code).toBe(0)
    expect(await delivered()).toEqual(['254720000001'])
  })

  test('is not sent twice to a list that a spreadsheet has sorted and written otherwise', async () => {
    const { run, file, newPath, delivered } = createTerminal()
    const head = 'phone_number,amount\n'
    const first = file(`${head}254700000011,10\n254700000012,5.50\n`, 'csv')
    expect((await run(['airtime', 'send', first])).code).toBe(0)
    const sorted = file(`${head}254700000012,5.5\n254700000011,10.00\n`, 'csv')
    const { code, err } = await run(['airtime', 'send', sorted])
    expect([code, err]).toEqual([1, expect.stringContaining('Another list was sent under this reference')])
    await run(['airtime', 'send', sorted], { env: await otherStore(newPath) })
    expect((await delivered()).toSorted()).toEqual(['254700000011', '254700000012'])
  })

  test('has results that only their owner can read, and that follow no link', async () => {
    const { run, file, newPath } = createTerminal()
    const path = file(ONE, 'csv')
    const precious = newPath('txt')
    writeFileSync(precious, 'precious')
    const results = path.replace('.csv', '.results.csv')
    symlinkSync(precious, `${results}.${process.pid}.unfinished`)
    expect((await run(['airtime', 'send', path])).code).toBe(0)
    expect(readFileSync(precious, 'utf8')).toBe('precious')
    expect((statSync(results).mode & 0o777).toString(8)).toBe('600')
  })

  test('is sent to nobody while a line is invalid, and every invalid line is named', async () => {
    const { run, file, countRequests } = createTerminal()
    const valid = manyRecipients(3000, 900_000).map(({ phone_number }) => `${phone_number},10`)
    const lines = ['phone_number,amount', ...valid]
    lines[5] = '0700000001,10'
    lines[7] = '254700000001,0'
    lines[2999] = '+254700000005,1'
    lines[12] = '254700000005,1'
    const { code, out, err } = await run(['airtime', 'send', file(lines.join('\n'), 'csv')])
    expect([code, out, await countRequests(AIRTIME)]).toEqual([65, '', 0])
    expect(err.split('\n').slice(1)).toEqual([
      '  line 6: phone_number must be a phone number with its country code',
      '  line 8: amount must be more than zero',
      '  line 3000: phone_number is the same as on line 13',
      '',
    ])
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
    expect([code, out, err]).toEqual([65, '', expect.stringContaining(message)])
  })

  test('to two thousand, interrupted twice, reaches each of them once', async () => {
    const { run, file, folder, control, delivered, timeline, fetch: fetchGateway } = createTerminal()
    const recipients = manyRecipients(2000, 100_000)
    const lines = recipients.map(({ phone_number, amount }) => `${phone_number},${amount}`)
    const path = file(['phone_number,amount', ...lines].join('\n'), 'csv')
    await control('/faults', { route: AIRTIME, fault: 'latency', ms: 1_500, next: 2 })
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
    const rows = resultsOf(path).map((row) => row.split(',').slice(0, 4).join())
    expect(rows.slice(1)).toEqual(lines.map((line) => `${line},succeeded,602`))
    const people = recipients.map(({ phone_number }) => phone_number)
    expect((await delivered()).toSorted()).toEqual(people.toSorted())
    expect(readdirSync(folder).filter((name) => name.endsWith('.unfinished'))).toEqual([])
  })
})
