import { AIRTIME_STATUS, CHECKOUT_STATUS, PAYOUT_STATUS } from '../../../../server/contract/status.ts'
import { display } from '../../money/amounts.ts'
import { addressOf } from '../layout.tsx'
import { listNewestFirst } from '../listing.ts'
import { EVERYONE, ROLES } from '../../accounts/roles.ts'
import { airtimeRequests } from '../transactions/airtime.ts'
import { payouts } from '../transactions/payouts.ts'
import { charges, payments } from '../transactions/sessions.ts'
import type { World } from '../../world.ts'
import type { Page, Visit } from '../page.ts'
import type { TransactionList } from '../transactions/kind.ts'

export const overview: Page = {
  path: '/',
  title: 'Overview',
  entry: { group: null, label: 'Overview' },
  roles: EVERYONE,
  show: (visit) => <Overview {...visit} />,
}

function Overview({ world, user }: Visit) {
  return (
    <div class="cards" data-live>
      <Attention world={world} />
      {world.merchant.accounts.map(({ number, currency }) => (
        <section class="card">
          <h2>Float in {currency}</h2>
          <p class="amount">{display(world.ledger.balanceOf(`float/${number}/${currency}`), currency)}</p>
          <p>
            Account <code>{number}</code>
          </p>
        </section>
      ))}
      <section class="card">
        <h2>You</h2>
        <p>
          {user.name} is {user.role}: {ROLES[user.role]}.
        </p>
      </section>
    </div>
  )
}

/** What does not end unless a person acts. */
function Attention({ world }: { world: World }) {
  const jammed = [
    jammedIn(world, payments, CHECKOUT_STATUS.jammed),
    jammedIn(world, charges, CHECKOUT_STATUS.jammed),
    jammedIn(world, payouts, PAYOUT_STATUS.jammed),
    jammedIn(world, airtimeRequests, AIRTIME_STATUS.jammed),
  ]
  const givenUp = world.deliveries.list().filter(({ state }) => state === 'given_up').length
  const items = [
    ...jammed,
    { count: givenUp, text: 'Callbacks given up', path: '/deliveries?status=given_up' },
  ].filter(({ count }) => count > 0)
  return (
    <section class="card">
      <h2>Needs a person</h2>
      {items.length === 0 ? (
        <p>Nothing is jammed, and every callback was acknowledged or is retried.</p>
      ) : null}
      <ul class="parts">
        {items.map(({ count, text, path }) => (
          <li>
            <div class="head">
              <a href={addressOf(path)}>{text}</a>
              <span class="tag warn">{count}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function jammedIn<T>(world: World, list: TransactionList<T>, code: number) {
  const query = { search: '', status: String(code), page: 1 }
  const { total } = listNewestFirst(list.all(world), query, list.searchable(world))
  return { count: total, text: `${list.title}: jammed`, path: `${list.path}?status=${code}` }
}
