// The tasks that wait for their time, so many that a sorted list would be too slow.

export type Task = () => void | Promise<void>

/** An entry of a pairing heap: it comes before those in `later`, which have entries of their own below them. */
interface Entry {
  readonly time: number
  readonly number: number
  readonly task: Task
  readonly later: Entry[]
  isCancelled: boolean
}

/** The tasks of a timeline, the earliest first; of one time, the first that was added. There may be 100,000. */
export function createQueue() {
  let top: Entry | undefined
  let added = 0

  function drop({ later }: Entry): void {
    top = undefined
    for (let at = 0; at < later.length; at += 2) {
      top = merge(top, merge(later[at], later[at + 1]))
    }
  }

  function first(): Entry | undefined {
    while (top?.isCancelled) {
      drop(top)
    }

    return top
  }

  return {
    first,
    takeDue(time: number): Entry | undefined {
      const due = first()
      if (!due || due.time > time) {
        return undefined
      }

      drop(due)
      return due
    },
    add(time: number, task: Task): () => void {
      const entry: Entry = { time, number: added++, task, later: [], isCancelled: false }
      top = merge(top, entry)
      return () => void (entry.isCancelled = true)
    },
    clear: () => void (top = undefined),
  }
}

function merge(one: Entry | undefined, other: Entry | undefined): Entry | undefined {
  if (!one || !other) {
    return one ?? other
  }
  if ((one.time - other.time || one.number - other.number) > 0) {
    return merge(other, one)
  }

  one.later.push(other)
  return one
}
