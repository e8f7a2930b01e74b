/**
 * Stops each call of a task at the store and at the gateway until the scheduler lets it go on. One call at a time is
 * carried out, together with all that follows it until the next calls wait.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'

/**
 * What becomes of a call. A `refused` call has no effect and fails; a `lost` call has its effect, and its answer is
 * lost. A `deadly` call has its effect, and then the process that makes it dies.
 */
export type Fate = 'done' | 'refused' | 'lost' | 'deadly'

const FATES: readonly Fate[] = ['done', 'refused', 'lost', 'deadly']

/** A process that calls. Once it is dead, nothing of it goes on. */
export interface Process {
  isDead: boolean
  /** Ends the process, and starts the next one. `null` if it lives for ever. */
  die: (() => void) | null
}

/** A call that a task makes. */
export interface Call<Result> {
  /** Whose it is and what it does, such as "store commit" or "POST /v1/charges". */
  what: string
  /** What tells the call from others of the same name: its arguments. */
  details: unknown
  isWrite: boolean
  work: () => Promise<Result>
  /** The ways in which the call can fail, with the result or the error then. */
  failures: Partial<Record<'refused' | 'lost', () => Result>>
  /** Whose call it is; absent for what is no server. */
  process?: Process
}

interface Waiting {
  task: string
  what: string
  isWrite: boolean
  details: string
  fates: readonly Fate[]
  process: Process | undefined
  go: (fate: Fate) => void
}

/** The turns of the event loop without any activity after which nothing goes on by itself. */
const QUIET_TURNS = 3

/** What a call of a dead process resolves with. */
const NEVER = new Promise<never>(() => {})

const tasks = new AsyncLocalStorage<string>()
/** What runs outside every task. */
const NOBODY = 'set-up'

/** Returns the name of the running task. */
export const currentTask = (): string => tasks.getStore() ?? NOBODY

/** Ends the tracking of tasks, which makes every promise of the process slower. Starting a task begins it again. */
export function forgetTasks(): void {
  tasks.disable()
}

export class Scheduler {
  /** While `false`, calls are carried out at once. */
  isOn = false
  readonly #waiting: Waiting[] = []
  readonly #unfinished = new Set<string>()
  /** What each task has seen so far. */
  readonly #seen = new Map<string, string>()
  /** All changes so far, in their order. */
  #changes = ''
  #running = 0
  #activity = 0

  /** Starts a task, whose first step also waits. An endless task, such as a worker, need not end. */
  start(name: string, work: () => Promise<unknown>, isEndless = false): void {
    if (!isEndless) {
      this.#unfinished.add(name)
    }

    const begin = { what: 'begins', details: null, isWrite: false, work: async () => {}, failures: {} }
    void tasks.run(name, async () => {
      await this.call(begin)
      await work()
      this.#unfinished.delete(name)
    })
  }

  /** Carries out the call, once the scheduler lets it go on. */
  async call<Result>(call: Call<Result>): Promise<Result> {
    this.#activity += 1
    if (call.process?.isDead) {
      return NEVER
    }
    if (!this.isOn) {
      return this.track(call.work())
    }

    const { what, isWrite, failures, process } = call
    const task = currentTask()
    const details = written(call.details)
    const possible = FATES.filter((fate) => canMeet(call, fate))
    const fate = await new Promise<Fate>((go) => {
      this.#waiting.push({ task, what, isWrite, details, fates: possible, process, go })
    })
    const result = fate === 'refused' ? undefined : await this.track(call.work())
    const seen = `${what} ${details} ${fate} ${written(result)}`
    this.#seen.set(task, digest(`${this.#seen.get(task)} ${seen}`))
    if (isWrite) {
      this.#changes = digest(`${this.#changes} ${seen}`)
    }
    if (fate === 'deadly') {
      this.#bury(process!)
      return NEVER
    }

    const failure = fate === 'done' ? undefined : failures[fate]
    // A call that was carried out has a result.
    return failure ? failure() : (result as Result)
  }

