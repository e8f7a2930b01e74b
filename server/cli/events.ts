/** `events list`, `events replay`. */

import type { Command } from 'commander'
import type { ResultOptions } from './command.ts'
import type { Shell } from './shell.ts'
import { ListedEvent, Replayed } from '../routes/api/events.ts'
import { withApi } from './api-client.ts'
import { addList, addQuery, showResult } from './command.ts'
import { itemTable } from './table.ts'

/** The fields of an event's data that identify its transaction, by the first part of the event type. */
const IDENTIFIERS: Readonly<Record<string, readonly string[]>> = {
  checkout: ['order'],
  payout: ['payout_reference'],
  b2b: ['payout_reference'],
  airtime: ['reference', 'phone_number'],
  charge: ['external_reference'],
}

const COLUMNS = ['id', 'type', 'reference', 'timestamp', 'delivery', 'failures'] as const

export function addEvents(program: Command, shell: Shell): void {
  const events = program.command('events').description("list and replay the merchant's events")
  addList(events, shell, 'list events, oldest first', 'events list', {
    path: '/events',
    schema: ListedEvent,
    asTable: (items) =>
      itemTable(
        COLUMNS,
        items.map((event) => ({ ...event, reference: referenceOf(event) })),
      ),
  })
  addQuery(events, 'replay', 'deliver an event again', 'events replay evt_…')
    .argument('<id>', 'the event id')
    .action((id: string, options: ResultOptions) => replay(shell, id, options))
}

/** Marks the event as due. A running server with the same store delivers the event. */
async function replay(shell: Shell, id: string, options: ResultOptions): Promise<void> {
  await withApi(shell, async (api) => {
    const { body } = await api.post(`/events/${encodeURIComponent(id)}/replay`, Replayed)
    showResult(shell, options, body, () => 'Queued. The running server delivers the event again.')
  })
}

/** The reference of the event's transaction; for airtime, the references of the list and the recipient. */
function referenceOf({ type, data }: ListedEvent): string | null {
  const [kind = ''] = type.split('.')
  const values = (IDENTIFIERS[kind] ?? []).map((field) => data[field])
  return values.filter((value) => typeof value === 'string').join(' ') || null
}
