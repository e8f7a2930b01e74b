import { FilteredList } from '../list-controls.tsx'
import { listNewestFirst, readListQuery } from '../listing.ts'
import { EVERYONE } from '../../accounts/roles.ts'
import { ListTable } from '../tables.tsx'
import type { Delivery } from '../../callbacks/deliveries.ts'
import type { Page, Visit } from '../page.ts'
import type { ListRow } from '../tables.tsx'
import type { Badge } from '../transactions/badge.ts'

export const deliveries: Page = {
  path: '/deliveries',
  title: 'Callback deliveries',
  entry: { group: 'Settings', label: 'Deliveries' },
  roles: EVERYONE,
  show: (visit) => <Deliveries {...visit} />,
}

const BADGES = {
  scheduled: { label: 'Scheduled', tone: 'wait' },
  delivered: { label: 'Acknowledged', tone: 'good' },
  given_up: { label: 'Given up', tone: 'bad' },
  blocked: { label: 'Blocked', tone: 'warn' },
  dropped: { label: 'Dropped', tone: 'warn' },
} as const satisfies Record<Delivery['state'], Pick<Badge, 'label' | 'tone'>>

export function deliveryBadge({ state }: Delivery): Pick<Badge, 'label' | 'tone'> {
  return BADGES[state]
}

const SEARCHABLE = {
  textsOf: ({ id, reference, url, body }: Delivery) => [id, reference, url, body],
  statusKeyOf: ({ state }: Delivery) => state,
}

function Deliveries(visit: Visit) {
  const query = readListQuery(Object.fromEntries(visit.query))
  const found = listNewestFirst(visit.world.deliveries.list(), query, SEARCHABLE)
  const statuses = Object.fromEntries(Object.entries(BADGES).map(([state, { label }]) => [state, label]))
  return (
    <FilteredList
      path="/deliveries"
      label="Callback deliveries"
      query={query}
      hint="Reference, address or body"
      statuses={statuses}
      listing={found}
      empty="A delivery appears here when a result is sent to a callback URL."
    >
      <ListTable
        label="Callback deliveries"
        heads={['About', 'Sent to', 'State', 'Created']}
        number="Attempts"
        rows={found.rows.map(rowOf)}
      />
    </FilteredList>
  )
}

function rowOf(delivery: Delivery): ListRow {
  return {
    id: delivery.reference,
    path: `/deliveries/${delivery.id}`,
    about: <span class="clamp">{delivery.url}</span>,
    badge: deliveryBadge(delivery),
    createdAt: delivery.created_at,
    number: delivery.attempts.length,
  }
}
