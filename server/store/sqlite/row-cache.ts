/** Keeps recently used rows in memory, so that a row that has not changed is neither read nor parsed again. */

import type { Transaction } from '../../store.ts'

const MAX_ROWS = 2_000
/** Records that are larger are not kept. */
const MAX_RECORD_CHARACTERS = 16_000

export class RowCache {
  readonly #rows = new Map<string, Transaction>()
  #dataVersion = 0

  /** @param dataVersion Changes when another connection has written to the database. All rows are then read again. */
  get(id: string, dataVersion: number): Transaction | undefined {
    if (dataVersion !== this.#dataVersion) {
      this.#rows.clear()
      this.#dataVersion = dataVersion
    }
    return this.#rows.get(id)
  }

  /** Keeps the row; the row that was stored first is dropped when the cache is full. */
  set(row: Transaction, recordCharacters: number): void {
    this.#rows.delete(row.id)
    if (recordCharacters > MAX_RECORD_CHARACTERS) return
    this.#rows.set(row.id, row)
    if (this.#rows.size > MAX_ROWS) for (const id of this.#rows.keys()) return void this.#rows.delete(id)
  }

  /** Replaces the row if it is kept. Its record has not changed. */
  replace(row: Transaction): void {
    if (this.#rows.has(row.id)) this.#rows.set(row.id, row)
  }

  delete(id: string): void {
    this.#rows.delete(id)
  }

  clear(): void {
    this.#rows.clear()
  }
}
