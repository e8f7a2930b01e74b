import { display } from '../../money/amounts.ts'
import { card, cards, code, link, tag } from '../card.ts'
import { findIn, tableOf } from '../list.ts'
import { AIRTIME, PAYOUTS } from '../transactions/payouts.ts'
import { CHARGES, PAYMENTS } from '../transactions/sessions.ts'
import { DELIVERIES } from './deliveries.ts'
import type { List } from '../list.ts'
import type { Content, Visit } from '../page.ts'

export const overview: Content = {
  show(visit) {
    const { merchant, ledger } = visit.world
    const floats = merchant.accounts.map(({ number, currency }) =>
      card({
        title: `Float in ${currency}`,
        amount: display(ledger.balanceOf(`float/${number}/${currency}`), currency),
        text: [['Account ', code(number)]],
      }),
    )
    return cards([needsPerson(visit), ...floats])
  },
}

/** What does not end unless a person acts. */
function needsPerson(visit: Visit) {
  const troubles = [
    trouble(visit, PAYMENTS, '/payments', '850', 'Jammed payments'),
    trouble(visit, CHARGES, '/charges', '850', 'Jammed charges'),
    trouble(visit, PAYOUTS, '/payouts', '704', 'Jammed payouts'),
    trouble(visit, AIRTIME, '/airtime', '604', 'Jammed airtime'),
    trouble(visit, DELIVERIES, '/deliveries', 'Given up', 'Callbacks given up'),
  ].filter(({ count }) => count > 0)
  const title = 'Needs a person'
  if (troubles.length === 0)
    return card({ title, text: ['Nothing is jammed, and every callback was acknowledged or is retried.'] })
  const columns = [
    ['What', 'name', ({ path, what }: Trouble) => link(path, what)],
    ['How many', 'number', ({ count }: Trouble) => tag({ label: String(count), tone: 'warn' })],
  ] as const
  return card({ title, content: tableOf(title, columns, troubles, visit) })
}

type Trouble = ReturnType<typeof trouble>

function trouble<T>(visit: Visit, list: List<T>, path: string, status: string, what: string) {
  const query = new URLSearchParams({ status })
  return { count: findIn(list, visit, query).length, what, path: `${path}?${query.toString()}` }
}
