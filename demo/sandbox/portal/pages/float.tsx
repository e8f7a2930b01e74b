import { z } from 'zod'
import { CURRENCIES } from '../../money/currencies.ts'
import { display, fits, tooFine } from '../../money/amounts.ts'
import { transfer } from '../../money/ledger.ts'
import { findAccount } from '../../merchant.ts'
import { amount, line } from '../fields.ts'
import { Choice, Form, TextField } from '../form.tsx'
import { form, refused } from '../page.ts'
import { EVERYONE, FINANCE } from '../../accounts/roles.ts'
import { When } from '../when.tsx'
import { PlainTable } from '../tables.tsx'
import type { Outcome, Page, Visit } from '../page.ts'

const FUNDED = 'float funded'
// [assumed] Larger amounts are probably in the wrong unit.
const MOST = '1000000000'
const SHOWN = 20

export const float: Page = {
  path: '/float',
  title: 'Float',
  entry: { group: 'Money', label: 'Float' },
  roles: EVERYONE,
  show: (visit) => (
    <>
      <Balances {...visit} />
      {visit.may(FINANCE) ? <Fund {...visit} /> : null}
      <Fundings {...visit} />
    </>
  ),
  forms: {
    fund: form(
      FINANCE,
      z.object({
        account: z.string(),
        amount: amount('Amount', MOST),
        reference: line('Bank reference', 60),
      }),
      fundFloat,
    ),
  },
}

function fundFloat(
  { world, now }: Visit,
  values: { account: string; amount: string; reference: string },
): Outcome {
  const account = findAccount(world.merchant, values.account)
  if (!account) return refused('account', 'Account is not one of yours.')
  const { currency, number } = account
  const money = CURRENCIES[currency]
  if (!fits(values.amount, money)) return refused('amount', `Amount ${tooFine(money)}`)
  const lines = transfer(`world/${currency}`, `float/${number}/${currency}`, values.amount)
  world.ledger.post({ what: FUNDED, reference: values.reference, lines }, now)
  return { notice: `${display(values.amount, currency)} arrived on ${number}.` }
}

function Balances({ world }: Visit) {
  return (
    <div class="cards">
      {world.merchant.accounts.map(({ number, currency }) => (
        <section class="card">
          <h2>
            <code>{number}</code>
          </h2>
          <p class="amount">{display(world.ledger.balanceOf(`float/${number}/${currency}`), currency)}</p>
          <p>Available for payouts and airtime.</p>
        </section>
      ))}
    </div>
  )
}

function Fund(visit: Visit) {
  const fund = visit.form('fund')
  const accounts = visit.world.merchant.accounts.map(({ number, currency }) => [
    number,
    `${number} (${currency})`,
  ])
  return (
    <section class="card">
      <h2>Fund the float</h2>
      <p>Simulates a bank transfer to the gateway, which arrives at once.</p>
      <Form of={fund} submit="Fund the float">
        <Choice of={fund} name="account" label="Account" choices={Object.fromEntries(accounts)} />
        <TextField of={fund} name="amount" label="Amount" inputmode="decimal" />
        <TextField of={fund} name="reference" label="Bank reference" />
      </Form>
    </section>
  )
}

function Fundings({ world }: Visit) {
  const entries = world.ledger.entries().filter(({ what }) => what === FUNDED)
  if (entries.length === 0) return null
  return (
    <section class="card">
      <h2>Latest transfers</h2>
      <PlainTable label="Latest transfers" heads={['Time', 'Bank reference']} number="Amount">
        {entries
          .slice(-SHOWN)
          .toReversed()
          .map(({ at, reference, lines }) => (
            <tr>
              <td>
                <When at={at} />
              </td>
              <td>{reference}</td>
              <td class="number">{lines[1]?.amount}</td>
            </tr>
          ))}
      </PlainTable>
    </section>
  )
}
