/** `events list`, `events replay`. */

import type { Command } from 'commander'
import type { ResultOptions } from './command.ts'
import type { Shell } from './shell.ts'
import { ListedEvent, Replayed } from '../routes/api/events.ts'
import { withApi } from './api-client.ts'
import { addList, addQuery, showResult } from './command.ts'
import { table } from './table.ts'

export function addEvents(program: Command, shell: Shell): void {
  const events = program.command('events').description("list and replay the merchant's events")
  addList(events, shell, 'list events, oldest first', 'events list', {
    path: '/events',
    item: ListedEvent,
    asTable: eventTable,
  })
  addQuery(events, 'replay', 'deliver an event again', 'events replay evt_…')
    .argument('<id>', 'the event id')
    .action((id: string, options: ResultOptions) => replay(shell, id, options))
}

/** Only makes the event due: the running server over the same store delivers it. */
async function replay(shell: Shell, id: string, options: ResultOptions): Promise<void> {
  await withApi(shell, async (api) => {
    const { body } = await api.post(`/events/${encodeURIComponent(id)}/replay`, Replayed)
    showResult(shell, options, body, () => 'Queued. The running server delivers the event again.')
  })
}

function eventTable(events: readonly ListedEvent[]): string {
  return table(
    ['id', 'type', 'reference', 'timestamp', 'delivery', 'failures'],
    events.map((event) => [
      event.id,
      event.type,
      referenceOf(event),
      event.timestamp,
      event.delivery,
      event.failures,
    ]),
  )
}

function referenceOf({ data }: ListedEvent): string | null {
  const reference = data.payout_reference ?? data.order
  return typeof reference === 'string' ? reference : null
}
