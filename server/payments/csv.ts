/**
 * Writes and reads tables as CSV (RFC 4180). What a spreadsheet would run as a formula is written as a text, wherever it
 * takes a cell to begin: where a comma is the decimal point, a spreadsheet separates by semicolons, others separate by tabs
 * or bars, and a quote within a line is a character like others. No text that is written has any of these, nor what a
 * program takes for one of them, and so all readers see the same cells.
 */

/** What ends a cell for some reader, or quotes it. */
const STRUCTURE = /[",;|\p{Cc}\p{Zl}\p{Zp}]/u

/** A number is what it is, also a negative one. */
const NUMBER = /^-?\d+(\.\d+)?$/
/**
 * What begins with a letter or a digit that can be seen is no formula. Anything else may be one: spreadsheets read signs in
 * full width, too, and pass over spaces and what cannot be seen.
 */
const TEXT = /^(?!\p{Default_Ignorable_Code_Point})[\p{Letter}\p{Number}]/u

/** Returns a row as a line. `null` is an empty cell. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: string | null): string {
  if (value === null || value === '') {
    return ''
  }

  const text = plainText(value)
  return NUMBER.test(text) || TEXT.test(text) ? text : `'${text}`
}

/** Returns a text as the tables that are written here have it, but for an apostrophe before it. */
export function plainText(text: string): string {
  // Programs normalize what they read: U+037E becomes a semicolon.
  return Array.from(text, (character) =>
    STRUCTURE.test(character.normalize('NFKC')) ? ' ' : character,
  ).join('')
}

/** A table that was read, and what separates its cells. */
export interface CsvTable {
  separator: string
  rows: CsvRow[]
}

/** A row that was read. */
export interface CsvRow {
  /** The number of the line in which it begins; the first is 1. */
  line: number
  cells: string[]
}

/** What separates the cells of a table. Spreadsheets use a semicolon where a comma is the decimal point. */
const SEPARATORS = [',', ';', '\t'] as const
const LINE_ENDS = /\r\n|\r|\n/g

/**
 * Returns a table, or why a text is none, to follow its name in a sentence. The byte order mark that spreadsheets
 * write is ignored, and so are blank lines. The separator is the one that the first line has most often. Each character
 * is read once, whatever the text is.
 */
export function readCsv(text: string): CsvTable | string {
  const table = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(table)
  const plain = new RegExp(`[^"\\r\\n${separator}]*`, 'y')
  const end = new RegExp(`${separator}|\\r\\n|\\r|\\n|$`, 'y')
  const rows: CsvRow[] = []
  let line = 1
  let row: CsvRow = { line, cells: [] }
  let at = 0
  let isOpen = false
  while (at < table.length || isOpen) {
    const closing = table[at] === '"' ? closingQuote(table, at + 1) : null
    if (closing === -1) {
      return `has a quote in line ${line} that is not closed`
    }

    let after: number
    if (closing === null) {
      plain.lastIndex = at
      plain.test(table)
      after = plain.lastIndex
      row.cells.push(table.slice(at, after))
    } else {
      const quoted = table.slice(at + 1, closing)
      after = closing + 1
      line += quoted.match(LINE_ENDS)?.length ?? 0
      row.cells.push(quoted.replaceAll('""', '"'))
    }

    end.lastIndex = after
    if (!end.test(table)) {
      return `has a quote in line ${line} that is not at the begin or the end of a cell`
    }

    isOpen = table[after] === separator
    at = end.lastIndex
    if (isOpen) {
      continue
    }

    if (row.cells.length > 1 || row.cells[0] !== '') {
      rows.push(row)
    }

    line += 1
    row = { line, cells: [] }
  }

  return { separator, rows }
}

function separatorOf(table: string): string {
  const [first = ''] = table.split(/[\r\n]/, 1)
  const counts = SEPARATORS.map((separator) => first.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Returns the place of the quote that closes a cell, or -1. Two quotes are one in the text. */
function closingQuote(table: string, from: number): number {
  let at = table.indexOf('"', from)
  while (at >= 0 && table[at + 1] === '"') {
    at = table.indexOf('"', at + 2)
  }

  return at
}
