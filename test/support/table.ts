import { readCsv } from '../../server/payments/csv.ts'

/** Returns the cells of a table. */
export function cellsIn(text: string): string[][] {
  const rows = readCsv(text)
  if (typeof rows === 'string') {
    throw new Error(`The table ${rows}.`)
  }
  return rows.map(({ cells }) => cells)
}
