/** Plain-text tables for a terminal. Pure. */

import { printable } from '../printable.ts'

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

/**
 * Formats each field as a line with the name and the value of the field. A field whose value is a list has one line for
 * each element.
 */
export function fieldList<Name extends string>(
  names: readonly Name[],
  item: Readonly<Record<Name, Cell | readonly Cell[]>>,
): string {
  const width = Math.max(...names.map((name) => name.length))
  return names
    .flatMap((name) => [item[name]].flat().map((value) => `${name.padEnd(width)}  ${printable(value)}`))
    .join('\n')
}

export function outcomeText({ outcome, settled }: { outcome: string; settled: boolean }): string {
  return settled ? outcome : `${outcome}, not settled`
}
