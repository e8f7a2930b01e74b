import { FilteredList } from '../list-controls.tsx'
import { listNewestFirst, readListQuery } from '../listing.ts'
import { EVERYONE } from '../../accounts/roles.ts'
import { ListTable } from '../tables.tsx'
import type { Page, Visit } from '../page.ts'
import type { ListRow } from '../tables.tsx'
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
    <FilteredList
      path={list.path}
      label={list.title}
      query={query}
      hint={list.searched}
      statuses={statuses}
      listing={found}
      empty={list.empty}
    >
      <ListTable
        label={list.title}
        heads={['Reference', 'With', 'Status', 'Created']}
        number="Amount"
        rows={rows.map(listRowOf)}
      />
    </FilteredList>
  )
}

function listRowOf({ party, about, amount, ...row }: Row): ListRow {
  const parties = (
    <>
      <bdi>{party}</bdi>
      <small>
        <bdi>{about}</bdi>
      </small>
    </>
  )
  return { ...row, about: parties, number: amount }
}
