export type Task = () => void | Promise<void>

interface Entry {
  readonly time: number
  readonly task: Task
}

export interface Queue {
  first(): Entry | undefined
  takeDue(time: number): Entry | undefined
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
