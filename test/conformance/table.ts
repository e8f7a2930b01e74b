/** The printed table: the rows of each chapter of the specification, and how they are covered. */

import { CHECKS } from './checks.ts'
import { NOT_OBSERVABLE } from './not-observable.ts'
import { readRows } from './specification.ts'
import type { Check } from './check.ts'

/** The rows that have a check, a reason why they have none, neither, or both. */
export function coverage() {
  const rows = readRows()
  const ids = new Set(rows.map(({ id }) => id))
  const proved = new Set(CHECKS.flatMap((check) => check.rows))
  const chosen = new Set(Object.keys(NOT_OBSERVABLE))
  return {
    rows,
    proved,
    chosen,
    uncovered: [...ids].filter((id) => !proved.has(id) && !chosen.has(id)),
    twice: [...chosen].filter((id) => proved.has(id)),
    unknown: [...proved, ...chosen].filter((id) => !ids.has(id)),
  }
}

/** @param isLacking Whether the gateway lacks what a check needs, so that it was skipped. */
export function drawTable(isLacking: (check: Check) => boolean): string {
  const { rows, proved, chosen, uncovered } = coverage()
  const run = new Set(CHECKS.filter((check) => !isLacking(check)).flatMap((check) => check.rows))
  const sections = [...new Set(rows.map(({ section }) => section))]
  const lines = sections.map((section) => {
    const ids = rows.filter((row) => row.section === section).map(({ id }) => id)
    const count = (holds: (id: string) => boolean) => String(ids.filter(holds).length).padStart(8)
    return [
      section.padEnd(46),
      count(() => true),
      count((id) => run.has(id)),
      count((id) => proved.has(id) && !run.has(id)),
      count((id) => chosen.has(id)),
    ].join('')
  })
  return [
    `${'chapter of the specification'.padEnd(46)}    rows checked unchecked not HTTP`,
    ...lines,
    '',
    `${rows.length} rows: ${run.size} checked by ${CHECKS.length} checks, ${proved.size - run.size} unchecked because this gateway lacks what they need, ${chosen.size} that HTTP cannot show, ${uncovered.length} uncovered.`,
    '',
    'Rows that HTTP cannot show:',
    ...Object.entries(NOT_OBSERVABLE).map(([id, reason]) => `- ${id}: ${reason}`),
  ].join('\n')
}
