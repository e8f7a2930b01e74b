/**
 * Combines calls that are made at about the same time into one SQL statement, which handles many rows. Such a statement
 * takes one round trip and one commit, where a statement per call would take one of each per call.
 */

import { RefusedError } from './database.ts'

export interface Batches<Item, Result> {
  /** Adds a call. Resolves after the call's own statement has been committed. */
  add(item: Item): Promise<Result>
}

interface BatchOptions<Item, Result> {
  /**
   * Runs one statement for several items. Resolves with one result per item, in the order of the items. The result
   * `undefined` means that the statement did not handle the item, which is then run alone.
   */
  runAll: (items: Item[]) => Promise<readonly (Result | undefined)[]>
  runOne: (item: Item) => Promise<Result>
  /** Returns a key. Two items with the same key are never in the same statement. Default: all keys differ. */
  keyOf?: (item: Item) => string
}

interface Call<Item, Result> {
  item: Item
  resolve: (result: Result | Promise<Result>) => void
  reject: (error: unknown) => void
}

/** The maximum number of concurrent statements. While they run, further calls wait and join the next statement. */
const MAX_RUNNING = 2
/** The maximum number of items in a statement. The SQL relies on this maximum, see `GIVEN` in `statements.ts`. */
export const MAX_ITEMS = 100

export function createBatches<Item, Result>(options: BatchOptions<Item, Result>): Batches<Item, Result> {
  const { runAll, runOne, keyOf } = options
  let waiting: Call<Item, Result>[] = []
  let running = 0
  let isScheduled = false

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (isScheduled) return
        isScheduled = true
        setImmediate(() => {
          isScheduled = false
          start()
        })
      })
    },
  }

  function start(): void {
    while (running < MAX_RUNNING && waiting.length > 0) void run(take())
  }

  async function run(calls: Call<Item, Result>[]): Promise<void> {
    running += 1
    await settle(calls)
    running -= 1
    start()
  }

  /** Takes the calls for one statement from `waiting`. */
  function take(): Call<Item, Result>[] {
    const keys = new Set<string>()
    const taken: Call<Item, Result>[] = []
    const left: Call<Item, Result>[] = []
    for (const call of waiting) {
      const key = keyOf?.(call.item)
      if (taken.length === MAX_ITEMS || (key !== undefined && keys.has(key))) left.push(call)
      else taken.push(call)
      if (key !== undefined) keys.add(key)
    }
    waiting = left
    return taken
  }

  async function settle(calls: Call<Item, Result>[]): Promise<void> {
    try {
      const results = await runAll(calls.map(({ item }) => item))
      // A call that runs alone may wait for a lock, and the next statement does not wait for that call.
      for (const [index, { item, resolve }] of calls.entries()) resolve(results[index] ?? runOne(item))
    } catch (error) {
      // After another error, such as a lost connection, the statement may have been committed.
      const isUnchanged = error instanceof RefusedError && calls.length > 1
      for (const { item, resolve, reject } of calls) {
        if (isUnchanged) resolve(runOne(item))
        else reject(error)
      }
    }
  }
}
