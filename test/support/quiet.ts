/**
 * Waits until the number that `count` returns has not changed, and `isBusy` has returned `false`, in four successive
 * turns of the event loop.
 */
export async function quiet(count: () => number, isBusy: () => boolean = () => false): Promise<void> {
  for (let turns = 0, seen = -1; turns < 4;) {
    await new Promise((resolve) => setImmediate(resolve))
    const now = count()
    turns = now === seen && !isBusy() ? turns + 1 : 0
    seen = now
  }
}
