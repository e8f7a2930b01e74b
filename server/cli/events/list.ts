/** Events, the oldest first. */

import type { ListedEvent as Event } from '../../routes/api/events.ts'
import type { ResultOptions } from '../result.ts'
import type { Shell } from '../shell.ts'
import { ListedEvent } from '../../routes/api/events.ts'
import { pageOf } from '../../routes/listing.ts'
import { withApi } from '../api.ts'
import { showPage } from '../result.ts'
import { table } from '../table.ts'

export async function list(shell: Shell, options: ResultOptions & { cursor?: string }): Promise<void> {
  await withApi(shell, async (api) => {
    const page = await api.get('/events', pageOf(ListedEvent), { cursor: options.cursor })
    showPage(shell, options, page, eventTable)
  })
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
