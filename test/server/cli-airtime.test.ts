import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TrackedRecipient } from '../../server/api/airtime.ts'
import type { Env } from '../support/command-line.ts'
import { run, start } from '../support/command-line.ts'
import { createDesk } from '../support/desk.ts'
import { manyRecipients } from '../support/spec-airtime.ts'

const PROCESS_MS = 120_000
const EVENTUALLY = { timeout: 60_000, interval: 100 }
const SEND = '/v1/gw/airtime/send'

let desk: Awaited<ReturnType<typeof createDesk>>
beforeAll(async () => {
  desk = await createDesk()
}, PROCESS_MS)
afterAll(() => desk.close())

let files = 0
/** The path of a new CSV. */
function csv(text: string): string {
  const path = join(desk.folder, `recipients-${(files += 1)}.csv`)
  writeFileSync(path, text)
  return path
}

function listOf(recipients: readonly { phone_number: string; amount: string }[]): string {
  const lines = recipients.map(({ phone_number, amount }) => `${phone_number},${amount}\n`)
  return csv(`phone_number,amount\n${lines.join('')}`)
}

function results(path: string): string[] {
  return readFileSync(path.replace('.csv', '.results.csv'), 'utf8').trimEnd().split('\n')
}

async function sandbox(path: string) {
  return (await fetch(`${desk.gateway}/_sandbox${path}`)).json()
}

/** How many requests for airtime have arrived at the sandbox. */
async function arrivals(): Promise<number> {
  const { requests } = await sandbox('/requests')
  return requests.filter(({ path }: { path: string }) => path === SEND).length
}

