/** How airtime stands. */

import type { ResultOptions } from '../result.ts'
import type { Shell } from '../shell.ts'
import { TrackedAirtime } from '../../api/airtime.ts'
import { withApi } from '../api.ts'
import { showResult } from '../result.ts'
import { table } from '../table.ts'
import { summaryTable } from './table.ts'

export async function status(shell: Shell, reference: string, options: ResultOptions): Promise<void> {
  await withApi(shell, async (api) => {
    const asked = api.get(`/airtime/${encodeURIComponent(reference)}`, TrackedAirtime)
    const { value, body } = await shell.waitFor('Asking the gateway', asked)
    showResult(shell, options, body, () => {
      const others = value.recipients.filter(({ outcome }) => outcome !== 'succeeded')
      const rows = others.map((one) => [
        one.phone_number,
        one.amount,
        one.outcome,
        one.service_status,
        one.attention ?? one.message,
      ])
      const summary = summaryTable(value)
      const heads = ['phone_number', 'amount', 'outcome', 'status', 'why']
      return rows.length === 0 ? summary : `${summary}\n\n${table(heads, rows)}`
    })
  })
}
