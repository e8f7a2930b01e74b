import { Tag } from '../details.tsx'
import { addressOf } from '../layout.tsx'
import { Empty, Pages, Search } from '../list-controls.tsx'
import { listNewestFirst, readListQuery } from '../listing.ts'
import { EVERYONE } from '../roles.ts'
import { When } from '../when.tsx'
import type { Page, Visit } from '../page.ts'
import type { Row, TransactionList } from './kind.ts'

/** Returns the page of a list of transactions: newest first, with search, statuses and pages. */
export function listPage<T>(list: TransactionList<T>): Page {
  return {
    path: list.path,
    title: list.title,
    entry: { group: 'Money', label: list.title },
    roles: EVERYONE,
    show: (visit) => <Transactions list={list} visit={visit} />,
  }
}

function Transactions<T>({ list, visit }: { list: TransactionList<T>; visit: Visit }) {
  const { world } = visit
  const query = readListQuery(Object.fromEntries(visit.query))
  const found = listNewestFirst(list.all(world), query, list.searchable(world))
  const rows = found.rows.map((transaction) => list.rowOf(world, transaction))
  const statuses = Object.fromEntries(
    list.badges.map(({ key, label, code }) => [key, code === null ? label : `${label} (${code})`]),
  )
  return (
    <>
      <Search path={list.path} query={query} hint={list.searched} statuses={statuses} />
      <section class="card" data-live aria-label={list.title}>
        {rows.length === 0 ? <Empty query={query} text={list.empty} /> : <Rows rows={rows} list={list} />}
        <Pages path={list.path} query={query} listing={found} />
      </section>
    </>
  )
}

// The roles keep the table a table where a small screen lays its rows out as blocks.
function Rows({ rows, list }: { rows: readonly Row[]; list: { title: string } }) {
  return (
    <table class="rows" role="table" aria-label={list.title}>
      <thead role="rowgroup">
        <tr role="row">
          {['Reference', 'With', 'Status', 'Created'].map((name) => (
            <th role="columnheader" scope="col">
              {name}
            </th>
          ))}
          <th role="columnheader" scope="col" class="number">
            Amount
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <TransactionRow {...row} />
        ))}
      </tbody>
    </table>
  )
}

function TransactionRow({ id, path, party, about, amount, badge, createdAt }: Row) {
  return (
    <tr role="row">
      <th role="rowheader" scope="row" class="name">
        <a href={addressOf(path)}>
          <bdi>{id}</bdi>
        </a>
      </th>
      <td role="cell" class="with">
        <bdi>{party}</bdi>
        <small>
          <bdi>{about}</bdi>
        </small>
      </td>
      <td role="cell" class="state">
        <Tag badge={badge} />
      </td>
      <td role="cell" class="when">
        <When at={createdAt} />
      </td>
      <td role="cell" class="number">
        {amount}
      </td>
    </tr>
  )
}
