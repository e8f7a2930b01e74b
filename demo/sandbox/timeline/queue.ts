/** Tasks, ordered by time and then by the order in which they were added. */

/** A scheduled function. If it returns a promise, the timeline does not await the promise itself; see `settle`. */
export type Task = () => void | Promise<void>

interface Entry {
  /** The time at which the task is due, in milliseconds since the Unix epoch. */
  readonly time: number
  readonly task: Task
}

export interface Queue {
  first(): Entry | undefined
  /** Removes and returns the first entry if it is due at `time`; returns `undefined` if it is not. */
  takeDue(time: number): Entry | undefined
  /** Adds the task after all others of the same time. Returns a function that removes the task. */
  add(time: number, task: Task): () => void
  clear(): void
}

export function createQueue(): Queue {
  const entries: Entry[] = []

  return {
    first: () => entries[0],
    takeDue: (time) => (entries[0] && entries[0].time <= time ? entries.shift() : undefined),
    add(time, task) {
      const entry = { time, task }
      entries.splice(placeFor(time), 0, entry)
      return () => {
        const index = entries.indexOf(entry)
        if (index !== -1) entries.splice(index, 1)
      }
    },
    clear: () => void entries.splice(0),
  }

  /** Returns the index of the first entry that is later than `time`, by binary search. */
  function placeFor(time: number): number {
    let low = 0
    let high = entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const entry = entries[middle]
      if (entry !== undefined && entry.time <= time) low = middle + 1
      else high = middle
    }
    return low
  }
}
