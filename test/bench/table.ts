/** Formats a table for a terminal. Each column is as wide as its widest cell, and two spaces separate the columns. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cells = [heads, ...rows.map((row) => row.map((cell) => String(cell ?? '-')))]
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}
