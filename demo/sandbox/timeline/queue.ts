/** What happens next, ordered by time and then by the order in which it was asked for. */

/** May be asynchronous; the timeline does not wait for its promise, only for everything to come to rest. */
export type Task = () => void | Promise<void>

interface Entry {
  /** Milliseconds since the Unix epoch. */
  readonly time: number
  readonly task: Task
}

export interface Queue {
  first(): Entry | undefined
  /** Takes the first out, when its time has come by then. */
  takeDue(time: number): Entry | undefined
  /** Puts the task behind all others of the same time; the answer takes it out again. */
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

  /** The first index whose entry is later than `time`, by halving. */
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
