// What the people of a merchant want to know first: the money of today, what failed, and what needs a person.

import { compare, sum } from '../../../../server/contract/decimal.ts'
import { display } from '../../money/amounts.ts'
import { card, cards, joined, link, small, tag } from '../card.ts'
import { findIn, tableOf } from '../list.ts'
import { AIRTIME, PAYOUTS } from '../transactions/money-out.ts'
import { CHARGES, PAYMENTS } from '../transactions/sessions.ts'
import { DELIVERIES, TROUBLES } from './deliveries.ts'
import type { Payment } from '../../sessions/payment.ts'
import type { Facts } from '../card.ts'
import type { Columns, List } from '../list.ts'
import type { Content, Visit } from '../page.ts'

/** What is asked of a list, each with the search of its answer. */
type Questions = readonly (readonly [what: string, search: Readonly<Record<string, string>>])[]

const OF_TRANSACTIONS: Questions = [
  ['failed today', { status: 'Failed', day: 'today' }],
  ['failed yesterday', { status: 'Failed', day: 'yesterday' }],
  ['jammed', { status: 'Jammed' }],
]
const OF_DELIVERIES: Questions = TROUBLES.map(({ label }) => [label.toLowerCase(), { status: label }])

export const overview: Content = { show: (visit) => cards([...moneyOfToday(visit), troubles(visit)]) }

/** Returns a card for each currency in which payers have paid or are paying today, and for the first in any case. */
function moneyOfToday({ world: { merchant, sessions }, zone, now }: Visit) {
  return merchant.accounts.map(({ currency }, index) => {
    const own = [...sessions.values()].filter(({ service }) => service.currency === currency)
    const totalOf = (isMeant: (payment: Payment) => boolean) =>
      sum(own.flatMap(({ payments }) => payments.filter(isMeant)).map(({ amount }) => amount))
    const isToday = (at: number) => zone.daysBetween(at, now) === 0
    const received = totalOf(({ state, changedAt }) => state.kind === 'paid' && isToday(changedAt))
    const inFlight = totalOf(({ state }) => /^(prompted|processing)$/.test(state.kind))
    const isShown = index === 0 || compare(received, '0') + compare(inFlight, '0') > 0
    const facts: Facts = [['In flight', display(inFlight, currency)]]
    return isShown && card({ title: 'Received today', amount: display(received, currency), facts })
  })
}

/** What failed, what does not end unless a person acts, and callbacks that the merchant's server does not acknowledge. */
function troubles(visit: Visit) {
  const ask = <T extends object>(name: string, list: List<T>, questions: Questions) => {
    const all = list.all(visit)
    return questions.map(([what, search]) => {
      const query = new URLSearchParams(search)
      const remarks = findIn(list, visit, query, all).map((one) =>
        'remark' in one ? String(one.remark) : '',
      )
      const countOf = (remark: string) => remarks.filter((each) => each === remark).length
      const about = joined([...new Set(remarks)].map((each) => each && `${countOf(each)} × ${each}`))
      const path = `/${name.toLowerCase()}?${query.toString()}`
      return { what: `${name} ${what}`, path, about, count: remarks.length }
    })
  }
  const found = [
    ask('Payments', PAYMENTS, OF_TRANSACTIONS),
    ask('Charges', CHARGES, OF_TRANSACTIONS),
    ask('Payouts', PAYOUTS, OF_TRANSACTIONS),
    ask('Airtime', AIRTIME, OF_TRANSACTIONS),
    ask('Deliveries', DELIVERIES, OF_DELIVERIES),
  ].flatMap((each) => each.filter(({ count }) => count > 0))
  const title = 'Needs a look'
  const columns: Columns<(typeof found)[number]> = [
    ['What', 'name', ({ path, what, about }) => [link(path, what), small(about)]],
    ['How many', 'number', ({ count }) => tag({ label: String(count), tone: 'warn' })],
  ]
  const none = 'Nothing failed since yesterday, nothing is jammed, and every callback arrived.'
  const [text, content] = found.length > 0 ? [[], tableOf(title, columns, found, visit)] : [[none], null]
  return card({ title, text, content })
}
