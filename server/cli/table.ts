/** Tables for a terminal. Pure. */

/** Columns as wide as their widest cell, two spaces apart; `null` is shown as a dash. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cells = [heads, ...rows.map((row) => row.map(printable))]
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Name and value, one line each. */
export function list(entries: readonly (readonly [string, string | number | null])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`).join('\n')
}

/** What others wrote may hold control characters, and a terminal would obey them. */
export function printable(value: string | number | null): string {
  return value === null ? '-' : String(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
}