describe('airtime', { timeout: PROCESS_MS }, () => {
  test('is sent to a list, waited for, and written beside it', async () => {
    const path = csv(
      '\uFEFFname, phone_number ,amount\r\nAsha,+254 700 000 011,10\r\n\r\nJuma,254700009101,5.50\r\n',
    )
    const { code, out, err } = await run(['airtime', 'send', path], desk.fresh())
    expect(code).toBe(1)
    expect(err).toMatch(/^Reference AIRTIME-[0-9a-f]{16}, for 2 recipients\.\n/)
    expect(err).toContain('2 of 2 have ended')
    expect(out).toMatch(/outcome +partial\n/)
    expect(out).toMatch(/succeeded +1 +10.00\n/)
    expect(out).toMatch(/total +2 +15.50\n/)
    expect(results(path)).toEqual([
      'phone_number,amount,outcome,service_status,message,provider_reference',
      expect.stringMatching(/^254700000011,10,succeeded,602,The airtime was delivered\.,[0-9A-Z]{10}$/),
      '254700009101,5.50,failed,603,The network declined the airtime.,',
    ])
  })

  test('comes to each status of the gateway, and its status says so', async () => {
    const shop = desk.fresh()
    const digits = ['0021', '9101', '9008', '9009', '9010', '9113']
    const path = listOf(digits.map((end) => ({ phone_number: `25471000${end}`, amount: '10' })))
    await desk.control('/clock', { speed: 0 })
    const sent = await run(['airtime', 'send', path, '--reference', 'ALL', '--no-wait'], shop)
    expect(sent.code).toBe(0)
    const statuses = async () => {
      const { out } = await run(['airtime', 'status', 'ALL', '--json'], shop)
      return JSON.parse(out).recipients.map((one: TrackedRecipient) => one.service_status)
    }
    for (const [seconds, expected] of [
      [0, [600, 600, 600, 600, 600, 600]],
      [2, [601, 601, 601, 601, 601, 601]],
      [2, [602, 603, 604, 602, 602, 607]],
      [120, [602, 603, 604, 605, 606, 602]],
    ] as const) {
      await desk.control('/clock/advance', { seconds })
      await expect.poll(statuses, { ...EVENTUALLY, interval: 1_000 }).toEqual(expected)
    }
    await desk.control('/clock', { speed: 1 })
    const { out } = await run(['airtime', 'status', 'ALL'], shop)
    expect(out).toMatch(/outcome +needs_attention, not settled\n/)
    expect(out).toMatch(/254710009009 +10 +reversed +605 +The airtime was reversed\./)
    const listed = await run(['airtime', 'list', '--outcome', 'needs_attention'], shop)
    expect(listed.out).toMatch(/ALL +ALL +needs_attention +6 +2 +60.00/)
    const told = await run(['history', 'ALL'], shop)
    expect(told.out).toContain('The gateway accepted it.')
  })

  test('run again is the same, and sends to nobody twice', async () => {
    const shop = desk.fresh()
    const path = listOf([{ phone_number: '254720000001', amount: '10' }])
    const before = await arrivals()
    expect((await run(['airtime', 'send', path], shop)).code).toBe(0)
    const again = await run(['airtime', 'send', path], shop)
    expect([again.code, again.err]).toEqual([0, expect.stringContaining('nobody is sent to twice')])
    expect(again.err).toContain('To send the same list anew, name it with another --reference.')
    // Nor from another desk, whose store knows nothing of it.
    expect((await run(['airtime', 'send', path], desk.fresh())).code).toBe(0)
    const { entries } = await sandbox('/ledger')
    const got = entries.filter(({ reference }: { reference: string }) => reference.endsWith('254720000001'))
    expect(got).toHaveLength(1)
    expect(await arrivals()).toBe(before + 2)
  })

  test('whose answer is lost ends with 75, and is settled later', async () => {
    const shop = desk.fresh()
    const path = listOf([{ phone_number: '254720000002', amount: '10' }])
    await desk.control('/faults', { route: SEND, fault: 'answer_lost', next: 1 })
    expect((await run(['airtime', 'send', path, '--no-wait'], shop)).code).toBe(75)
    expect((await run(['airtime', 'send', path], shop)).code).toBe(0)
  })

  test('is sent to nobody while any line is wrong, and every such line is named', async () => {
    const before = await arrivals()
    const good = manyRecipients(3000, 900_000).map(({ phone_number }) => `${phone_number},10`)
    const lines = ['phone_number,amount', ...good]
    lines[5] = '0700000001,10'
    lines[7] = '254700000001,0'
    lines[2999] = '+254700000005,1'
    lines[12] = '254700000005,1'
    const { code, out, err } = await run(['airtime', 'send', csv(lines.join('\n'))], desk.fresh())
    expect([code, out]).toEqual([65, ''])
    expect(err.split('\n').slice(1)).toEqual([
      '  line 6: phone_number must be a phone number with its country code',
      '  line 8: amount must be more than zero',
      '  line 3000: phone_number is the same as on line 13',
      '',
    ])
    expect(await arrivals()).toBe(before)
  })

  test.each([
    ['no header', '254700000001,10\n', 65, 'needs a header with phone_number and amount'],
    ['a row of another length', 'phone_number,amount\n254700000001\n', 65, 'is no CSV'],
    ['an open quote', 'phone_number,amount\n"254700000001,10\n', 65, 'is no CSV'],
    ['nobody', 'phone_number,amount\n', 65, 'names no recipients'],
    ['nothing', '', 65, 'names no recipients'],
  ])('%s is refused', async (_, text, expected, words) => {
    const { code, out, err } = await run(['airtime', 'send', csv(text)], desk.fresh())
    expect([code, out]).toEqual([expected, ''])
    expect(err).toContain(words)
  })

  test('a file that is not there, and a reference that nobody used', async () => {
    const missing = await run(['airtime', 'send', join(desk.folder, 'none.csv')], desk.fresh())
    expect([missing.code, missing.err]).toEqual([66, expect.stringContaining('cannot be read')])
    const unknown = await run(['airtime', 'status', 'NOBODY'], desk.fresh())
    expect([unknown.code, unknown.err]).toEqual([1, 'No airtime has this reference.\n'])
  })

  test('to five thousand, interrupted and then killed while it is sent, reaches each of them once', async () => {
    const shop = desk.fresh()
    const recipients = manyRecipients(5000, 100_000)
    const path = listOf(recipients)
    await desk.control('/faults', { route: SEND, fault: 'latency', ms: 1_500, next: 5 })
    expect(await interrupted(path, shop, 'SIGINT')).toBe(130)
    expect(await interrupted(path, shop, 'SIGKILL')).toBeNull()

    const { code, err } = await run(['airtime', 'send', path], shop)
    expect([code, err]).toEqual([0, expect.stringContaining('5000 of 5000 have ended')])
    const [, ...rows] = results(path)
    expect(rows.map((row) => row.split(',').slice(0, 4).join())).toEqual(
      recipients.map(({ phone_number, amount }) => `${phone_number},${amount},succeeded,602`),
    )
    const { entries } = await sandbox('/ledger')
    const wanted = new Set(recipients.map(({ phone_number }) => phone_number))
    const got = entries
      .filter(({ what }: { what: string }) => what === 'airtime delivered')
      .map(({ reference }: { reference: string }) => reference.split('/')[1])
      .filter((phone: string) => wanted.has(phone))
    expect(got.toSorted()).toEqual([...wanted].toSorted())
    // Nothing unfinished is left beside it.
    expect(readdirSync(dirname(path)).filter((name) => name.endsWith('.unfinished'))).toEqual([])
    expect(existsSync(path)).toBe(true)
  })
})

/** Runs until another request has arrived at the gateway, and is then ended by the signal. */
async function interrupted(path: string, shop: Env, signal: NodeJS.Signals): Promise<number | null> {
  const before = await arrivals()
  const { child } = await start(['airtime', 'send', path], shop, /Reference/)
  const ended = once(child, 'exit')
  await expect.poll(arrivals, { timeout: 60_000, interval: 20 }).toBeGreaterThan(before)
  child.kill(signal)
  const [code] = await ended
  return code
}
