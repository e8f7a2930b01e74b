import { describe, expect, it } from 'vitest'
import { AIRTIME, airtime } from '../support/spec-airtime.ts'
import { FUNDED, openAirtime, to } from './airtime-merchant.ts'

/** A refusal leaves nothing behind, so the tests of refusals share one sandbox. */
const shared = openAirtime()

describe('a request', () => {
  const ordinary = to('0001')

  it.each([
    ['no reference', { reference: undefined }, 'reference is required'],
    ['a blank reference', { reference: ' ' }, 'reference must not be blank'],
    ['a long reference', { reference: 'x'.repeat(65) }, 'reference must be at most 64 characters'],
    ['no phone', { recipients: [{ amount: '5' }] }, 'recipients[0].phone_number is required'],
    ['no amount', { recipients: [ordinary, { phone_number: '254700000002' }] }, 'recipients[1].amount is'],
    ['nothing', { recipients: [to('0001', '0')] }, 'recipients[0].amount must be more than zero'],
    ['half a cent', { recipients: [to('0001', '0.005')] }, 'recipients[0].amount must have at most 2'],
    [
      'a phone that is there twice',
      { recipients: [ordinary, to('0002'), { ...ordinary, phone_number: '+254 700 000 001' }] },
      'recipients[2].phone_number is the same as recipients[0].phone_number',
    ],
  ])('%s is 721, names the rule, and leaves nothing behind', async (_, fields, rule) => {
    const merchant = await shared
    const { status, body } = await merchant.refused(fields)
    expect(status).toBe(400)
    expect(body).toMatchObject({ response_code: 721, response_description: expect.stringContaining(rule) })
    expect(await merchant.balance()).toBe(FUNDED)
    expect((await merchant.ask('AIRTIME-1')).status).toBe(404)
  })

  it('above the balance pays no recipient, and its reference can be used again', async () => {
    const merchant = await openAirtime()
    const { body } = await merchant.refused({ recipients: [to('0001', '600000'), to('0002', '400000.01')] })
    expect(body).toEqual({
      reference: 'AIRTIME-1',
      response_code: 721,
      response_description: expect.stringContaining('Insufficient balance'),
      error_code: 'INSUFFICIENT_BALANCE',
    })
    await merchant.buy([to('0001', '600000'), to('0002', '400000')])
    expect(await merchant.balance()).toBe('0.00')
  })

  it('with a used reference is refused, whatever its other fields are', async () => {
    const merchant = await openAirtime()
    await merchant.buy()
    for (const fields of [{}, { recipients: [to('0007')] }, { recipients: 7 }]) {
      const { body } = await merchant.refused(fields)
      expect(body).toMatchObject({
        response_code: 721,
        response_description: 'The reference "AIRTIME-1" was used before.',
      })
    }
    expect(await merchant.entries()).toHaveLength(2)
  })

  it('with an unknown reference is 723', async () => {
    const merchant = await shared
    const answer = await merchant.ask('gone')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      reference: 'gone',
      response_code: 723,
      response_description: 'No request for airtime has the reference "gone".',
      error_code: 'RESOURCE_NOT_FOUND',
    })
  })

  it.each([
    ['no token', {}, 'UNAUTHORIZED'],
    ['a wrong token', { 'x-access-token': 'wrong' }, 'INVALID_ACCESS_TOKEN'],
  ])('with %s is refused like a payout', async (_, headers: Record<string, string>, error_code) => {
    const merchant = await shared
    for (const answer of [
      await merchant.post(AIRTIME, airtime, headers),
      await merchant.get('/v1/gw/airtime/AIRTIME-1/status', headers),
    ]) {
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ reference: null, response_code: 721, error_code })
    }
  })

  it('with a malformed or too large body is refused with an acknowledgement', async () => {
    const merchant = await shared
    const tooLarge = { ...airtime, note: 'x'.repeat(300_000) }
    for (const [body, status] of [
      ['{', 400],
      ['[]', 400],
      [tooLarge, 413],
    ] as const) {
      const answer = await merchant.send(AIRTIME, body)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ reference: null, response_code: 721 })
    }
  })

  it('that meets a fault is refused with an acknowledgement', async () => {
    const merchant = await openAirtime()
    await merchant.post('/_sandbox/faults', { route: AIRTIME, fault: 'status', status: 500 })
    const { status, body } = await merchant.refused({})
    expect([status, body.response_code, body.error_code]).toEqual([500, 721, 'FAILED'])
  })
})
