import { CHECKS, coverage } from './checks.ts'
import type { Check } from './check.ts'
import type { Need } from './gateway.ts'

interface Counts {
  rows: number
  checked: number
  /** The gateway lacks what all checks of the row need. */
  skipped: number
  notOverHttp: number
}

export interface Tally {
  total: Counts
  /** The skipped rows, by what their checks lack. */
  skippedFor: Readonly<Record<string, readonly string[]>>
}

/** Counts the rows of the specification by what the checks say of a gateway. */
export function tally(lacks: (needs: readonly Need[]) => readonly Need[]): Tally {
  const { rows, proved, chosen } = coverage()
  const lackingOf = ({ needs = [] }: Check) => lacks(needs)
  const run = new Set(CHECKS.filter((check) => lackingOf(check).length === 0).flatMap((check) => check.rows))
  const skippedFor: Record<string, readonly string[]> = {}
  for (const { id } of rows.filter((row) => proved.has(row.id) && !run.has(row.id))) {
    const check = CHECKS.find((each) => each.rows.includes(id))
    const [reason = ''] = check ? lackingOf(check).toSorted(controlFirst) : []
    skippedFor[reason] = [...(skippedFor[reason] ?? []), id]
  }
  const countsOf = (ids: readonly string[]): Counts => ({
    rows: ids.length,
    checked: ids.filter((id) => run.has(id)).length,
    skipped: ids.filter((id) => proved.has(id) && !run.has(id)).length,
    notOverHttp: ids.filter((id) => chosen.has(id)).length,
  })
  return { total: countsOf(rows.map(({ id }) => id)), skippedFor }
}

const controlFirst = (a: Need, b: Need) => Number(b === 'control') - Number(a === 'control')

export function describeTally(name: string, { total, skippedFor }: Tally): string {
  const reasons = Object.entries(skippedFor).map(([need, ids]) => `${ids.length} need ${need}`)
  const why = reasons.length > 0 ? ` (${reasons.join(', ')})` : ''
  return `${name}: ${total.rows} rows, ${total.checked} checked, ${total.skipped} skipped${why}, ${total.notOverHttp} that HTTP cannot show.`
}
