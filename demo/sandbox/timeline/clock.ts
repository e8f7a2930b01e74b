/**
 * The clock of one `World`. When a reset closes the clock, the world's scheduled tasks are cancelled; other tasks of
 * the timeline are not.
 */

import type { Task, Timeline } from './timeline.ts'

export interface Clock {
  now(): number
  /** Schedules a task in `ms` milliseconds and returns a function that cancels it. A closed clock schedules nothing. */
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
