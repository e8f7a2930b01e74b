export type Task = () => void | Promise<void>

/** The tasks of a timeline, the earliest first; of one time, the first that was added. */
export function createQueue() {
  const entries: { readonly time: number; readonly task: Task }[] = []
  return {
    first: () => entries[0],
    takeDue: (time: number) => (entries[0] && entries[0].time <= time ? entries.shift() : undefined),
    add(time: number, task: Task): () => void {
      const entry = { time, task }
      entries.splice(entries.findLastIndex((each) => each.time <= time) + 1, 0, entry)
      return () => {
        const index = entries.indexOf(entry)
        if (index !== -1) entries.splice(index, 1)
      }
    },
    clear: () => void entries.splice(0),
  }
}
