/** What every list of the API shares: its options, its pages, and what is said beside them. */

import type { z } from 'zod'
import type { ResultOptions } from './result.ts'
import type { Shell } from './shell.ts'
import { pageOf } from '../routes/listing.ts'
import { withApi } from './api.ts'
import { showResult } from './result.ts'

export interface ListOptions extends ResultOptions {
  outcome?: string
  updatedSince?: string
  cursor?: string
}

/** A list says on its side where it goes on, or that it is empty. */
export async function showList<Item>(
  shell: Shell,
  path: string,
  item: z.ZodType<Item>,
  options: ListOptions,
  asText: (items: Item[]) => string,
): Promise<void> {
  const { json, outcome, updatedSince, cursor } = options
  await withApi(shell, async (api) => {
    const query = { outcome, updated_since: updatedSince, cursor }
    const { value, body } = await api.get(path, pageOf(item), query)
    if (!json && value.items.length === 0) return shell.note('There are none.')
    showResult(shell, options, body, () => asText(value.items))
    if (!json && value.next_cursor) shell.note(`There may be more: --cursor ${value.next_cursor}`)
  })
}
