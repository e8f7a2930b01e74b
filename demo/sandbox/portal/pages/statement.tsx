import { compare, sum } from '../../../../server/contract/decimal.ts'
import { findAccount } from '../../merchant.ts'
import { display } from '../../money/amounts.ts'
import { addressOf } from '../layout.tsx'
import { Empty, Pages, Search } from '../list-controls.tsx'
import { listNewestFirst, readListQuery } from '../listing.ts'
import { pathOfReference } from '../transactions/references.ts'
import { When } from '../when.tsx'
import type { MerchantAccount } from '../../merchant.ts'
import type { StatementRow } from '../../money/ledger.ts'
import type { World } from '../../world.ts'
import type { Page, Visit } from '../page.ts'
import type { Roles } from '../../accounts/roles.ts'

export const STATEMENT_READERS: Roles = ['owner', 'finance', 'viewer']

export const statement: Page = {
  path: '/accounts/:account_number',
  title: 'Statement',
  roles: STATEMENT_READERS,
  show(visit) {
    const account = findAccount(visit.world.merchant, visit.params['account_number'] ?? '')
    return account ? <Statement account={account} visit={visit} /> : null
  },
}

const SEARCHABLE = {
  textsOf: ({ what, reference, at }: StatementRow) => [what, reference, at.slice(0, 10)],
  statusKeyOf: ({ amount }: StatementRow) => (amount.startsWith('-') ? 'out' : 'in'),
}
const DIRECTIONS = { in: 'Came in', out: 'Went out' }

function Statement({ account, visit }: { account: MerchantAccount; visit: Visit }) {
  const { number, currency } = account
  const { ledger } = visit.world
  const rows = ledger.statementOf(`float/${number}/${currency}`)
  const query = readListQuery(Object.fromEntries(visit.query))
  const found = listNewestFirst(rows, query, SEARCHABLE)
  const path = `/accounts/${encodeURIComponent(number)}`
  const total = (isWanted: (sign: number) => boolean) =>
    display(
      sum(rows.filter(({ amount }) => isWanted(compare(amount, '0'))).map(({ amount }) => amount)).replace(
        '-',
        '',
      ),
      currency,
    )
  return (
    <>
      <section class="card">
        <div class="head">
          <h2>
            <code>{number}</code>
          </h2>
          <a href={addressOf('/accounts')}>All accounts</a>
        </div>
        <p class="amount">{display(ledger.balanceOf(`float/${number}/${currency}`), currency)}</p>
        <p>
          {total((sign) => sign > 0)} came in, {total((sign) => sign < 0)} went out.
        </p>
      </section>
      <Search
        path={path}
        query={query}
        hint="Reference, what happened or a date such as 2026-11-21"
        statuses={DIRECTIONS}
      />
      <section class="card" data-live aria-label="Movements">
        {found.rows.length === 0 ? (
          <Empty query={query} text="No money has moved on this account." />
        ) : (
          <Movements rows={found.rows} currency={currency} world={visit.world} />
        )}
        <Pages path={path} query={query} listing={found} />
      </section>
    </>
  )
}

interface MovementsProps {
  rows: readonly StatementRow[]
  currency: string
  world: World
}

function Movements({ rows, currency, world }: MovementsProps) {
  return (
    <table class="rows" role="table" aria-label="Movements">
      <thead role="rowgroup">
        <tr role="row">
          {['Reference', 'What', 'Time'].map((name) => (
            <th role="columnheader" scope="col">
              {name}
            </th>
          ))}
          {['Amount', 'Balance'].map((name) => (
            <th role="columnheader" scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(({ at, what, reference, amount, balance }) => (
          <tr role="row">
            <th role="rowheader" scope="row" class="name">
              <Reference path={pathOfReference(world, reference)} reference={reference} />
            </th>
            <td role="cell" class="with">
              {what}
            </td>
            <td role="cell" class="when">
              <When at={at} />
            </td>
            <td role="cell" class={amount.startsWith('-') ? 'number' : 'number plus'}>
              {signed(amount, currency)}
            </td>
            <td role="cell" class="number balance">
              {display(balance, currency)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Reference({ path, reference }: { path: string | null; reference: string }) {
  return path === null ? (
    <bdi>{reference}</bdi>
  ) : (
    <a href={addressOf(path)}>
      <bdi>{reference}</bdi>
    </a>
  )
}

function signed(amount: string, currency: string): string {
  return amount.startsWith('-') ? `−${display(amount.slice(1), currency)}` : `+${display(amount, currency)}`
}
