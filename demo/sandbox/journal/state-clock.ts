// The clock of one state of the sandbox. The timeline moves it, or the journal, while it is repeated.

import { createQueue } from '../clock/task-queue.ts'
import { nextTurn } from '../clock/timeline.ts'

import type { Task, Timeline } from '../clock/timeline.ts'
import type { Journal } from './journal.ts'

/** The time of one state of the sandbox. It stands still while something from outside has its effect. */
export interface Clock {
  now(): number
  /** Returns whether the state is the present one: not while its journal is repeated, nor after it was replaced. */
  isLive(): boolean
  /** Returns the number of virtual milliseconds per real millisecond. */
  speed(): number
  /** Runs a task after `ms` milliseconds. Returns a function that cancels the task. */
  after(ms: number, task: Task): () => void
  /** Resolves after `ms` milliseconds, with false if the state was replaced before. */
  sleep(ms: number): Promise<boolean>
  /** Calls the outside and continues with its result, which must be JSON. A repeated journal has the result. */
  ask<T>(call: () => Promise<T>, proceed: (result: T) => void): Promise<void> | void
}

/** Creates a clock at `start` that the journal moves, until `resume` lets the timeline move it. */
export function createClock(timeline: Timeline, journal: Journal, start: number) {
  const queue = createQueue()
  const sleepers = new Set<(isTime: boolean) => void>()
  const calls = createCalls((number, result) =>
    enter(() => {
      journal.write(['result', time, number, result])
      calls.conclude(number, result)
    }),
  )
  let isLive = false
  let time = start
  let armed = queue.first()
  let disarm = () => {}

  /** Lets the timeline ring at the time of the first task. */
  function arm(): void {
    const first = isLive ? queue.first() : undefined
    if (first === armed) {
      return
    }

    disarm()
    armed = first
    disarm = first ? timeline.at(first.time, () => enter(ring)) : () => {}
  }

  function enter(act: Task): Promise<void> {
    return journal.enter<void>(() => {
      if (!isLive) {
        return
      }

      time = timeline.now()
      return act()
    })
  }

  function ring(): void | Promise<void> {
    armed = undefined
    const due = queue.takeDue(time)
    if (due) {
      journal.write(['task', time])
    }

    arm()
    return due?.task()
  }

  function after(ms: number, task: Task): () => void {
    const cancel = queue.add(time + Math.max(ms, 0), task)
    arm()
    return cancel
  }

  const sleep = (ms: number) =>
    new Promise<boolean>((resolve) => {
      sleepers.add(resolve)
      after(ms, () => {
        sleepers.delete(resolve)
        resolve(true)
        // What was waiting goes on before anything else.
        const rest = nextTurn()
        if (isLive) {
          journal.hold(rest)
        }
        return rest
      })
    })

  return {
    now: () => time,
    isLive: () => isLive,
    speed: () => timeline.speed(),
    after,
    sleep,
    ...calls,
    /** Sets the time at which something came from outside. */
    set: (now: number) => void (time = now),
    runFirst: () => queue.takeDue(Infinity)?.task(),
    /** Called at the end of the journal: makes the calls again whose results it does not have. */
    resume(): void {
      isLive = true
      arm()
      calls.resume()
    },
    /** Lets nothing happen any more. */
    close(): void {
      isLive = false
      arm()
      for (const wake of sleepers) {
        wake(false)
      }
    },
  }
}

/** Calls of the outside, and their results. While the journal is repeated, calls are only counted; `resume` makes those without a result. */
function createCalls(receive: (number: number, result: unknown) => Promise<void>) {
  const open = new Map<number, { call: () => Promise<unknown>; proceed: (result: never) => void }>()
  let count = 0
  let isLive = false
  const start = async (number: number) => receive(number, await open.get(number)?.call())

  return {
    ask<T>(call: () => Promise<T>, proceed: (result: T) => void): Promise<void> | void {
      const number = count++
      open.set(number, { call, proceed })
      return isLive ? start(number) : undefined
    },
    conclude(number: number, result: unknown): void {
      // It is the result of this call, also when the journal has it.
      open.get(number)?.proceed(result as never)
      open.delete(number)
    },
    resume(): void {
      isLive = true
      for (const number of open.keys()) {
        void start(number)
      }
    },
  }
}
