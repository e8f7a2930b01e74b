// The float accounts of a merchant: their balances, their statements, and the money that arrives on them.

import { compare, sum } from '../../../../server/contract/decimal.ts'
import { findAccount } from '../../merchants/merchant.ts'
import { display, fits, fractionRuleOf } from '../../money/amounts.ts'
import { CURRENCIES } from '../../money/currencies.ts'
import { transfer } from '../../money/ledger.ts'
import { FINANCE, STATEMENT_READERS } from '../../users/roles.ts'
import { card, cards, code, link, joined, text } from '../card.ts'
import { account, amount, line, SHORT } from '../fields.ts'
import { listOf } from '../list.ts'
import { declareForm, done, itemContent, pathIn, refused } from '../page.ts'
import { signed, transactionLink, wordsOf } from '../transactions/every-kind.ts'

import type { MerchantAccount } from '../../merchants/merchant.ts'
import type { Account, StatementRow } from '../../money/ledger.ts'
import type { List } from '../list.ts'
import type { Content, Visit } from '../page.ts'

// [assumed] Larger amounts are probably in the wrong unit.
const MOST = '1000000000'

export const accounts: Content = {
  show: (visit) => [accountCards(visit), partnersCard(visit), visit.showForm('fund')],
  forms: {
    fund: declareForm({
      roles: FINANCE,
      submit: 'Fund the float',
      about: 'Simulates a bank transfer to the gateway, which arrives at once.',
      fields: { account, amount: amount('Amount', MOST), reference: line('Bank reference', SHORT) },
      send({ world, now }, typed) {
        const target = findAccount(world.merchant, typed.account)
        if (!target) {
          return refused('account', 'Account is not one of yours.')
        }

        const { currency, number } = target
        if (!fits(typed.amount, CURRENCIES[currency])) {
          return refused('amount', `Amount ${fractionRuleOf(CURRENCIES[currency])}`)
        }

        const lines = transfer(`world/${currency}`, `float/${number}/${currency}`, typed.amount)
        world.ledger.post({ what: 'float funded', reference: typed.reference, lines }, now)
        return done(`${display(typed.amount, currency)} arrived on ${number}.`)
      },
    }),
  },
}

function accountCards({ world, may }: Visit) {
  return cards(
    world.merchant.accounts.map(({ number, currency }) => {
      // What is owed has a negative balance.
      const balance = (name: Account) => display(world.ledger.balanceOf(name).replace('-', ''), currency)
      return card({
        title: [currency, ' ', code(number)],
        amount: balance(`float/${number}/${currency}`),
        facts: [
          ['Reserved for payouts and airtime', balance(`reserved/${number}/${currency}`)],
          ['Held until a service is confirmed', balance(`held/${number}/${currency}`)],
          ['Owed to the gateway', balance(`owed/${number}/${currency}`)],
        ],
        content: may(STATEMENT_READERS) ? link(pathIn('/accounts', number), `Statement of ${number}`) : null,
      })
    }),
  )
}

function partnersCard({ world: { merchant, ledger } }: Visit) {
  if (merchant.partners.length === 0) {
    return null
  }

  return card({
    title: 'Partner accounts',
    text: ['They receive shares of charges once the service is confirmed.'],
    facts: merchant.partners.map(({ accountNumber, currency, isDynamic }) => {
      const balance = ledger.balanceOf(`partner/${accountNumber}/${currency}`)
      const remark = isDynamic ? 'receives a share of every split charge' : null
      return [code(accountNumber), joined([display(balance, currency), remark])]
    }),
  })
}

export const statement = itemContent<MerchantAccount>({
  find: ({ world, params }) => findAccount(world.merchant, params['account_number'] ?? ''),
  show({ number, currency }, visit) {
    const { ledger } = visit.world
    const rows = ledger.statementOf(`float/${number}/${currency}`)

    const total = (sign: number) => {
      const amounts = rows.map((row) => row.amount).filter((each) => compare(each, '0') === sign)
      return display(sum(amounts).replace('-', ''), currency)
    }

    return [
      card({
        title: code(number),
        amount: display(ledger.balanceOf(`float/${number}/${currency}`), currency),
        text: [
          `${total(1)} came in, ${total(-1)} went out.`,
          link(`/statement.csv?day=${visit.zone.dateOf(visit.now)}`, 'Payments and payouts of today as CSV'),
          link('/accounts', 'All accounts'),
        ],
      }),
      listOf(movementsOf(currency, rows), visit),
    ]
  },
})

function movementsOf(currency: string, rows: readonly StatementRow[]): List<StatementRow> {
  return {
    empty: 'No money has moved on this account.',
    all: () => rows.toReversed(),
    columns: [
      [
        'Amount',
        'top',
        ({ reference, amount }, { world }) => transactionLink(world, reference, signed(amount, currency)),
      ],
      ['Entry', 'middle', ({ what }) => wordsOf(what)],
      ['Time', 'bottom', ({ at }, { zone }) => zone.when(at)],
      ['Balance', 'bottom-end', ({ balance }) => display(balance, currency)],
      ['Reference', 'below', ({ reference }) => text(reference)],
    ],
    search: {
      hint: 'Reference, what happened, amount or a date such as 2026-11-21',
      textsOf: (row, { zone }) => [row.what, row.reference, zone.dateOf(row.at), row.amount.replace('-', '')],
      timeOf: ({ at }) => at,
      status: {
        label: 'Direction',
        choices: { in: 'Came in', out: 'Went out' },
        keyOf: ({ amount }) => (amount.startsWith('-') ? 'out' : 'in'),
      },
    },
  }
}
