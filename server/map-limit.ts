/** Does something with each of many, a few at a time; the results are in the order of the items. */

export async function mapLimit<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  // All take from the same iterator, so each item is taken once.
  const waiting = items.entries()
  const take = async () => {
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: most }, take))
  return results
}
