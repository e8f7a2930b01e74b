/** Events, the oldest first. */

import type { ListedEvent as Event } from '../../routes/api/events.ts'
import type { ListOptions } from '../list.ts'
import type { Shell } from '../shell.ts'
import { ListedEvent } from '../../routes/api/events.ts'
import { showList } from '../list.ts'
import { table } from '../table.ts'

export async function list(shell: Shell, options: ListOptions): Promise<void> {
  await showList(shell, '/events', ListedEvent, options, eventTable)
}

function eventTable(events: readonly Event[]): string {
  return table(
    ['id', 'type', 'about', 'timestamp', 'delivery', 'failures'],
    events.map(({ id, type, data, timestamp, delivery, failures }) => [
      id,
      type,
      aboutOf(data),
      timestamp,
      delivery,
      failures,
    ]),
  )
}

function aboutOf(data: Event['data']): string | null {
  const reference = data.payout_reference ?? data.order
  return typeof reference === 'string' ? reference : null
}
