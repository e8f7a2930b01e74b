/** How a result is shown: as a table to people, as the API's own answer to scripts. */

import type { Shell } from './shell.ts'

export interface ResultOptions {
  json?: boolean
}

/** @param asText Made only when it is to be read. */
export function showResult(shell: Shell, { json }: ResultOptions, body: unknown, asText: () => string): void {
  shell.print(json ? JSON.stringify(body, null, 2) : asText())
}
