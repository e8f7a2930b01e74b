import type { ClientBase, QueryResult } from 'pg'

/** Does `work` in one transaction on the connection. Undoes it if it rejects. */
export async function inTransaction<Result>(
  client: ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('BEGIN')
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Returns the rows of the last statement in a text. */
export function rowsOf(result: QueryResult | QueryResult[]): unknown[] {
  return [result].flat().at(-1)?.rows ?? []
}
