import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHARGE } from '../support/chargeable.ts'
import { AIRTIME } from '../support/spec-airtime.ts'
import { b2bPayout, localPayout, transfer } from '../support/spec-payouts.ts'
import { createTerminal } from '../support/terminal.ts'

const CHARGES = {
  GATEWAY_CHARGE_PATH: '/v1/charges',
  PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=25:Platform fee',
}
const ONE = 'phone_number,amount\n254720000001,10\n'
const much = { sender_amount: '99999999.00', recipient_amount: '99999999.00' }
const { payout_reference: _, ...nameless } = localPayout
const splitBy = (external_reference: string, fields: object) => ({
  ...CHARGE,
  external_reference,
  extra_data: { split_settlements: [{ account: 'PARTNER-001', amount: 976, reason: 'Cloth', ...fields }] },
})

describe.each([
  {
    command: 'payouts',
    content: localPayout,
    options: [],
    reference: 'WAGES-1',
    route: '/v1/payouts/initiate',
    line: /^payout_reference .*\nWAGES-1 +local +succeeded +700 +1500.00 KES/,
    details: /outcome +succeeded\n/,
  },
  {
    command: 'charges',
    content: CHARGE,
    options: [],
    reference: 'C-1',
    route: '/v1/charges',
    line: /\nC-1 +succeeded /,
    details: /outcome +succeeded\n[^]*split +25 KES to PARTNER-FEES\n/,
  },
  {
    command: 'airtime',
    content: ONE,
    options: ['--reference', 'BONUS-1', '--no-wait'],
    reference: 'BONUS-1',
    route: AIRTIME,
    line: /\nBONUS-1 +BONUS-1 +succeeded +1 +1 +10.00/,
    details: /outcome +succeeded\n[^]*succeeded +1 +10.00\n/,
  },
])('$command', ({ command, content, options, reference, route, line, details }) => {
  const open = () => {
    const terminal = createTerminal(CHARGES)
    const send = [
      command,
      'send',
      terminal.file(content, typeof content === 'string' ? 'csv' : 'json'),
      ...options,
    ]
    return { ...terminal, send }
  }

  test('are sent once by two runs, queried and listed, and have a history', async () => {
    const { run, send, countRequests, timeline } = open()
    expect((await run(send)).code).toBe(0)
    expect((await run(send)).code).toBe(0)
    expect(await countRequests(route)).toBe(1)
    await timeline.advance(10_000)
    expect(await run(`${command} status ${reference}`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(details),
      err: '',
    })
    expect((await run(`${command} list --outcome succeeded`)).out).toMatch(line)
    expect((await run(`history ${reference}`)).out).toMatch(/The gateway (accepted it\.|took it as)/)
  })

  test('whose response is lost exit with 75, are never sent again, and are settled later', async () => {
    const { run, send, control, countRequests, timeline } = open()
    await control('/faults', { route, fault: 'answer_lost', next: 1 })
    const lost = await run(send)
    expect(lost.code).toBe(75)
    expect(lost.err).toContain(
      `the gateway's response was not received. Run \`${command} status ${reference}\`.`,
    )
    await timeline.advance(60_000)
    expect((await run(`${command} status ${reference}`)).out).toMatch(/outcome +succeeded\n/)
    await run(send)
    expect(await countRequests(route)).toBe(1)
  })

  test('are not found by an unknown reference or outcome, and an empty list says so', async () => {
    const { run } = createTerminal(CHARGES)
    expect(await run(`${command} status NOBODY`)).toEqual({
      code: 1,
      out: '',
      err: `No ${command.replace(/s$/, '')} has this reference.\n`,
    })
    expect(await run(`${command} list`)).toEqual({ code: 0, out: '', err: 'The list is empty.\n' })
    const { code, err } = await run(`${command} list --outcome paid`)
    expect([code, err]).toEqual([1, expect.stringMatching(/^outcome must be one of sending,/)])
  })

  test('in a missing file exit with 66, and in an unreadable one with 65', async () => {
    const { run, file, folder } = createTerminal(CHARGES)
    for (const [path, expected] of [
      [join(folder, 'none.csv'), 66],
      [file('{'), 65],
    ] as const) {
      const { code, out, err } = await run([command, 'send', path])
      expect([code, out, err]).toEqual([expected, '', expect.stringContaining(path)])
    }
  })
})

