import { Tag } from '../details.tsx'
import { addressOf } from '../layout.tsx'
import { Empty, Pages, Search } from '../list-controls.tsx'
import { listNewestFirst, readListQuery } from '../listing.ts'
import { EVERYONE } from '../roles.ts'
import { When } from '../when.tsx'
import type { Delivery } from '../../callbacks/deliveries.ts'
import type { Page, Visit } from '../page.ts'
import type { Badge } from '../transactions/badge.ts'

export const deliveries: Page = {
  path: '/deliveries',
  title: 'Callback deliveries',
  entry: { group: 'Developers', label: 'Deliveries' },
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
    <>
      <Search path="/deliveries" query={query} hint="Reference, address or body" statuses={statuses} />
      <section class="card" data-live aria-label="Callback deliveries">
        {found.rows.length === 0 ? (
          <Empty query={query} text="A delivery appears here when a result is sent to a callback URL." />
        ) : (
          <Rows rows={found.rows} />
        )}
        <Pages path="/deliveries" query={query} listing={found} />
      </section>
    </>
  )
}

function Rows({ rows }: { rows: readonly Delivery[] }) {
  return (
    <table class="rows" role="table" aria-label="Callback deliveries">
      <thead role="rowgroup">
        <tr role="row">
          {['About', 'Sent to', 'State', 'Created'].map((name) => (
            <th role="columnheader" scope="col">
              {name}
            </th>
          ))}
          <th role="columnheader" scope="col" class="number">
            Attempts
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((delivery) => (
          <tr role="row">
            <th role="rowheader" scope="row" class="name">
              <a href={addressOf(`/deliveries/${delivery.id}`)}>
                <bdi>{delivery.reference}</bdi>
              </a>
            </th>
            <td role="cell" class="with">
              <span class="clamp">{delivery.url}</span>
            </td>
            <td role="cell" class="state">
              <Tag badge={deliveryBadge(delivery)} />
            </td>
            <td role="cell" class="when">
              <When at={delivery.created_at} />
            </td>
            <td role="cell" class="number">
              {delivery.attempts.length}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
