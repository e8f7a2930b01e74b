/** How a result is shown: as a table to people, as the API's own answer to scripts. */

import type { Shell } from './shell.ts'

export interface ResultOptions {
  json?: boolean
}

export interface Page<Item> {
  items: Item[]
  next_cursor: string | null
}

/** @param asText Made only when it is to be read. */
export function showResult(shell: Shell, { json }: ResultOptions, body: unknown, asText: () => string): void {
  shell.print(json ? JSON.stringify(body, null, 2) : asText())
}

/** A list says on its side where it goes on, or that it is empty. */
export function showPage<Item>(
  shell: Shell,
  options: ResultOptions,
  { value, body }: { value: Page<Item>; body: unknown },
  asText: (items: Item[]) => string,
): void {
  if (!options.json && value.items.length === 0) return shell.note('There are none.')
  showResult(shell, options, body, () => asText(value.items))
  if (!options.json && value.next_cursor) shell.note(`There may be more: --cursor ${value.next_cursor}`)
}
