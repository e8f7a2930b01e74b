import { createQueue } from './queue.ts'
import { nextTurn } from './timeline.ts'
import type { Journal } from './journal.ts'
import type { Task, Timeline } from './timeline.ts'

/** The time of one state of the sandbox. It stands still while something from outside has its effect. */
export interface Clock {
  now(): number
  /** Returns the number of virtual milliseconds per real millisecond. */
  speed(): number
  /** Runs a task after `ms` milliseconds. Returns a function that cancels the task. */
  after(ms: number, task: Task): () => void
  /** Resolves after `ms` milliseconds, with false if the state was replaced before. */
  sleep(ms: number): Promise<boolean>
  /** Calls the outside and continues with its result, which must be JSON. A replay has the result from the journal. */
  ask<T>(call: () => Promise<T>, proceed: (result: T) => void): Promise<void> | void
}

/** Creates a clock at `start` that can be replayed, until `resume` lets the timeline move it. */
export function createClock(timeline: Timeline, journal: Journal, start: number) {
  const queue = createQueue()
  const sleepers = new Set<(isTime: boolean) => void>()
  const alarm = createAlarm(timeline, ring)
  let isLive = false
  let time = start
  const calls = createCalls((number, result) =>
    enter(() => {
      journal.write(['result', time, number, result])
      calls.conclude(number, result)
    }),
  )

  const arm = () => isLive && alarm.set(queue.first())

  function enter(act: Task): Promise<void> {
    return journal.enter<void>(() => {
      if (!isLive) return
      time = timeline.now()
      return act()
    })
  }

  function ring(): Promise<void> {
    return enter(() => {
      const isDue = (queue.first()?.time ?? Infinity) <= time
      if (isDue) journal.write(['task', time])
      const ended = isDue ? runFirst() : undefined
      arm()
      return ended
    })
  }

  function runFirst(): void | Promise<void> {
    return queue.takeDue(Infinity)?.task()
  }

  function after(ms: number, task: Task): () => void {
    const remove = queue.add(time + Math.max(ms, 0), task)
    arm()
    return () => {
      remove()
      arm()
    }
  }

  const sleep = (ms: number) =>
    new Promise<boolean>((resolve) => {
      sleepers.add(resolve)
      after(ms, () => {
        sleepers.delete(resolve)
        resolve(true)
        // What was waiting goes on before anything else.
        const rest = nextTurn()
        if (isLive) journal.hold(rest)
        return rest
      })
    })

  const clock: Clock = { now: () => time, speed: () => timeline.speed(), after, sleep, ask: calls.ask }
  return {
    ...clock,
    /** Sets the time at which something came from outside. */
    set: (now: number) => void (time = now),
    runFirst,
    conclude: calls.conclude,
    /** Ends the replay: repeats the calls without a result. */
    resume(): void {
      isLive = true
      arm()
      calls.resume()
    },
    /** Lets nothing happen any more. */
    close(): void {
      isLive = false
      alarm.set(undefined)
      for (const wake of sleepers) wake(false)
    },
  }
}

/** Lets a timeline ring at the time of the first entry of a queue. */
function createAlarm(timeline: Timeline, ring: Task) {
  type Entry = { readonly time: number }
  let armed: Entry | undefined
  let cancel = () => {}
  return {
    set(entry: Entry | undefined): void {
      if (entry === armed) return
      cancel()
      armed = entry
      cancel = entry ? timeline.at(entry.time, ringOnce) : () => {}
    },
  }

  function ringOnce() {
    armed = undefined
    return ring()
  }
}

/** The calls to the outside, which are made once `resume` was called. */
function createCalls(receive: (number: number, result: unknown) => Promise<void>) {
  const open = new Map<number, { call: () => Promise<unknown>; proceed: (result: never) => void }>()
  let asked = 0
  let isLive = false
  const dial = async (number: number) => receive(number, await open.get(number)?.call())

  function ask<T>(call: () => Promise<T>, proceed: (result: T) => void): Promise<void> | void {
    const number = asked++
    open.set(number, { call, proceed })
    return isLive ? dial(number) : undefined
  }

  function conclude(number: number, result: unknown): void {
    // It is the result of this call, also when the journal has it.
    open.get(number)?.proceed(result as never)
    open.delete(number)
  }

  function resume(): void {
    isLive = true
    for (const number of open.keys()) void dial(number)
  }

  return { ask, conclude, resume }
}