  /** What waits in a process that dies waits no more. */
  #bury(process: Process): void {
    process.isDead = true
    const living = this.#waiting.filter((each) => each.process !== process)
    this.#waiting.splice(0, this.#waiting.length, ...living)
    process.die?.()
  }

  /** Waits for work at which no task is stopped, before the next call goes on. */
  async track<Result>(work: Promise<Result>): Promise<Result> {
    this.#running += 1
    try {
      return await work
    } finally {
      this.#running -= 1
      this.#activity += 1
    }
  }

  /** The tasks that can go on, in the order in which they came to wait. */
  get ready(): string[] {
    return [...new Set(this.#waiting.map(({ task }) => task))]
  }

  /** Whether a task that has to end has not ended. */
  get isUnfinished(): boolean {
    return this.#unfinished.size > 0
  }

  get unfinished(): string[] {
    return [...this.#unfinished]
  }

  /** Returns what the task does next, and what may become of it. */
  next(task: string): Pick<Waiting, 'what' | 'isWrite' | 'fates'> {
    return this.#nextOf(task)
  }

  /**
   * Lets the oldest call of the task go on, and waits until nothing goes on by itself.
   *
   * @param beside A task whose oldest call goes on at the same time: the database then decides which is first.
   */
  async step(task: string, fate: Fate, beside: string | null): Promise<void> {
    const all = [this.#nextOf(task), ...(beside === null ? [] : [this.#nextOf(beside)])]
    this.#activity += 1
    for (const waiting of all) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
    }

    for (const { go } of all) {
      go(fate)
    }

    await this.settle()
  }

  /** Lets every call that waits go on, and no longer stops any. */
  async finish(): Promise<void> {
    this.isOn = false
    for (const { go } of this.#waiting.splice(0)) {
      go('done')
    }

    await this.settle()
  }

  /** Waits until no call is being carried out and nothing has happened for a few turns of the event loop. */
  async settle(): Promise<void> {
    for (let turns = 0, before = -1; turns < QUIET_TURNS;) {
      await new Promise((resolve) => setImmediate(resolve))
      turns = before === this.#activity && this.#running === 0 ? turns + 1 : 0
      before = this.#activity
    }
  }

  /**
   * Returns a text that is equal for two states from which the same can follow: the same changes in the same order, each
   * task has seen the same, and the same calls wait.
   */
  stateKey(): string {
    const waiting = this.#waiting.map(({ task, what, details }) => `${task} ${what} ${details}`)
    const seen = [...this.#seen].map(([task, text]) => `${task} ${text}`)
    return digest([this.#changes, ...seen.toSorted(), ...waiting.toSorted()].join('\n'))
  }

  #nextOf(task: string): Waiting {
    const waiting = this.#waiting.find((each) => each.task === task)
    if (!waiting) {
      throw new Error(`${task} does not wait: the run differs from its schedule.`)
    }
    return waiting
  }
}

function canMeet<Result>({ isWrite, failures, process }: Call<Result>, fate: Fate): boolean {
  switch (fate) {
    case 'done':
      return true
    case 'deadly':
      // A death after a call that changed nothing is the death after the last change before it.
      return isWrite && process !== undefined && process.die !== null
    case 'refused':
    case 'lost':
      return failures[fate] !== undefined
  }
}

/** Writes a value without what differs between equal runs: parts of a second, and what is encrypted. */
function written(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.replace(VARIABLE, '')
}

/** The end of a time in milliseconds or in ISO 8601, and encrypted personal data. */
const VARIABLE = /(?<=\b1[78]\d{8})\d{3}\b|(?<=T\d\d:\d\d:\d\d)\.\d{3}Z|"personal":"[^"]*"/g

function digest(text: string): string {
  return createHash('sha1').update(text).digest('base64')
}
