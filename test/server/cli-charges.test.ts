import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHARGE } from '../support/chargeable.ts'
import { run } from '../support/command-line.ts'
import { createDesk } from '../support/desk.ts'

const PROCESS_MS = 120_000
const CHARGES = {
  GATEWAY_CHARGE_PATH: '/v1/charges',
  PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=25:Platform fee',
}

let desk: Awaited<ReturnType<typeof createDesk>>
let count = 0
beforeAll(async () => {
  desk = await createDesk()
}, PROCESS_MS)
afterAll(() => desk.close())

/** A charge under a reference that the sandbox has not seen. */
function unique(fields: object = {}) {
  count += 1
  return { ...CHARGE, external_reference: `BILL-${count}`, ...fields }
}

/** A merchant at a terminal who sent this charge, by a payer who does as the digits say. */
async function billed(digits = '0001') {
  const shop = desk.fresh(CHARGES)
  const charge = unique({ payer_msisdn: `25470000${digits}` })
  const { external_reference: reference } = charge
  const sent = await run(['charges', 'send', desk.file(charge), '--json'], shop)
  const status = async () => JSON.parse((await run(['charges', 'status', reference, '--json'], shop)).out)
  return {
    shop,
    reference,
    sent,
    status,
    acknowledge: (said: string) =>
      run(['charges', 'acknowledge', reference, said, '--narration', 'Said at a desk', '--json'], shop),
    until: (facts: object) => expect.poll(status, { timeout: 60_000 }).toMatchObject(facts),
  }
}

describe('charges', { timeout: PROCESS_MS }, () => {
  test('are sent, paid, acknowledged and shared, listed, and have a history', async () => {
    const { shop, reference, sent, status, acknowledge, until } = await billed()
    expect(sent).toMatchObject({ code: 0, err: '' })
    await desk.control('/clock/advance', { seconds: 10 })
    await until({ outcome: 'succeeded', fulfilment: { stage: 'open' } })

    const said = await acknowledge('SUCCESSFUL')
    expect(said).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(said.out)).toMatchObject({ stage: 'confirmed', status: 'SUCCESSFUL' })
    expect(await status()).toMatchObject({ fulfilment: { stage: 'confirmed' } })
    const { out } = await run(['charges', 'status', reference], shop)
    expect(out).toMatch(/outcome +succeeded\n/)
    expect(out).toMatch(/split +25 KES to PARTNER-FEES\n/)
    expect(out).toMatch(/fulfilment +SUCCESSFUL, confirmed\n/)
    const listed = await run(['charges', 'list', '--outcome', 'succeeded'], shop)
    expect(listed.out).toContain(`${reference}  `)
    const told = await run(['history', reference], shop)
    expect(told.out).toContain('The merchant says SUCCESSFUL: Said at a desk')

    expect(await acknowledge('SUCCESSFUL')).toEqual(said)
    const other = await acknowledge('FAILED')
    expect(other).toMatchObject({ code: 1, out: '' })
    expect(other.err).toContain('acknowledged as SUCCESSFUL before')
  })

  test('that could not be served go back to the payer', async () => {
    const { acknowledge, until } = await billed()
    await desk.control('/clock/advance', { seconds: 10 })
    await until({ outcome: 'succeeded' })
    expect((await acknowledge('FAILED')).code).toBe(0)
    await until({ status: 841, outcome: 'refunded' })
  })

  test('of one file come to what each payer does, and their status says so', async () => {
    const ends = {
      9001: [803, 'failed'],
      9005: [802, 'needs_attention'],
      9006: [801, 'succeeded'],
      9008: [850, 'needs_attention'],
      9009: [840, 'reversed'],
      9010: [841, 'refunded'],
    }
    const shop = desk.fresh(CHARGES)
    const charges = Object.keys(ends).map((digits) => unique({ payer_msisdn: `25470000${digits}` }))
    expect((await run(['charges', 'send', desk.file(charges)], shop)).code).toBe(0)
    await desk.control('/clock/advance', { seconds: 120 })
    const standings = () =>
      Promise.all(
        charges.map(async ({ external_reference: reference }) => {
          const { out } = await run(['charges', 'status', reference, '--json'], shop)
          const { status, outcome } = JSON.parse(out)
          return [status, outcome]
        }),
      )
    // What was asked about a moment ago is not asked about again yet.
    await expect.poll(standings, { timeout: 60_000 }).toEqual(Object.values(ends))
  })

  test('that are refused do not keep the others, and end with 1', async () => {
    const split = { account: 'PARTNER-001', amount: 976, reason: 'Cloth' }
    const greedy = unique({ extra_data: { split_settlements: [split] } })
    const stranger = unique({
      extra_data: { split_settlements: [{ ...split, account: 'NOBODY', amount: 1 }] },
    })
    const good = unique()
    const path = desk.file([greedy, stranger, good])
    const { code, out, err } = await run(['charges', 'send', path], desk.fresh(CHARGES))
    expect(code).toBe(1)
    expect(out).toMatch(new RegExp(`^${stranger.external_reference} +failed +172 .*"NOBODY"`, 'm'))
    expect(out).toMatch(new RegExp(`^${good.external_reference} +pending`, 'm'))
    expect(err).toBe(
      'Number 1 was refused: extra_data.split_settlements come to 1001, which is more than the amount of 1000.\n',
    )
  })

  test('whose answer is lost are stored and end with 75, and are never sent twice', async () => {
    const shop = desk.fresh(CHARGES)
    const path = desk.file(unique())
    await desk.control('/faults', { route: '/v1/charges', fault: 'answer_lost', next: 1 })
    const sent = await run(['charges', 'send', path, '--json'], shop)
    expect(sent.code).toBe(75)
    expect(JSON.parse(sent.out)).toMatchObject([{ outcome: 'sending', charge_request_id: null }])
    const again = await run(['charges', 'send', path, '--json'], shop)
    expect(JSON.parse(again.out)[0].created_at).toBe(JSON.parse(sent.out)[0].created_at)
  })

  test('that are not paid, or that nobody sent, cannot be acknowledged', async () => {
    const { shop, acknowledge } = await billed('9007')
    expect(await acknowledge('SUCCESSFUL')).toMatchObject({ code: 1, out: '' })
    const nobody = ['charges', 'acknowledge', 'NOBODY', 'FAILED', '--narration', 'x']
    expect(await run(nobody, shop)).toMatchObject({
      code: 1,
      err: 'No charge, and no checkout with splits, has this reference.\n',
    })
    expect((await run(['charges', 'acknowledge', 'NOBODY', 'PERHAPS', '--narration', 'x'], shop)).code).toBe(
      2,
    )
  })

  test('are off without their path', async () => {
    const { code, err } = await run(['charges', 'send', desk.file(unique())], desk.fresh())
    expect([code, err]).toEqual([1, expect.stringContaining('no GATEWAY_CHARGE_PATH is set')])
  })
})
