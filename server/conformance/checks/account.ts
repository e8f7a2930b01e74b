/** The checks of balances and exchange rates. */

import { decimalText, echoed, fieldsOf, object, text } from '../check.ts'
import { expectCheckoutError, needsControl } from '../checkout.ts'
import { expect } from '../expect.ts'
import { retrieveAccount, sendPayout } from '../payout.ts'

import type { Check, Sample } from '../check.ts'
import type { Json } from '../connection.ts'
import type { Gateway } from '../gateway.ts'

const HOUR = 3_600_000

export const accountChecks: Check[] = [
  ...fieldsOf('Exchange rates', rates, {
    base_currency: echoed('base_currency'),
    rates: (value, sent) => {
      object(value, sent)
      expect(Object.keys(value).length).toBeGreaterThan(0)
      for (const [code, rate] of Object.entries(value)) {
        expect(code).toMatch(/^[A-Z]{3}$/)
        expect(rate).toEqual({ buying: expect.anything(), selling: expect.anything() })
      }
    },
  }),
  ...(['buying', 'selling'] as const).map((side): Check => ({
    rows: [`Exchange rates / rates.<code>.${side}`],
    fact: `each ${side} rate is a decimal number as text`,
    async run(gateway) {
      const { got } = await rates(gateway)
      const sides = Object.values<Json>(got.rates).map((rate) => rate[side])
      expect(sides.length).toBeGreaterThan(0)
      for (const rate of sides) {
        decimalText(rate, null)
      }
    },
  })),
  {
    rows: [
      'Exchange rates / Query parameter / base_currency',
      'Endpoints / GET /v1/fx?base_currency=<currency_code>',
      'What the service does / Exchange rates / rates',
    ],
    fact: 'rates are returned for the requested base currency',
    async run(gateway) {
      const { got } = await rates(gateway)
      const [other = ''] = Object.keys(got.rates)
      const body = await gateway.read(`/v1/fx?base_currency=${other}`)
      expect(body.base_currency).toBe(other)
      expect(body.rates).not.toEqual(got.rates)
    },
  },
  {
    rows: ['Exchange rates / Query parameter / base_currency', 'Checkout errors / 115'],
    fact: 'a missing base currency is refused, and a malformed or unknown one with 115',
    async run(gateway) {
      await rates(gateway)
      for (const query of ['', '?base_currency=']) {
        expectCheckoutError(await gateway.get(`/v1/fx${query}`))
      }

      for (const currency of ['shillings', 'XXX']) {
        const answer = await gateway.get(`/v1/fx?base_currency=${currency}`)
        expectCheckoutError(answer)
        expect(answer.body.status_code).toBe(115)
      }
    },
  },
  {
    ...needsControl,
    rows: ['Limits / Exchange rate refresh', 'What the service does / Exchange rates / hourly'],
    fact: 'rates change every hour',
    async run(gateway) {
      const untilTheHour = HOUR - ((await gateway.now()) % HOUR)
      await gateway.advanceClock(untilTheHour + 60_000)
      const ask = async () => (await rates(gateway)).got.rates
      const first = await ask()
      await gateway.advanceClock(HOUR - 120_000)
      expect(await ask()).toEqual(first)
      await gateway.advanceClock(120_000)
      expect(await ask()).not.toEqual(first)
    },
  },
  ...fieldsOf('Float account balance', balance, {
    balance: decimalText,
    currency: echoed('currency'),
    status: text,
  }),
  {
    rows: ['General behaviour / 4 / test funds'],
    fact: 'the sandbox provides test funds in a float account',
    needs: ['sandbox'],
    run: async (gateway) => expect(Number((await retrieveAccount(gateway)).balance)).toBeGreaterThan(0),
  },
  {
    rows: [
      'What the service does / A float account balance query',
      'Endpoints / GET {base_url}/v1/accounts/<account_number>/balance',
      'Local payout request / sender_amount',
    ],
    fact: 'a payout reduces the balance of the float by at least the sender amount',
    async run(gateway) {
      const before = (await retrieveAccount(gateway)).balance
      await sendPayout('local', gateway)
      const after = (await retrieveAccount(gateway)).balance
      expect(Number(before) - Number(after)).toBeGreaterThanOrEqual(10)
    },
  },
]

async function rates(gateway: Gateway): Promise<Sample> {
  const base_currency = gateway.credentials.currency
  return { sent: { base_currency }, got: await gateway.read(`/v1/fx?base_currency=${base_currency}`) }
}

async function balance(gateway: Gateway): Promise<Sample> {
  return { sent: gateway.credentials, got: await retrieveAccount(gateway) }
}
