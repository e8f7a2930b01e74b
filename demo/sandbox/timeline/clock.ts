/** The clock of one world. A reset cancels the world's tasks but not the other tasks of the timeline. */

import type { Task, Timeline } from './timeline.ts'

export interface Clock {
  now(): number
  /**
   * Schedules a task, and returns a function that cancels it. Does nothing once the clock is closed, so that a
   * replaced world starts no more tasks.
   */
  after(ms: number, task: Task): () => void
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
