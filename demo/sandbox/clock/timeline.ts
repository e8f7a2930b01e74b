// The clock of the sandbox moves here: virtual time, its speed, and the tasks that become due while it passes.

import { createQueue } from './task-queue.ts'

import type { Task } from './task-queue.ts'

export type { Task }
export type Cancel = () => void

export interface Wall {
  now(): number
  wakeAfter(ms: number, wake: () => void): () => void
}

export interface TimelineOptions {
  /**
   * The initial virtual time in milliseconds since the Unix epoch. Default: the time of `wall`, or 1 January 2026
   * (UTC) if `wall` is `null`.
   */
  start?: number
  /** The source of real time. Default: the system clock. With `null`, only {@link Timeline.advance} moves time. */
  wall?: Wall | null
  /**
   * Waits until the work of the started tasks is done. {@link Timeline.advance} calls this function before time passes.
   *
   * Default: waits until all started tasks have ended, but at most one second of real time. If `wall` is `null`, waits
   * for eight turns of the event loop instead.
   */
  settle?: () => Promise<void>
}

/** A scheduler with virtual time, for simulations that run faster than real time. */
export interface Timeline {
  /** Returns the virtual time in whole milliseconds since the Unix epoch. */
  now(): number
  /**
   * Schedules a task and returns a function that cancels the task.
   *
   * @param time Virtual time in milliseconds since the Unix epoch. A task with a time in the past is due immediately.
   */
  at(time: number, task: Task): Cancel
  after(ms: number, task: Task): Cancel
  /** Resolves after `ms` milliseconds of virtual time. Rejects with the signal's reason if the signal aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /**
   * Moves virtual time ahead by `ms` milliseconds and runs the due tasks: those of one moment beside each other, and those
   * of a later moment after their work is done. Concurrent calls run one after another. If
   * tasks fail, the other due tasks still run; then the promise rejects with the error of the first failed task.
   */
  advance(ms: number): Promise<void>
  /** Returns the number of virtual milliseconds per real millisecond; 0 while virtual time is stopped. */
  speed(): number
  setSpeed(speed: number): void
  /** Goes to a time, which may be in the past, without running a task. Waits until calls of `advance` have ended. */
  set(time: number, speed: number): Promise<void>
  close(): void
}

const DEFAULT_START = Date.UTC(2026, 0, 1)
// In real time. A response on loopback takes less.
const SETTLE_LIMIT_MS = 1_000
const SETTLE_TURNS = 8
/** The maximum number of tasks of one moment that run at the same time while the clock is advanced. */
const MAX_AT_ONCE = 16

export function createTimeline(options: TimelineOptions = {}): Timeline {
  const wall = options.wall === undefined ? systemWall : options.wall
  const realNow = () => wall?.now() ?? 0
  const tasks = createTaskRunner()
  const settle = options.settle ?? (wall ? () => settled(tasks.running, wall) : turns)
  const queue = createQueue()
  const start = options.start ?? wall?.now() ?? DEFAULT_START
  /** Virtual time was `time` at the real time `realTime`, and runs `speed` times as fast. */
  let course = { time: start, realTime: realNow(), speed: wall ? 1 : 0 }
  /** Where `advance` holds the time while a task runs; `null` while nothing advances it. */
  let held: number | null = null
  let cancelTimer: Cancel = () => {}
  let advancing: Promise<void> = Promise.resolve()

  const now = () => held ?? Math.floor(course.time + (realNow() - course.realTime) * course.speed)

  function goOnFrom(time: number, speed = course.speed): void {
    course = { time, realTime: realNow(), speed }
    arm()
  }

  function at(time: number, task: Task): Cancel {
    const cancel = queue.add(time, task)
    arm()
    return cancel
  }

  function arm(): void {
    cancelTimer()
    const next = queue.first()
    if (!wall || held !== null || course.speed === 0 || !next) {
      return
    }

    cancelTimer = wall.wakeAfter(Math.ceil((next.time - now()) / course.speed), wake)
  }

  function wake(): void {
    if (held !== null) {
      return
    }

    for (let next = queue.takeDue(now()); next; next = queue.takeDue(now())) {
      tasks.start(next.task)
    }

    arm()
  }

  /** Starts what is due at one moment, in its order. Many callbacks may be: a few are on their way at once. */
  async function startDue(time: number): Promise<void> {
    for (let started = 0; started < MAX_AT_ONCE; started++) {
      const next = queue.takeDue(time)
      if (!next) {
        return
      }

      tasks.start(next.task)
      // A clock that rings for the first of its tasks adds the next one.
      await nextTurn()
    }
  }

  async function moveTo(end: number): Promise<void> {
    held = now()
    try {
      for (let next = queue.first(); next && next.time <= end; next = queue.first()) {
        held = Math.max(held, next.time)
        await startDue(held)
        await settle()
      }
    } finally {
      held = null
      goOnFrom(end)
    }

    tasks.throwFirstError()
  }

  return {
    now,
    at,
    after: (ms, task) => at(now() + Math.max(ms, 0), task),
    sleep: (ms, signal) => sleepOn(at, now() + Math.max(ms, 0), signal),
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0) {
        throw new RangeError(`Time moves only ahead, not by ${ms} ms.`)
      }

      // What was sent within the process arrives before.
      const moved = advancing.then(nextTurn).then(() => moveTo(now() + Math.floor(ms)))
      advancing = moved.catch(() => {})
      return moved
    },
    speed: () => course.speed,
    setSpeed(speed) {
      if (!Number.isFinite(speed) || speed < 0) {
        throw new RangeError(`Not a speed: ${speed}.`)
      }
      if (!wall) {
        throw new RangeError('Without a wall, time has no speed: only advance() moves it.')
      }

      goOnFrom(now(), speed)
    },
    set: (time, speed) => (advancing = advancing.then(() => goOnFrom(time, wall ? speed : 0))),
    close() {
      cancelTimer()
      queue.clear()
    },
  }
}

function createTaskRunner() {
  const running = new Set<Promise<void>>()
  const errors: unknown[] = []
  const run = async (task: Task) => task()
  return {
    running,
    start(task: Task): void {
      const ended = run(task)
        .catch((error: unknown) => void errors.push(error))
        .finally(() => running.delete(ended))
      running.add(ended)
    },
    throwFirstError(): void {
      const [first] = errors.splice(0)
      if (first !== undefined) {
        throw first
      }
    },
  }
}

function sleepOn(at: Timeline['at'], time: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      return reject(signal.reason)
    }

    const cancel = at(time, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    signal?.addEventListener('abort', abort, { once: true })

    function abort() {
      cancel()
      reject(signal?.reason)
    }
  })
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < SETTLE_TURNS; turn++) {
    await nextTurn()
  }
}

/** Resolves when all is done that waits neither for time nor for another process. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function settled(running: ReadonlySet<Promise<void>>, wall: Wall): Promise<void> {
  if (running.size === 0) {
    return
  }

  await new Promise<void>((resolve) => {
    const cancel = wall.wakeAfter(SETTLE_LIMIT_MS, resolve)
    void Promise.all(running).then(cancel).then(resolve)
  })
}

// `setTimeout` ends a longer delay immediately.
const LONGEST_TIMER_MS = 2 ** 31 - 1

const systemWall: Wall = {
  now: () => Date.now(),
  wakeAfter: (ms, wake) => {
    const timer = setTimeout(wake, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS))
    // The timer must not keep the process alive.
    timer.unref()
    return () => clearTimeout(timer)
  },
}
