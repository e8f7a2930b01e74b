import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compare, sum } from '../../server/contract/decimal.ts'
import { AIRTIME } from '../support/spec-airtime.ts'
import { FUNDED, OUTCOMES, openAirtime } from './airtime-merchant.ts'

const RUNS = process.env.FULL ? 2_000 : 40

it(
  'after any sequence of airtime and scenarios, the ledger agrees with the statuses',
  { timeout: 120_000 },
  async () => {
    const scenario = fc.constantFrom('success', 'failed', 'jam', 'slow', 'reprocess', 'reverse', 'refund')
    const recipient = fc.record({
      digits: fc.constantFrom(...OUTCOMES.map(([digits]) => digits)),
      amount: fc.integer({ min: 1, max: 40_000_000 }).map((cents) => (cents / 100).toFixed(2)),
    })
    const step = fc.oneof(
      fc.record({ send: fc.array(recipient, { minLength: 1, maxLength: 5 }) }),
      fc.record({ play: scenario, which: fc.nat() }),
      fc.record({ wait: fc.integer({ min: 0, max: 70_000 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 15 }), async (steps) => {
        const merchant = await openAirtime()
        const sent: { reference: string; phone: string; amount: string }[] = []
        for (const [index, next] of steps.entries()) {
          if ('wait' in next) await merchant.later(next.wait)
          else if ('send' in next) {
            const reference = `R-${index}`
            const recipients = next.send.map(({ digits, amount }, n) => ({
              phone_number: `25470${n}00${digits}`,
              amount,
            }))
            const answer = await merchant.send(AIRTIME, { reference, recipients })
            if (!answer.ok) continue
            for (const { phone_number: phone, amount } of recipients) sent.push({ reference, phone, amount })
          } else {
            const target = sent[next.which % (sent.length || 1)]
            if (target) await merchant.playAirtime(next.play, target.phone, target.reference)
          }
          await agree(merchant, sent)
        }
      }),
      { numRuns: RUNS },
    )
  },
)

/** Delivered money is at the operators, open money is reserved, and the rest is in the float. */
async function agree(
  merchant: Awaited<ReturnType<typeof openAirtime>>,
  sent: readonly { reference: string; phone: string; amount: string }[],
): Promise<void> {
  const { accounts, totals } = await merchant.ledger()
  const balanceOf = (name: string) =>
    accounts.find(({ account }: { account: string }) => account === name)?.balance ?? '0.00'
  expect(totals).toEqual({ KES: '0.00' })
  const statuses = new Map<string, number>()
  for (const reference of new Set(sent.map((each) => each.reference)))
    for (const { phone_number, service_status } of await merchant.entries(reference))
      statuses.set(`${reference}/${phone_number}`, service_status)
  const amountOf = (...wanted: number[]) =>
    sum(
      sent
        .filter(({ reference, phone }) => wanted.includes(statuses.get(`${reference}/${phone}`) ?? 0))
        .map(({ amount }) => amount),
    )
  expect(compare(balanceOf('operators/KES'), amountOf(602))).toBe(0)
  expect(compare(balanceOf('reserved/ACC-001/KES'), amountOf(600, 601, 604, 607))).toBe(0)
  const kept = sum([balanceOf('float/ACC-001/KES'), amountOf(600, 601, 602, 604, 607)])
  expect(compare(kept, FUNDED)).toBe(0)
}
