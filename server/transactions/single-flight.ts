/** One call at a time for each id: who comes while it runs waits for its result. */

/** Returns the promise of the call that is running for this id. Calls `start` if no call is running. */
export function singleFlight<T>(
  inFlight: Map<string, Promise<T>>,
  id: string,
  start: () => Promise<T>,
): Promise<T> {
  const running = inFlight.get(id)
  if (running) {
    return running
  }

  const started = start().finally(() => inFlight.delete(id))
  inFlight.set(id, started)
  return started
}
