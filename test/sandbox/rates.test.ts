import { describe, expect, it } from 'vitest'
import { MINUTE, PAYOUTS, openMerchant, payout } from './merchant.ts'
import type { Merchant } from './merchant.ts'

type Rates = Record<string, { buying: string; selling: string }>

const ratesOf = async (merchant: Merchant, base: string): Promise<Rates> =>
  (await merchant.read(`/v1/fx?base_currency=${base}`)).rates

describe('exchange rates', () => {
  it('are decimal text for every other currency, buying below selling', async () => {
    const rates = await ratesOf(await openMerchant(), 'KES')
    expect(Object.keys(rates)).toEqual('BWP EGP GHS MWK MZN NGN RWF TZS UGX USD XOF ZAR ZMW'.split(' '))
    for (const { buying, selling } of Object.values(rates)) {
      for (const rate of [buying, selling]) expect(rate).toMatch(/^\d+\.\d{6}$/)
      expect(Number(buying)).toBeGreaterThan(0)
      expect(Number(buying)).toBeLessThan(Number(selling))
    }
  })

  it('differ by 3.8 to 5.1 % between buying and selling, for every base', async () => {
    const merchant = await openMerchant()
    const bases = Object.keys(await ratesOf(merchant, 'USD'))
    for (const base of ['USD', ...bases])
      for (const { buying, selling } of Object.values(await ratesOf(merchant, base))) {
        expect(Number(selling) / Number(buying)).toBeGreaterThan(1.038)
        expect(Number(selling) / Number(buying)).toBeLessThan(1.051)
      }
  })

  it('agree across bases, and no chain of exchanges gains money', async () => {
    const merchant = await openMerchant()
    const bases = ['KES', 'UGX', 'USD', 'XOF', 'ZAR']
    const all = new Map<string, Rates>()
    for (const base of bases) all.set(base, await ratesOf(merchant, base))
    const rate = (from: string, to: string) => Number(all.get(from)?.[to]?.buying)
    for (const a of bases)
      for (const b of bases.filter((code) => code !== a)) {
        expect(rate(a, b) * Number(all.get(b)?.[a]?.selling)).toBeCloseTo(1, 2)
        expect(rate(a, b) * rate(b, a)).toBeLessThan(1)
        for (const c of bases.filter((code) => code !== a && code !== b))
          expect(rate(a, b) * rate(b, c)).toBeLessThan(rate(a, c))
      }
  })

  it('depend on the seed', async () => {
    const [one, same, other] = [{ seed: 7 }, { seed: 7 }, { seed: 8 }].map(openMerchant)
    const rates = await ratesOf(await one!, 'KES')
    expect(await ratesOf(await same!, 'KES')).toEqual(rates)
    expect(await ratesOf(await other!, 'KES')).not.toEqual(rates)
  })

  it('are accepted for five minutes after their hour', async () => {
    const merchant = await openMerchant()
    await merchant.later(59 * MINUTE)
    const exchange_rate = await merchant.rate('KES', 'UGX')
    const body = (payout_reference: string) =>
      payout({
        payout_reference,
        destination_name: 'MOMO_UGA',
        destination_currency: 'UGX',
        exchange_rate,
        recipient_amount: String(Math.round(1000 * Number(exchange_rate))),
      })
    await merchant.later(6 * MINUTE - 1)
    await merchant.renewToken()
    await merchant.accepted(PAYOUTS, body('in-time'))
    await merchant.later(1)
    expect(await merchant.refusal(PAYOUTS, body('too-late'))).toMatchObject({
      response_code: 721,
      response_description: expect.stringContaining('exchange_rate must be'),
    })
  })
})
