/** What the sandbox itself has put on the timeline, so that a reset can take it back and leave the rest. */

import type { Task, Timeline } from './timeline.ts'

export interface Clock {
  now(): number
  /** Does nothing once the agenda is closed: what comes late from an old world changes no new one. */
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
