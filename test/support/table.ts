import { readCsv } from '../../server/payments/csv.ts'

/** Returns the cells of a table. */
export function cellsIn(text: string): string[][] {
  const table = readCsv(text)
  if (typeof table === 'string') {
    throw new Error(`The table ${table}.`)
  }
  return table.rows.map(({ cells }) => cells)
}
