/** Runs asynchronous calls, but only a limited number of them at the same time. */

/** Like `Promise.all(items.map(work))`, but at most `limit` calls of `work` run at the same time. */
export async function mapLimit<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  // All calls of `worker` share one iterator, so that each item is processed once.
  const remaining = items.entries()

  const worker = async () => {
    for (const [index, item] of remaining) {
      results[index] = await work(item)
    }
  }

  await Promise.all(Array.from({ length: limit }, worker))
  return results
}
