/**
 * Waits until a count has not changed for four turns of the event loop.
 *
 * @param count How much has happened so far, for example messages sent and rows stored.
 */
export async function quiet(count: () => number): Promise<void> {
  for (let turns = 0, seen = -1; turns < 4;) {
    await new Promise((resolve) => setImmediate(resolve))
    const now = count()
    turns = now === seen ? turns + 1 : 0
    seen = now
  }
}
