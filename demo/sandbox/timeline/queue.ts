export type Task = () => void | Promise<void>

/** The tasks of a timeline, the earliest first; of one time, the first that was added. */
export function createQueue() {
  const entries: { readonly time: number; readonly task: Task }[] = []

  /** Returns how many entries are due at a time. There may be 100,000. */
  function countDue(time: number): number {
    let [low, high] = [0, entries.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((entries[middle]?.time ?? Infinity) <= time) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    first: () => entries[0],
    takeDue: (time: number) => (entries[0] && entries[0].time <= time ? entries.shift() : undefined),
    add(time: number, task: Task): () => void {
      const entry = { time, task }
      entries.splice(countDue(time), 0, entry)
      return () => {
        const index = entries.lastIndexOf(entry, countDue(time) - 1)
        if (index !== -1) entries.splice(index, 1)
      }
    },
    clear: () => void entries.splice(0),
  }
}
