/**
 * The virtual clock, and the queue of what happens next on it.
 *
 * With a wall the clock runs by itself, `speed` times as fast as real time, and can jump ahead. Without one
 * it stands still until it is told to move, which makes a whole world exact: every due task runs in order of
 * time, sees its own time as "now", and everything that it set off comes to rest before the next one runs.
 */

import { createQueue } from './queue.ts'
import type { Task } from './queue.ts'

export type { Task }
export type Cancel = () => void

/** Real time, as the timeline needs it: a clock on the wall and one timer. */
export interface Wall {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Runs `wake` once after `ms` milliseconds; the answer takes it back. */
  wakeAfter(ms: number, wake: () => void): () => void
}

export interface TimelineOptions {
  /** Milliseconds since the Unix epoch at which virtual time begins. Default: the wall's time. */
  start?: number
  /** Where real time comes from; `null` for a simulation, in which only {@link Timeline.advance} moves time. */
  wall?: Wall | null
  /**
   * Resolves once everything that a task set off has come to rest. Awaited by {@link Timeline.advance} after
   * each task. Default: with a wall, until the tasks' own promises end, a second of real time at the most;
   * without one, a few turns of the event loop.
   */
  settle?: () => Promise<void>
}

export interface Timeline {
  /** Whole milliseconds since the Unix epoch. */
  now(): number
  /** Runs the task at that time, or as soon as possible when the time has passed. */
  at(time: number, task: Task): Cancel
  after(ms: number, task: Task): Cancel
  /** Resolves `ms` milliseconds of virtual time later; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /**
   * Moves time ahead by `ms`, through everything that is due until then. Calls queue up behind each other.
   * Rejects with what a task threw, once time has moved.
   */
  advance(ms: number): Promise<void>
  /** How many virtual milliseconds pass in a real one; 0 while time stands still. */
  speed(): number
  setSpeed(speed: number): void
  /** Forgets everything that was to come and stops the real timer. */
  close(): void
}

/** Where a simulation begins when nothing else is said. */
const SIMULATION_START = Date.UTC(2026, 0, 1)
/** A real second: long enough for an answer on loopback, short enough for a person who waits. */
const SETTLE_LIMIT_MS = 1_000
/** Turns of the event loop within which in-process requests come to rest. */
const SETTLE_TURNS = 8

export function createTimeline(options: TimelineOptions = {}): Timeline {
  const wall = options.wall === undefined ? systemWall : options.wall
  const settle = options.settle ?? (wall ? () => restOf(running, wall) : turns)
  const queue = createQueue()
  const running = new Set<Promise<void>>()
  const errors: unknown[] = []
  const report = (error: unknown) => void errors.push(error)

  let base = options.start ?? wall?.now() ?? SIMULATION_START
  let anchor = wall?.now() ?? 0
  let speed = wall ? 1 : 0
  /** The time that the running task sees while time is being moved ahead. */
  let held: number | null = null
  let cancelTimer: Cancel = () => {}
  let advancing: Promise<void> = Promise.resolve()

  function now(): number {
    return held ?? Math.floor(base + (wall ? (wall.now() - anchor) * speed : 0))
  }

  function at(time: number, task: Task): Cancel {
    const cancel = queue.add(time, task)
    arm()
    return cancel
  }

  function arm(): void {
    cancelTimer()
    cancelTimer = () => {}
    const next = queue.first()
    if (!wall || held !== null || speed === 0 || !next) return
    cancelTimer = wall.wakeAfter(Math.ceil((next.time - now()) / speed), wake)
  }

  function wake(): void {
    if (held !== null) return
    for (let next = queue.takeDue(now()); next; next = queue.takeDue(now())) start(next.task)
    arm()
  }

  function start(task: Task): void {
    try {
      const ended = task()
      if (!ended) return
      const tracked = ended.catch(report).finally(() => running.delete(tracked))
      running.add(tracked)
    } catch (error) {
      report(error)
    }
  }

  function rebase(time: number): void {
    base = time
    anchor = wall?.now() ?? 0
  }

  async function move(ms: number): Promise<void> {
    held = now()
    const end = held + ms
    try {
      for (let next = queue.takeDue(end); next; next = queue.takeDue(end)) {
        held = Math.max(held, next.time)
        start(next.task)
        await settle()
      }
    } finally {
      held = null
      rebase(end)
      arm()
    }
    const [first] = errors.splice(0)
    if (first !== undefined) throw first
  }

  return {
    now,
    at,
    after: (ms, task) => at(now() + Math.max(ms, 0), task),
    sleep: (ms, signal) => sleepOn(at, now() + Math.max(ms, 0), signal),
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`Time moves only ahead, not by ${ms} ms.`)
      const moved = advancing.then(() => move(Math.floor(ms)))
      advancing = moved.catch(() => {})
      return moved
    },
    speed: () => speed,
    setSpeed(factor) {
      if (!Number.isFinite(factor) || factor < 0) throw new RangeError(`Not a speed: ${factor}.`)
      if (!wall) throw new RangeError('A simulation has no speed: its time moves by advance() only.')
      if (held === null) rebase(now())
      speed = factor
      arm()
    },
    close() {
      cancelTimer()
      queue.clear()
    },
  }
}

function sleepOn(at: Timeline['at'], time: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
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
  for (let turn = 0; turn < SETTLE_TURNS; turn++) await new Promise((next) => setImmediate(next))
}

async function restOf(running: ReadonlySet<Promise<void>>, wall: Wall): Promise<void> {
  if (running.size === 0) return
  let cancel: Cancel = () => {}
  const limit = new Promise<void>((resolve) => {
    cancel = wall.wakeAfter(SETTLE_LIMIT_MS, resolve)
  })
  await Promise.race([Promise.all(running), limit])
  cancel()
}

/** The longest delay that a platform timer takes; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

const systemWall: Wall = {
  now: () => Date.now(),
  wakeAfter: (ms, wake) => {
    const timer = setTimeout(wake, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS))
    // What is due later must not keep a process alive that has nothing else to do.
    timer.unref()
    return () => clearTimeout(timer)
  },
}
