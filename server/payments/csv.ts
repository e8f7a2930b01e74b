/**
 * Writes and reads tables as CSV (RFC 4180). What a spreadsheet would run as a formula is written as a text.
 */

/** A number is what it is, also a negative one. */
const NUMBER = /^-?\d+(\.\d+)?$/
/** What begins a formula in a spreadsheet, also in full width and behind spaces or invisible characters. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\p{Dash}]|^[\t\r\n]/u

/** Returns a row as a line. `null` is an empty cell. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: string | null): string {
  if (value === null) {
    return ''
  }

  const isFormula = !NUMBER.test(value) && FORMULA.test(value.normalize('NFKC'))
  const text = isFormula ? `'${value}` : value
  return /[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One cell: in quotes, or without them; and what ends it. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y

/**
 * Returns the rows of a table, or `null` if the text is no CSV. The byte order mark that spreadsheets write is ignored,
 * and so are blank lines.
 */
export function readCsv(text: string): string[][] | null {
  const table = text.replace(/^\uFEFF/, '')
  const rows: string[][] = []
  let row: string[] = []
  CELL.lastIndex = 0
  while (CELL.lastIndex < table.length) {
    const cell = CELL.exec(table)
    if (!cell) {
      return null
    }

    const [, quoted, plain = '', end] = cell
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') {
      continue
    }

    if (row.length > 1 || row[0] !== '') {
      rows.push(row)
    }

    row = []
  }

  return row.length > 0 ? [...rows, [...row, '']] : rows
}
