import type { Task, Timeline } from './timeline.ts'

export interface Clock {
  now(): number
  /**
   * Runs a task after `ms` milliseconds, unless the clock is closed before then. Returns a function that cancels the
   * task.
   */
  after(ms: number, task: Task): () => void
  /** Cancels the tasks that this clock scheduled. Other tasks of the timeline still run. */
  close(): void
}

export function createClock(timeline: Timeline): Clock {
  const pending = new Set<() => void>()
  let isOpen = true

  return {
    now: () => timeline.now(),
    after(ms, task) {
      if (!isOpen) return () => {}
      const cancelTask = timeline.after(ms, () => {
        pending.delete(cancel)
        return task()
      })
      const cancel = () => {
        pending.delete(cancel)
        cancelTask()
      }
      pending.add(cancel)
      return cancel
    },
    close() {
      isOpen = false
      for (const cancel of pending) cancel()
    },
  }
}