test.each([
  [
    'payouts',
    nameless,
    { ...localPayout, payout_reference: 'P', ...much },
    localPayout,
    'payout_reference is required',
    /^P +local +failed +721 .*INSUFFICIENT_BALANCE/m,
    /^WAGES-1 /m,
  ],
  [
    'charges',
    splitBy('OVER', {}),
    splitBy('UNKNOWN', { account: 'NOBODY', amount: 1 }),
    CHARGE,
    'extra_data.split_settlements come to 1001, which is more than the amount of 1000',
    /^UNKNOWN +failed +172 .*"NOBODY"/m,
    /^C-1 +pending/m,
  ],
])(
  '%s that are refused do not stop the others, and exit with 1',
  async (command, wrong, rejected, right, rule, failed, sent) => {
    const { run, file } = createTerminal(CHARGES)
    const { code, out, err } = await run([command, 'send', file([wrong, rejected, right])])
    expect([code, err]).toEqual([1, `Number 1 was refused: ${rule}.\n`])
    expect(out).toMatch(failed)
    expect(out).toMatch(sent)
  },
)

describe('payouts', () => {
  test.each([
    ['local', localPayout],
    ['imt', transfer],
    ['b2b', b2bPayout],
  ])('of type %s are read from standard input', async (type, request) => {
    const input = JSON.stringify([request])
    const { code, out } = await createTerminal().run(`payouts send - --type ${type} --json`, { input })
    expect([code, JSON.parse(out)]).toMatchObject([0, [{ outcome: 'pending', response_code: 720 }]])
  })

  test('in an empty list send nothing and exit with 0', async () => {
    const { run, file } = createTerminal()
    const path = file('\uFEFF[]')
    const err = `${path} contains nothing to send.\n`
    expect(await run(['payouts', 'send', path])).toEqual({ code: 0, out: '', err })
  })
})

describe('charges', () => {
  async function sendCharge(digits: string) {
    const { run, file, timeline } = createTerminal(CHARGES)
    await run(['charges', 'send', file({ ...CHARGE, payer_msisdn: `25470000${digits}` })])
    await timeline.advance(10_000)
    const acknowledge = (status: string, reference = 'C-1') =>
      run(['charges', 'acknowledge', reference, status, '--narration', 'Sold out', '--json'])
    return { run, timeline, acknowledge }
  }

  test('are acknowledged once', async () => {
    const { run, acknowledge } = await sendCharge('0001')
    const acknowledged = await acknowledge('SUCCESSFUL')
    expect(acknowledged).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(acknowledged.out)).toMatchObject({ stage: 'confirmed', status: 'SUCCESSFUL' })
    expect((await run('charges status C-1')).out).toMatch(/fulfilment +SUCCESSFUL, confirmed\n/)
    expect((await run('history C-1')).out).toContain('The merchant says SUCCESSFUL: Sold out')

    expect(await acknowledge('SUCCESSFUL')).toEqual(acknowledged)
    const contradiction = {
      code: 1,
      out: '',
      err: expect.stringContaining('acknowledged as SUCCESSFUL before'),
    }
    expect(await acknowledge('FAILED')).toEqual(contradiction)
  })

  test('that are unpaid or unknown cannot be acknowledged', async () => {
    const { acknowledge } = await sendCharge('9001')
    expect(await acknowledge('SUCCESSFUL')).toMatchObject({ code: 1, out: '' })
    const err = 'No charge, and no checkout with splits, has this reference.\n'
    expect(await acknowledge('FAILED', 'NOBODY')).toEqual({ code: 1, out: '', err })
    expect((await acknowledge('PERHAPS')).code).toBe(2)
  })

  test('are off without GATEWAY_CHARGE_PATH', async () => {
    const { run, file } = createTerminal()
    const { code, err } = await run(['charges', 'send', file(CHARGE)])
    expect([code, err]).toEqual([1, expect.stringContaining('no GATEWAY_CHARGE_PATH is set')])
  })
})
