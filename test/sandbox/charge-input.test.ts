import { describe, expect, it } from 'vitest'
import { charge, redirectCharge } from '../support/spec-charges.ts'
import { CHARGES, openChargeMerchant } from './charge-merchant.ts'

const [FIRST, , FEES] = charge.extra_data.split_settlements

/** A refusal leaves nothing behind, so the tests of refusals share one sandbox. */
const shared = openChargeMerchant()

describe('a charge is refused', () => {
  it('without a token', async () => {
    const merchant = await shared
    for (const headers of [{}, { 'x-access-token': '' }, { 'x-access-token': 'made-up' }])
      for (const answer of [
        await merchant.post(CHARGES, charge, headers),
        await merchant.get(`${CHARGES}/ORDER-7731/status`, headers),
        await merchant.post('/transactions/acknowledge', {}, headers),
      ]) {
        expect(answer.status).toBe(401)
        expect(await answer.json()).toMatchObject({ status_code: 132 })
      }
  })

  it('without a required field, and names it', async () => {
    const merchant = await shared
    for (const [field, code] of [
      ['external_reference', 172],
      ['payer_msisdn', 109],
      ['service_code', 172],
      ['account_number', 120],
      ['currency_code', 115],
      ['amount', 172],
    ] as const)
      for (const value of [undefined, null, '']) {
        const answer = await merchant.send({ ...charge, [field]: value })
        expect(answer.status).toBe(400)
        const error = await answer.json()
        expect(error).toMatchObject({ status_code: code, message: expect.stringContaining(field) })
      }
  })

  it('with the code of the first wrong field, naming every wrong field', async () => {
    const merchant = await shared
    const answer = await merchant.send({ ...charge, payer_msisdn: '12', currency_code: '?', amount: 0 })
    const { status_code, message } = await answer.json()
    expect(status_code).toBe(110)
    for (const field of ['payer_msisdn', 'currency_code', 'amount']) expect(message).toContain(field)
  })

  it.each([
    [{ currency_code: 'UGX' }, 115, 'must be KES'],
    [{ currency_code: 'kes' }, 115, 'currency_code'],
    [{ account_number: 'ACC-002' }, 120, 'account_number'],
    [{ account_number: 7 }, 172, 'account_number must be text'],
    [{ client_code: 'ANOTHER' }, 172, 'client_code'],
    [{ amount: 0 }, 172, 'amount'],
    [{ amount: 1e300 }, 172, 'amount'],
    [{ amount: '1e3' }, 172, 'amount'],
    [{ amount: 10.001 }, 172, 'amount must have at most 2 fraction digits'],
    [{ transaction_charge: 0.001 }, 172, 'transaction_charge must have at most 2'],
    [{ payment_method_code: 'MOMO_UGA' }, 172, 'must be one of MOMO_KEN'],
    [{ external_reference: 'x'.repeat(65) }, 172, 'external_reference'],
    [{ description: 'x'.repeat(256) }, 172, 'description'],
    [{ extra_data: { redirect_url: 'javascript:alert(1)' } }, 172, 'extra_data.redirect_url'],
    [{ extra_data: { redirect_url: 'shop' } }, 172, 'extra_data.redirect_url'],
  ])('%j: code %i, %s', async (fields, code, named) => {
    const merchant = await shared
    const answer = await merchant.send({ ...charge, ...fields })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      status_code: code,
      message: expect.stringContaining(named),
    })
    expect(await merchant.status()).toMatchObject({ status_code: 120 })
  })

  it('with a fraction in a currency without fractions', async () => {
    const merchant = await shared
    const ugandan = { ...redirectCharge, service_code: 'CHECKOUT-UGX', currency_code: 'UGX' }
    expect(await (await merchant.send({ ...ugandan, amount: 10.5 })).json()).toMatchObject({
      message: 'amount must have at most 0 fraction digits.',
    })
    expect((await merchant.send({ ...ugandan, amount: '10.00' })).status).toBe(200)
  })

  it('with extra_data nested too deep', async () => {
    const merchant = await shared
    const body = JSON.stringify({ ...charge, extra_data: { deep: 0 } })
    const deep = body.replace('"deep":0', `"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}`)
    const answer = await merchant.send(deep)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ message: 'extra_data must be at most 16 levels deep.' })
  })
})

describe('shares are refused when the charge is posted', () => {
  it.each([
    ['an unknown account', [{ ...FIRST, account: 'PARTNER-009' }, FEES], '[0].account "PARTNER-009" is no'],
    ['an amount of nothing', [FEES, { ...FIRST, amount: 0 }], '[1].amount must be more than zero'],
    ['too fine an amount', [FEES, { ...FIRST, amount: 0.005 }], '[1].amount must have at most 2 fraction'],
    ['no dynamic account', [FIRST], ' must include the account PARTNER-FEES'],
    ['more than is charged', [{ ...FIRST, amount: 1480.01 }, FEES], ' add up to 1500.01, more than the 1500'],
  ])('%s', async (_, split_settlements, problem) => {
    const merchant = await shared
    const answer = await merchant.send({ ...charge, extra_data: { split_settlements } })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      status_code: 172,
      message: expect.stringContaining(`extra_data.split_settlements${problem}`),
    })
  })

  it('an account in another currency', async () => {
    const merchant = await shared
    const ugandan = { service_code: 'CHECKOUT-UGX', currency_code: 'UGX', payment_method_code: 'CARD' }
    const answer = await merchant.send({ ...charge, ...ugandan, extra_data: { split_settlements: [FIRST] } })
    expect(await answer.json()).toMatchObject({
      message: 'extra_data.split_settlements[0].account "PARTNER-001" is in KES, not UGX.',
    })
  })

  it('shares may add up to the whole amount, and two may go to the same account', async () => {
    const merchant = await openChargeMerchant()
    const split_settlements = [FIRST, { ...FIRST, amount: 480 }, FEES]
    expect(await merchant.charge({ extra_data: { split_settlements } })).toMatchObject({ status_code: 176 })
  })
})
