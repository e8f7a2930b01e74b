/** Plain-text tables for a terminal. Pure. */

import { printable } from '../log/printable.ts'

type Cell = string | number | null

/**
 * Formats a table. Each column is as wide as its widest cell, and two spaces separate the columns. `null` is shown as a
 * dash.
 */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [heads, ...rows.map((row) => row.map(printable))]
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Formats a table with one row per item. Each column shows the field that has the same name as the column. */
export function itemTable<Column extends string>(
  columns: readonly Column[],
  items: readonly Readonly<Record<Column, Cell>>[],
): string {
  return table(
    columns,
    items.map((item) => columns.map((column) => item[column])),
  )
}
