import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../support/command-line.ts'
import { createDesk } from '../support/desk.ts'
import { b2bPayout, localPayout, transfer } from '../support/spec-payouts.ts'

const PROCESS_MS = 120_000

let desk: Awaited<ReturnType<typeof createDesk>>
beforeAll(async () => {
  desk = await createDesk()
}, PROCESS_MS)
afterAll(() => desk.close())

describe('payouts', { timeout: PROCESS_MS }, () => {
  test('are sent, followed, listed, and have a history', async () => {
    const shop = desk.fresh()
    const payout = desk.unique(localPayout)
    const sent = await run(['payouts', 'send', desk.file(payout)], shop)
    expect(sent).toMatchObject({ code: 0, err: '' })
    expect(sent.out).toMatch(
      new RegExp(`^payout_reference .*\\n${payout.payout_reference} +local +pending +720 +1500.00 KES`),
    )

    await desk.control('/clock/advance', { seconds: 10 })
    const status = () => run(['payouts', 'status', payout.payout_reference], shop)
    await expect.poll(async () => (await status()).out, { timeout: 60_000 }).toMatch(/outcome +succeeded\n/)
    expect(await status()).toMatchObject({ code: 0, err: '' })

    const listed = await run(['payouts', 'list', '--outcome', 'succeeded', '--json'], shop)
    expect(JSON.parse(listed.out)).toMatchObject({
      items: [{ payout_reference: payout.payout_reference, payment_status: 700 }],
      next_cursor: null,
    })
    const told = await run(['history', payout.payout_reference], shop)
    expect(told.out).toContain('The gateway accepted it.')
    expect(told.out).toContain('The gateway says 700: succeeded.')
  })

  test.each([
    ['local', localPayout],
    ['imt', transfer],
    ['b2b', b2bPayout],
  ])('of type %s come from standard input', async (type, request) => {
    const { code, out } = await run(
      ['payouts', 'send', '-', '--type', type, '--json'],
      desk.fresh(),
      JSON.stringify([desk.unique(request)]),
    )
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject([{ outcome: 'pending', response_code: 720 }])
  })

  test('that are refused do not keep the others, and end with 1', async () => {
    const good = desk.unique(localPayout)
    const poor = desk.unique({
      ...localPayout,
      sender_amount: '99999999.00',
      recipient_amount: '99999999.00',
    })
    const { payout_reference: _, ...nameless } = localPayout
    const { code, out, err } = await run(['payouts', 'send', desk.file([nameless, poor, good])], desk.fresh())
    expect(code).toBe(1)
    expect(out).toContain(`${good.payout_reference} `)
    expect(out).toContain('INSUFFICIENT_BALANCE')
    expect(err).toBe('Number 1 was refused: payout_reference is required.\n')
  })

  test.each([
    ['9102', 'INSUFFICIENT_BALANCE'],
    ['9103', 'SERVICE_NOT_ALLOWED'],
    ['9104', 'INVALID_ACCESS_TOKEN'],
    ['9105', 'INVALID_DESTINATION_TYPE'],
    ['9106', 'INVALID_PHONE_NUMBER'],
    ['9107', 'INVALID_PAYMENT_METHOD'],
    ['9108', 'INVALID_WALLET'],
    ['9109', 'UNAUTHORIZED'],
    ['9110', 'RESOURCE_NOT_FOUND'],
    ['9112', 'FAILED'],
  ])('that the gateway rejects for …%s end with 1 and %s', async (digits, error_code) => {
    const payout = desk.unique({ ...localPayout, recipient_phone_number: `25470000${digits}` })
    const { code, out } = await run(['payouts', 'send', desk.file(payout)], desk.fresh())
    expect([code, out]).toEqual([1, expect.stringContaining(`failed   721`)])
    expect(out).toContain(error_code)
  })

  test.each([
    ['9100', 700, 'succeeded'],
    ['9101', 701, 'failed'],
    ['9009', 702, 'reversed'],
    ['9007', 703, 'pending'],
    ['9008', 704, 'needs_attention'],
    ['9010', 705, 'refunded'],
  ])('to …%s come to %i, and their status says %s', async (digits, payment_status, outcome) => {
    const shop = desk.fresh()
    const payout = desk.unique({ ...localPayout, recipient_phone_number: `25470000${digits}` })
    await run(['payouts', 'send', desk.file(payout)], shop)
    if (payment_status !== 703) await desk.control('/clock/advance', { seconds: 120 })
    const status = () => run(['payouts', 'status', payout.payout_reference, '--json'], shop)
    await expect
      .poll(async () => JSON.parse((await status()).out), { timeout: 60_000 })
      .toMatchObject({ payment_status, outcome })
  })

  test('run again send nothing twice', async () => {
    const shop = desk.fresh()
    const payout = desk.unique(localPayout)
    const path = desk.file(payout)
    const first = await run(['payouts', 'send', path, '--json'], shop)
    const again = await run(['payouts', 'send', path, '--json'], shop)
    const created = [first, again].map(({ out }) => JSON.parse(out)[0].created_at)
    expect(created[0]).toBe(created[1])
    const changed = await run(
      ['payouts', 'send', desk.file({ ...payout, payment_description: 'More' })],
      shop,
    )
    expect(changed).toMatchObject({ code: 1, out: '' })
    expect(changed.err).toContain('Another payout was sent under this payout_reference.')
  })

  test('whose answer is lost are stored and end with 75, and are settled later', async () => {
    const shop = desk.fresh()
    const payout = desk.unique(localPayout)
    await desk.control('/faults', { route: '/v1/payouts/initiate', fault: 'answer_lost', next: 1 })
    const sent = await run(['payouts', 'send', desk.file(payout), '--json'], shop)
    expect(sent.code).toBe(75)
    expect(JSON.parse(sent.out)).toMatchObject([{ outcome: 'sending', response_code: null }])
    const status = () => run(['payouts', 'status', payout.payout_reference, '--json'], shop)
    await expect.poll(async () => (await status()).out, { timeout: 60_000 }).toContain('"response_code": 720')
  })

  test.each([
    ['no JSON', '{', 65],
    ['no file', null, 66],
  ])('from %s end with a code of their own', async (_, content, expected) => {
    const path = content === null ? join(desk.folder, 'missing.json') : desk.file(content)
    const { code, out, err } = await run(['payouts', 'send', path], desk.fresh())
    expect([code, out]).toEqual([expected, ''])
    expect(err).toContain(path)
  })

  test('of an empty list are not sent, and that is said', async () => {
    const path = desk.file('\uFEFF[]')
    const said = `${path} has nothing to send.\n`
    expect(await run(['payouts', 'send', path], desk.fresh())).toEqual({ code: 0, out: '', err: said })
  })

  test('that nobody sent are not found', async () => {
    const { code, err } = await run(['payouts', 'status', 'NOBODY'], desk.fresh())
    expect([code, err]).toEqual([1, 'No payout has this reference.\n'])
    expect(await run(['payouts', 'list'], desk.fresh())).toEqual({
      code: 0,
      out: '',
      err: 'There are none.\n',
    })
  })

  test('by an unknown outcome are refused by rule', async () => {
    const { code, err } = await run(['payouts', 'list', '--outcome', 'paid'], desk.fresh())
    expect(code).toBe(1)
    expect(err).toMatch(/^outcome must be one of sending,/)
  })
})
