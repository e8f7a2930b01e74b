/** What happened to whatever has a reference. */

import type { ResultOptions } from './result.ts'
import type { Shell } from './shell.ts'
import { History } from '../routes/api/history.ts'
import { withApi } from './api.ts'
import { showResult } from './result.ts'
import { printable, table } from './table.ts'

export async function history(shell: Shell, reference: string, options: ResultOptions): Promise<void> {
  await withApi(shell, async (api) => {
    const { value, body } = await api.get(`/history/${encodeURIComponent(reference)}`, History)
    showResult(shell, options, body, () =>
      value.transactions
        .map(({ kind, reference: known, attempt, outcome, created_at, history: entries }) => {
          const title = `${kind} ${printable(known)}, attempt ${attempt}: ${outcome}`
          const rows = [[created_at, 'It was asked for.'], ...entries.map(({ at, what }) => [at, what])]
          return `${title}\n${table(['at', 'what'], rows)}`
        })
        .join('\n\n'),
    )
  })
}
