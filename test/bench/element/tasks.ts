/**
 * Records what a page's main thread does, with the processor's time of each step, which other programs do not change.
 *
 * The metrics of DevTools do not count microtasks as script, and in them most of a Lit element's work is done.
 */

import type { CDPSession } from 'playwright'

/** The processor's time of a page's main thread, in milliseconds. */
export interface Work {
  script: number
  style: number
  layout: number
  /** All of the above, and painting, messages between processes, and the measuring itself. */
  all: number
  longestTask: number
}

/** An event of Chromium's trace. The clock of `tts` and `tdur` is the processor's time of the thread, in microseconds. */
interface Step {
  name: string
  ph: string
  pid: number
  tid: number
  tts: number
  tdur: number
  args: { name?: string }
}

const NO_WORK: Work = { script: 0, style: 0, layout: 0, all: 0, longestTask: 0 }

type Kind = 'script' | 'style' | 'layout'

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel', 'v8']
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [
    /^(EvaluateScript|FunctionCall|RunMicrotasks|TimerFire|FireAnimationFrame|FireIdleCallback|EventDispatch)$/,
    'script',
  ],
  [/^(v8\.|V8\.|BlinkScheduler_PerformMicrotaskCheckpoint)/, 'script'],
  [/^(UpdateLayoutTree|ParseAuthorStyleSheet)$/, 'style'],
  [/^Layout$/, 'layout'],
]

/** Returns the function that ends the recording. */
export async function recordWork(devtools: CDPSession): Promise<() => Promise<Work>> {
  const steps: Step[] = []
  // The protocol does not say what is in an event.
  const collect = ({ value }: { value: object[] }) => void steps.push(...(value as Step[]))
  devtools.on('Tracing.dataCollected', collect)
  const traceConfig = { includedCategories: CATEGORIES }
  await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  return async () => {
    const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve))
    await devtools.send('Tracing.end')
    await complete
    devtools.off('Tracing.dataCollected', collect)
    return workIn(steps)
  }
}

function workIn(steps: Step[]): Work {
  const mains = steps.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  // The browser may keep another process in reserve.
  const works = mains.map((main) =>
    workOf(steps.filter(({ pid, tid }) => pid === main.pid && tid === main.tid)),
  )
  return works.toSorted((one, other) => other.all - one.all)[0] ?? NO_WORK
}

function workOf(steps: Step[]): Work {
  const own = steps.filter(({ ph, tts, tdur }) => ph === 'X' && tts !== undefined && tdur !== undefined)
  const tasks = own.filter(({ name }) => name === 'RunTask').map(({ tdur }) => tdur / 1_000)
  const work = { ...NO_WORK, all: sum(tasks), longestTask: Math.max(0, ...tasks) }
  // A step belongs to the innermost step around it whose kind is known.
  const open: (Step & { kind: Kind })[] = []
  const known = own.flatMap((step) => {
    const kind = KINDS.find(([pattern]) => pattern.test(step.name))?.[1]
    return kind ? [{ ...step, kind }] : []
  })
  for (const step of known.toSorted((one, other) => one.tts - other.tts || other.tdur - one.tdur)) {
    while (open.length > 0 && !isInside(step, open.at(-1))) open.pop()
    const outer = open.at(-1)
    if (outer) work[outer.kind] -= step.tdur / 1_000
    work[step.kind] += step.tdur / 1_000
    open.push(step)
  }
  return work
}

function isInside(step: Step, outer: Step | undefined): boolean {
  return outer !== undefined && step.tts + step.tdur <= outer.tts + outer.tdur
}

function sum(figures: number[]): number {
  return figures.reduce((total, figure) => total + figure, 0)
}

export function median(figures: number[]): number {
  const sorted = figures.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle - 1)] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2
}
