/**
 * Enumerates the orders in which tasks can go on, each by a run from the beginning (stateless model checking). Orders
 * with the fewest forced switches come first, so the first schedule that leads to a violation is a shortest one.
 */

import type { Fate, Scheduler } from './scheduler.ts'

/** One step of a schedule: the task that goes on, and what becomes of its call. */
interface Step {
  task: string
  fate: Fate
  /** The task whose change of the store takes place at the same time; `null` if there is none. */
  beside: string | null
}

/** A schedule that is to be run, up to the step at which it leaves an earlier one. */
interface Beginning {
  steps: readonly Step[]
  /** The number of forced switches and of failed calls in it. */
  switches: number
  failures: number
}

/** A run of the tasks from the beginning. */
export interface Run {
  scheduler: Scheduler
  /** Returns what the checks depend on besides the state: what came before what. */
  past(): string
  /** Lets time pass until something goes on. Returns `false` if nothing waits for time. */
  passTime(): Promise<boolean>
  /** Ends the run, and returns what is wrong. Called when no task can go on. */
  check(): Promise<string[]>
  /** Drops the run. */
  close(): Promise<void>
}

export interface Limits {
  /** The maximum number of forced switches: from a task that could go on to another one. */
  switches: number
  /** The maximum number of calls that fail. */
  failures: number
  /** The maximum number of runs. */
  runs: number
  /** Whether two changes of the store also take place at the same time, so that the database orders them. */
  isConcurrent: boolean
}

export interface Violation {
  what: string
  /** The number of the run that found it. */
  run: number
  schedule: string[]
}

export interface Exploration {
  runs: number
  /** The number of runs to the end. The others came to a state that was known. */
  ends: number
  /** Whether every schedule within the limits was run. */
  isComplete: boolean
  violations: Violation[]
}

/** The maximum number of steps of one run. More indicate that it never comes to rest. */
const MAX_STEPS = 400

export async function explore(open: () => Promise<Run>, limits: Limits): Promise<Exploration> {
  const waiting: Beginning[][] = [[{ steps: [], switches: 0, failures: 0 }]]
  const known = new Set<string>()
  const found = new Map<string, Violation>()
  let runs = 0
  let ends = 0
  for (let beginning = take(); beginning && runs < limits.runs; beginning = take()) {
    runs += 1
    const run = await open()
    const result = await follow(run, beginning, limits, known, add)
    await run.close()
    if (!result) {
      continue
    }

    ends += 1
    for (const what of result.problems) {
      if (!found.has(what)) {
        found.set(what, { what, run: runs, schedule: result.schedule })
      }
    }
  }

  const isComplete = waiting.every((beginnings) => beginnings.length === 0)
  return { runs, ends, isComplete, violations: [...found.values()] }

  function take(): Beginning | undefined {
    return waiting.find((beginnings) => beginnings.length > 0)?.shift()
  }

  function add(beginning: Beginning): void {
    const cost = beginning.switches + beginning.failures
    while (waiting.length <= cost) {
      waiting.push([])
    }

    waiting[cost]?.push(beginning)
  }
}

/**
 * Runs a schedule from its beginning to its end: each task goes on as long as it can. Adds the other schedules that are
 * possible on the way. Resolves with `null` at a state that an earlier run has reached.
 */
async function follow(
  run: Run,
  { steps, ...spent }: Beginning,
  limits: Limits,
  known: Set<string>,
  add: (beginning: Beginning) => void,
): Promise<{ problems: string[]; schedule: string[] } | null> {
  const { scheduler } = run
  const path: Step[] = []
  const schedule: string[] = []
  let current: string | null = null
  while (path.length < MAX_STEPS) {
    const { ready } = scheduler
    if (ready.length === 0) {
      if (scheduler.isUnfinished && (await run.passTime())) {
        continue
      }
      return { problems: await run.check(), schedule: shortened(schedule) }
    }

    const canGoOn = current !== null && ready.includes(current)
    const usual: string = canGoOn ? current! : ready[0]!
    let step: Step = { task: usual, fate: 'done', beside: null }
    const given = steps[path.length]
    if (given) {
      step = given
    } else {
      const isBounded = limits.switches < Infinity
      const key = `${scheduler.stateKey()} ${run.past()} ${spent.failures} ${isBounded && canGoOn ? usual : ''}`
      if (known.has(key)) {
        return null
      }

      known.add(key)
      for (const other of stepsOf(scheduler, ready, limits)) {
        const switches = spent.switches + Number(canGoOn && (other.task !== usual || other.beside !== null))
        const failures = spent.failures + Number(other.fate !== 'done')
        const isUsual = other.task === usual && other.fate === 'done' && other.beside === null
        if (isUsual || switches > limits.switches || failures > limits.failures) {
          continue
        }

        add({ steps: [...path, other], switches, failures })
      }
    }

    schedule.push(describe(scheduler, step))
    await scheduler.step(step.task, step.fate, step.beside)
    path.push(step)
    current = step.task
  }

  return { problems: [`It does not come to rest within ${MAX_STEPS} steps.`], schedule }
}

function stepsOf(scheduler: Scheduler, ready: readonly string[], { isConcurrent }: Limits): Step[] {
  const single = ready.flatMap((task) =>
    scheduler.next(task).fates.map((fate) => ({ task, fate, beside: null })),
  )
  if (!isConcurrent) {
    return single
  }

  const writers = ready.filter((task) => {
    const { what, isWrite } = scheduler.next(task)
    return isWrite && what.startsWith('store ')
  })
  const pairs = writers.flatMap((task, index) =>
    writers.slice(index + 1).map((beside) => ({ task, fate: 'done' as const, beside })),
  )
  return [...single, ...pairs]
}

function describe(scheduler: Scheduler, { task, fate, beside }: Step): string {
  const { what } = scheduler.next(task)
  const failure = fate === 'done' ? '' : ` (${fate})`
  const other = beside === null ? '' : ` at the same time as ${beside}: ${scheduler.next(beside).what}`
  return `${task}: ${what}${failure}${other}`
}

/** Writes the steps of a task that follow each other in one line. */
function shortened(schedule: readonly string[]): string[] {
  const lines: { task: string; calls: string[] }[] = []
  for (const step of schedule) {
    const task = step.slice(0, step.indexOf(': '))
    const call = step.slice(step.indexOf(': ') + 2)
    const last = lines.at(-1)
    if (last?.task === task) {
      last.calls.push(call)
    } else {
      lines.push({ task, calls: [call] })
    }
  }

  return lines.map(({ task, calls }) => `${task}: ${calls.join(', ')}`)
}
