import { describe, expect, test } from 'vitest'
import { CHARGE } from '../support/chargeable.ts'
import { createTerminal } from '../support/terminal.ts'

const CHARGES = {
  GATEWAY_CHARGE_PATH: '/v1/charges',
  PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=25:Platform fee',
}
const { external_reference: REFERENCE } = CHARGE

/** A merchant that has sent a charge; the last digits choose what the payer does. */
async function sendCharge(digits = '0001') {
  const terminal = createTerminal(CHARGES)
  const { run, file, timeline } = terminal
  const sent = await run(['charges', 'send', file({ ...CHARGE, payer_msisdn: `25470000${digits}` })])
  return {
    ...terminal,
    sent,
    status: async () => JSON.parse((await run(`charges status ${REFERENCE} --json`)).out),
    acknowledge: (status: string, reference: string = REFERENCE) =>
      run(['charges', 'acknowledge', reference, status, '--narration', 'Sold out', '--json']),
    later: () => timeline.advance(10_000),
  }
}

describe('charges', () => {
  test('are sent, paid, acknowledged and listed, and have a history', async () => {
    const { run, sent, status, acknowledge, later } = await sendCharge()
    expect(sent).toMatchObject({ code: 0, err: '' })
    await later()
    expect(await status()).toMatchObject({ outcome: 'succeeded', fulfilment: { stage: 'open' } })

    const acknowledged = await acknowledge('SUCCESSFUL')
    expect(acknowledged).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(acknowledged.out)).toMatchObject({ stage: 'confirmed', status: 'SUCCESSFUL' })
    expect(await status()).toMatchObject({ fulfilment: { stage: 'confirmed' } })
    const { out } = await run(`charges status ${REFERENCE}`)
    expect(out).toMatch(/outcome +succeeded\n/)
    expect(out).toMatch(/split +25 KES to PARTNER-FEES\n/)
    expect(out).toMatch(/fulfilment +SUCCESSFUL, confirmed\n/)
    expect((await run('charges list --outcome succeeded')).out).toContain(`${REFERENCE}  `)
    expect((await run(`history ${REFERENCE}`)).out).toContain('The merchant says SUCCESSFUL: Sold out')

    expect(await acknowledge('SUCCESSFUL')).toEqual(acknowledged)
    const contradiction = await acknowledge('FAILED')
    expect(contradiction).toMatchObject({ code: 1, out: '' })
    expect(contradiction.err).toContain('acknowledged as SUCCESSFUL before')
  })

  test('acknowledged as FAILED are refunded to the payer', async () => {
    const { status, acknowledge, later } = await sendCharge()
    await later()
    expect((await acknowledge('FAILED')).code).toBe(0)
    await later()
    expect(await status()).toMatchObject({ status: 841, outcome: 'refunded' })
  })

  test('of one file reach the outcome that each payer causes', async () => {
    const ends = {
      9001: [803, 'failed'],
      9005: [802, 'needs_attention'],
      9006: [801, 'succeeded'],
      9008: [850, 'needs_attention'],
      9009: [840, 'reversed'],
      9010: [841, 'refunded'],
    }
    const { run, file, timeline } = createTerminal(CHARGES)
    const charges = Object.keys(ends).map((digits) => ({
      ...CHARGE,
      external_reference: digits,
      payer_msisdn: `25470000${digits}`,
    }))
    expect((await run(['charges', 'send', file(charges)])).code).toBe(0)
    await timeline.advance(120_000)
    for (const [digits, expected] of Object.entries(ends)) {
      const { status, outcome } = JSON.parse((await run(`charges status ${digits} --json`)).out)
      expect([status, outcome]).toEqual(expected)
    }
  })

  test('that are refused do not stop the others, and exit with 1', async () => {
    const split = { account: 'PARTNER-001', amount: 976, reason: 'Cloth' }
    const withSplit = (external_reference: string, fields: object) => ({
      ...CHARGE,
      external_reference,
      extra_data: { split_settlements: [{ ...split, ...fields }] },
    })
    const { run, file } = createTerminal(CHARGES)
    const charges = [withSplit('OVER', {}), withSplit('UNKNOWN', { account: 'NOBODY', amount: 1 }), CHARGE]
    const { code, out, err } = await run(['charges', 'send', file(charges)])
    expect(code).toBe(1)
    expect(out).toMatch(/^UNKNOWN +failed +172 .*"NOBODY"/m)
    expect(out).toMatch(new RegExp(`^${REFERENCE} +pending`, 'm'))
    expect(err).toBe(
      'Number 1 was refused: extra_data.split_settlements come to 1001, which is more than the amount of 1000.\n',
    )
  })

  test('whose response is lost exit with 75, and are never sent twice', async () => {
    const { run, file, control, arrivals } = createTerminal(CHARGES)
    const path = file(CHARGE)
    await control('/faults', { route: '/v1/charges', fault: 'answer_lost', next: 1 })
    const sent = await run(['charges', 'send', path, '--json'])
    expect(sent.code).toBe(75)
    expect(sent.err).toContain(`Run \`charges status ${REFERENCE}\`.`)
    expect(JSON.parse(sent.out)).toMatchObject([{ outcome: 'sending', charge_request_id: null }])
    await run(['charges', 'send', path])
    expect(await arrivals('/v1/charges')).toBe(1)
  })

  test('that are unpaid or unknown cannot be acknowledged', async () => {
    const { acknowledge } = await sendCharge('9007')
    expect(await acknowledge('SUCCESSFUL')).toMatchObject({ code: 1, out: '' })
    expect(await acknowledge('FAILED', 'NOBODY')).toMatchObject({
      code: 1,
      err: 'No charge, and no checkout with splits, has this reference.\n',
    })
    expect((await acknowledge('PERHAPS')).code).toBe(2)
  })

  test('are off without GATEWAY_CHARGE_PATH', async () => {
    const { run, file } = createTerminal()
    const { code, err } = await run(['charges', 'send', file(CHARGE)])
    expect([code, err]).toEqual([1, expect.stringContaining('no GATEWAY_CHARGE_PATH is set')])
  })
})
