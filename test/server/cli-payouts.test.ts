import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { b2bPayout, localPayout, transfer } from '../support/spec-payouts.ts'
import { createTerminal } from '../support/terminal.ts'

const { payout_reference: REFERENCE } = localPayout

describe('payouts', () => {
  test('are sent, queried and listed, and have a history', async () => {
    const { run, file, timeline } = createTerminal()
    const sent = await run(['payouts', 'send', file(localPayout)])
    expect(sent).toMatchObject({ code: 0, err: '' })
    expect(sent.out).toMatch(/^payout_reference .*\nWAGES-1 +local +pending +720 +1500.00 KES/)

    await timeline.advance(10_000)
    const status = await run(`payouts status ${REFERENCE}`)
    expect(status).toMatchObject({ code: 0, err: '' })
    expect(status.out).toMatch(/outcome +succeeded\n/)

    const listed = await run('payouts list --outcome succeeded --json')
    expect(JSON.parse(listed.out)).toMatchObject({
      items: [{ payout_reference: REFERENCE, payment_status: 700 }],
      next_cursor: null,
    })
    const history = await run(`history ${REFERENCE}`)
    expect(history.out).toContain('The gateway accepted it.')
    expect(history.out).toContain('The gateway says 700: succeeded.')
  })

  test.each([
    ['local', localPayout],
    ['imt', transfer],
    ['b2b', b2bPayout],
  ])('of type %s are read from standard input', async (type, request) => {
    const { run } = createTerminal()
    const { code, out } = await run(`payouts send - --type ${type} --json`, {
      input: JSON.stringify([request]),
    })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject([{ outcome: 'pending', response_code: 720 }])
  })

  test('that are refused do not stop the others, and exit with 1', async () => {
    const { run, file } = createTerminal()
    const { payout_reference: _, ...nameless } = localPayout
    const much = '99999999.00'
    const poor = { ...localPayout, payout_reference: 'P', sender_amount: much, recipient_amount: much }
    const { code, out, err } = await run(['payouts', 'send', file([nameless, poor, localPayout])])
    expect(code).toBe(1)
    expect(out).toContain(`${REFERENCE} `)
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
  ])('to …%s are rejected by the gateway with %s, and exit with 1', async (digits, errorCode) => {
    const { run, file } = createTerminal()
    const payout = { ...localPayout, recipient_phone_number: `25470000${digits}` }
    const { code, out } = await run(['payouts', 'send', file(payout)])
    expect([code, out]).toEqual([1, expect.stringContaining(`failed   721`)])
    expect(out).toContain(errorCode)
  })

  test.each([
    ['9100', 700, 'succeeded'],
    ['9101', 701, 'failed'],
    ['9009', 702, 'reversed'],
    ['9007', 703, 'pending'],
    ['9008', 704, 'needs_attention'],
    ['9010', 705, 'refunded'],
  ])('to …%s reach status %i and outcome %s', async (digits, payment_status, outcome) => {
    const { run, file, timeline } = createTerminal()
    const payout = { ...localPayout, recipient_phone_number: `25470000${digits}` }
    await run(['payouts', 'send', file(payout)])
    await timeline.advance(payment_status === 703 ? 2_000 : 120_000)
    const { out } = await run(`payouts status ${REFERENCE} --json`)
    expect(JSON.parse(out)).toMatchObject({ payment_status, outcome })
  })

  test('are not sent twice when the command runs twice', async () => {
    const { run, file, arrivals } = createTerminal()
    const path = file(localPayout)
    const first = await run(['payouts', 'send', path, '--json'])
    expect(await run(['payouts', 'send', path, '--json'])).toEqual(first)
    expect(await arrivals('/v1/payouts/initiate')).toBe(1)
    const changed = await run(['payouts', 'send', file({ ...localPayout, payment_description: 'More' })])
    expect(changed).toMatchObject({ code: 1, out: '' })
    expect(changed.err).toContain('Another payout was sent under this payout_reference.')
  })

  test('whose response is lost exit with 75, and are settled later', async () => {
    const { run, file, control, timeline } = createTerminal()
    await control('/faults', { route: '/v1/payouts/initiate', fault: 'answer_lost', next: 1 })
    const sent = await run(['payouts', 'send', file(localPayout), '--json'])
    expect(sent.code).toBe(75)
    expect(sent.err).toBe("Stored; the gateway's response was not received. Run `payouts status WAGES-1`.\n")
    expect(JSON.parse(sent.out)).toMatchObject([{ outcome: 'sending', response_code: null }])
    await timeline.advance(60_000)
    const { out } = await run(`payouts status ${REFERENCE} --json`)
    expect(JSON.parse(out)).toMatchObject({ outcome: 'succeeded', response_code: 720 })
  })

  test.each([
    ['is not JSON', '{', 65],
    ['does not exist', null, 66],
  ])('in a file that %s exit with their own code', async (_, content, expected) => {
    const { run, file, folder } = createTerminal()
    const path = content === null ? join(folder, 'missing.json') : file(content)
    const { code, out, err } = await run(['payouts', 'send', path])
    expect([code, out]).toEqual([expected, ''])
    expect(err).toContain(path)
  })

  test('in an empty list send nothing and exit with 0', async () => {
    const { run, file } = createTerminal()
    const path = file('\uFEFF[]')
    const err = `${path} contains nothing to send.\n`
    expect(await run(['payouts', 'send', path])).toEqual({ code: 0, out: '', err })
  })

  test('with an unknown reference are not found, and an empty list says so', async () => {
    const { run } = createTerminal()
    expect(await run('payouts status NOBODY')).toMatchObject({
      code: 1,
      err: 'No payout has this reference.\n',
    })
    expect(await run('payouts list')).toEqual({ code: 0, out: '', err: 'The list is empty.\n' })
  })

  test('cannot be listed by an unknown outcome', async () => {
    const { code, err } = await createTerminal().run('payouts list --outcome paid')
    expect(code).toBe(1)
    expect(err).toMatch(/^outcome must be one of sending,/)
  })
})
