// What the people of a merchant want to know first: the money of today, what failed, and what needs a person.

import { compare, sum } from '../../../../server/contract/decimal.ts'
import { display } from '../../money/amounts.ts'
import { card, cards, joined, link, small, tag } from '../card.ts'
import { findIn, tableOf } from '../list.ts'
import { AIRTIME, PAYOUTS } from '../transactions/payouts.ts'
import { CHARGES, PAYMENTS } from '../transactions/sessions.ts'
import { DELIVERIES, TROUBLES } from './deliveries.ts'
import type { Payment } from '../../sessions/payment.ts'
import type { Facts } from '../card.ts'
import type { Columns, List } from '../list.ts'
import type { Content, Visit } from '../page.ts'

export const overview: Content = {
  show: (visit) => cards([...moneyOfToday(visit), troubles(visit)]),
}

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
  const find = <T extends object>(list: List<T>, path: string, what: string, query: Query): Trouble => {
    const remarks = findIn(list, visit, new URLSearchParams(query)).map((item) => remarkOf(item))
    const counts = [...new Set(remarks)].map(
      (one) => one && `${one}: ${remarks.filter((each) => each === one).length}`,
    )
    return {
      what,
      path: `${path}?${new URLSearchParams(query).toString()}`,
      about: joined(counts),
      count: remarks.length,
    }
  }
  const [failed, jammed] = [(day: string) => ({ status: 'Failed', day }), { status: 'Jammed' }]
  const found = [
    find(PAYMENTS, '/payments', 'Payments failed today', failed('today')),
    find(PAYMENTS, '/payments', 'Payments failed yesterday', failed('yesterday')),
    find(CHARGES, '/charges', 'Charges failed today', failed('today')),
    find(CHARGES, '/charges', 'Charges failed yesterday', failed('yesterday')),
    find(PAYMENTS, '/payments', 'Jammed payments', jammed),
    find(CHARGES, '/charges', 'Jammed charges', jammed),
    find(PAYOUTS, '/payouts', 'Jammed payouts', jammed),
    find(AIRTIME, '/airtime', 'Jammed airtime', jammed),
    ...TROUBLES.map(({ label }) => find(DELIVERIES, '/deliveries', `Callbacks: ${label}`, { status: label })),
  ].filter(({ count }) => count > 0)
  const title = 'Needs a look'
  const columns: Columns<Trouble> = [
    ['What', 'name', ({ path, what, about }) => [link(path, what), small(about)]],
    ['How many', 'number', ({ count }) => tag({ label: String(count), tone: 'warn' })],
  ]
  return found.length > 0
    ? card({ title, content: tableOf(title, columns, found, visit) })
    : card({
        title,
        text: ['Nothing failed since yesterday, nothing is jammed, and every callback arrived.'],
      })
}

const remarkOf = (item: object) => ('remark' in item ? String(item.remark) : '')
type Query = Readonly<Record<string, string>>
type Trouble = Readonly<Record<'what' | 'path' | 'about', string>> & { readonly count: number }
