// The first page of the portal: the money of today and of yesterday, the latest payments, what failed, and what needs a
// person.

import { compare, sum } from '../../../../server/contract/decimal.ts'
import { display } from '../../money/amounts.ts'
import { card, cards, joined, link, small, stack, tag } from '../card.ts'
import { findIn, tableOf } from '../list.ts'
import { AIRTIME, PAYOUTS } from '../transactions/money-out.ts'
import { CHARGES, PAYMENTS } from '../transactions/sessions.ts'
import { DELIVERIES, TROUBLES } from './deliveries.ts'

import type { Payment } from '../../sessions/payment.ts'
import type { Columns, List } from '../list.ts'
import type { Content, Visit } from '../page.ts'

/** Each with the query of a list that finds it. */
type Troubles = readonly (readonly [name: string, query: Readonly<Record<string, string>>])[]

const OF_TRANSACTIONS: Troubles = [
  ['failed today', { status: 'Failed', day: 'today' }],
  ['failed yesterday', { status: 'Failed', day: 'yesterday' }],
  ['jammed', { status: 'Jammed' }],
]
const OF_DELIVERIES: Troubles = TROUBLES.map(({ label }) => [label.toLowerCase(), { status: label }])

const MAX_LATEST = 5

export const overview: Content = {
  show: (visit) => cards([stack([...moneyCards(visit), troublesCard(visit)]), latestCard(visit)]),
}

/** Returns a card for each currency with payments of today, of yesterday or on their way, and for the first in any case. */
function moneyCards({ world: { merchant, sessions }, zone, now }: Visit) {
  return merchant.accounts.map(({ currency }, index) => {
    const inCurrency = [...sessions.values()].filter(({ service }) => service.currency === currency)
    const totalOf = (isMeant: (payment: Payment) => boolean) =>
      sum(inCurrency.flatMap(({ payments }) => payments.filter(isMeant)).map(({ amount }) => amount))
    const receivedOn = (daysAgo: number) =>
      totalOf(({ state, changedAt }) => state.kind === 'paid' && zone.daysBetween(changedAt, now) === daysAgo)
    const today = receivedOn(0)
    const yesterday = receivedOn(1)
    const onItsWay = totalOf(({ state }) => /^(prompted|processing)$/.test(state.kind))
    const hasMoney = [today, yesterday, onItsWay].some((total) => compare(total, '0') > 0)
    const isShown = index === 0 || hasMoney
    return (
      isShown &&
      card({
        title: 'Received today',
        amount: display(today, currency),
        facts: [
          ['Yesterday', display(yesterday, currency)],
          ['On its way', display(onItsWay, currency)],
        ],
      })
    )
  })
}

function latestCard(visit: Visit) {
  const title = 'Latest payments'
  const latest = PAYMENTS.all(visit).slice(0, MAX_LATEST)
  if (latest.length === 0) {
    return card({ title, text: [PAYMENTS.empty] })
  }

  // A reference is for those who look for it, in the list.
  const columns = PAYMENTS.columns.filter(([, place]) => place !== 'below')
  return card({
    title,
    content: [tableOf(title, columns, latest, visit), link('/payments', 'All payments')],
  })
}

/**
 * What failed, what does not end unless a person acts, and callbacks that the merchant's server does not acknowledge.
 */
function troublesCard(visit: Visit) {
  const count = <T extends object>(list: string, rows: List<T>, troubles: Troubles) => {
    const all = rows.all(visit)
    return troubles.map(([trouble, filters]) => {
      const query = new URLSearchParams(filters)
      const items = findIn(rows, visit, query, all)
      const remarks = items.map((item) => ('remark' in item ? String(item.remark) : ''))
      const countOf = (remark: string) => remarks.filter((each) => each === remark).length
      const about = joined([...new Set(remarks)].map((each) => each && `${countOf(each)} × ${each}`))
      const path = `/${list.toLowerCase()}?${query.toString()}`
      return { name: `${list} ${trouble}`, path, about, count: items.length }
    })
  }

  const found = [
    count('Payments', PAYMENTS, OF_TRANSACTIONS),
    count('Charges', CHARGES, OF_TRANSACTIONS),
    count('Payouts', PAYOUTS, OF_TRANSACTIONS),
    count('Airtime', AIRTIME, OF_TRANSACTIONS),
    count('Deliveries', DELIVERIES, OF_DELIVERIES),
  ].flatMap((each) => each.filter(({ count }) => count > 0))
  const title = 'Needs attention'
  const columns: Columns<(typeof found)[number]> = [
    ['Problem', 'top', ({ path, name, about }) => [link(path, name), small(about)]],
    ['Count', 'top-end', ({ count }) => tag({ label: String(count), tone: 'warn' })],
  ]
  if (found.length > 0) {
    return card({ title, content: tableOf(title, columns, found, visit) })
  }

  return card({
    title,
    text: ['Nothing failed since yesterday, nothing is jammed, and every callback arrived.'],
  })
}
