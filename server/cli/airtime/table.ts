/** Airtime as rows. Pure. */

import type { ListedAirtime, TrackedAirtime } from '../../api/airtime.ts'
import { list, table } from '../table.ts'

/** What it came to, in counts and sums. */
export function summaryTable({ reference, outcome, settled, summary, ...airtime }: TrackedAirtime): string {
  const head = list([
    ['reference', reference],
    ['outcome', settled ? outcome : `${outcome}, not settled`],
    ['requests', airtime.requests],
    ['created_at', airtime.created_at],
    ['updated_at', airtime.updated_at],
  ])
  const { total, ...shares } = summary
  const rows = Object.entries({ ...shares, total }).filter(([, { count }]) => count > 0)
  return `${head}\n\n${table(
    ['', 'recipients', 'amount'],
    rows.map(([name, { count, amount }]) => [name, count, amount]),
  )}`
}

export function airtimeTable(items: readonly ListedAirtime[]): string {
  return table(
    ['reference', 'request', 'outcome', 'recipients', 'succeeded', 'amount', 'updated_at'],
    items.map(({ reference, external_reference, outcome, summary, updated_at }) => [
      reference,
      external_reference,
      outcome,
      summary.total.count,
      summary.succeeded.count,
      summary.total.amount,
      updated_at,
    ]),
  )
}
