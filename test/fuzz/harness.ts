import { Worker } from 'node:worker_threads'
import { test } from 'vitest'

import { createSeededRandom } from '../support/seeded-random.ts'

import type { SeededRandom } from '../support/seeded-random.ts'

/** A parser or a route that takes generated inputs. */
export interface Target<Input = unknown> {
  name: string
  generate(random: SeededRandom): Input
  open(): Subject<Input> | Promise<Subject<Input>>
}

export interface Subject<Input> {
  /** Resolves with whether the input was accepted. Throws if the result is not allowed. */
  run(input: Input): boolean | Promise<boolean>
  /** Checks what has to hold after all inputs. */
  close?(): void | Promise<void>
}

export const SEED = Number(process.env['SEED'] ?? 1)
const isFull = Boolean(process.env['FULL'])
export const INPUTS = Number(process.env['INPUTS'] ?? (isFull ? 400 : 80))
/** The CPU time of one input at most, in milliseconds, in the median of `REPEATS` runs of the input alone. */
const MAX_CPU_MS = 100
const REPEATS = 5
/** The inputs of a target that are repeated alone, and the CPU time from which an input of a sample is repeated. */
const SLOWEST = { count: 3, fromMs: isFull ? 0 : MAX_CPU_MS / 2 }
/** The timers and handles that Vitest may have at the end and not at the start. */
const OTHER_RESOURCES = 5
/** The real time of one input at most, in milliseconds, on a machine that has other work, too. */
const HANG_MS = 60_000
/** For Vitest, which cannot stop a parser that never returns. */
export const LIMIT_MS = isFull ? 7_200_000 : 300_000

/** Declares a test that gives the target `INPUTS` generated inputs. */
export function attack<Input>(target: Target<Input>): void {
  const title = `${target.name}: ${INPUTS} inputs, seed ${SEED}`
  const beat = () => watchdog.postMessage(title)
  test(title, () => run(target, beat).finally(() => watchdog.postMessage(null)), LIMIT_MS)
}

async function run<Input>(target: Target<Input>, beat: () => void): Promise<void> {
  const { name } = target
  const slowest: { ms: number; input: Input }[] = []
  let warmed = 0
  let accepted = 0
  beat()
  const subject = await target.open()
  for (let index = 0; index < INPUTS; index++) {
    if (index === Math.floor(INPUTS / 10)) {
      warmed = resources()
    }

    const input = target.generate(createSeededRandom(SEED, `${name} ${index}`))
    beat()
    const { ms, isAccepted } = await timed(subject, input).catch((cause: unknown) => {
      throw new Error(`Input ${index} of "${name}" (SEED=${SEED}): ${shown(input)}`, { cause })
    })
    if (isAccepted) {
      accepted += 1
    }

    slowest.push({ ms, input })
    slowest.sort((a, b) => b.ms - a.ms).splice(SLOWEST.count)
  }

  const left = resources()
  await subject.close?.()
  if (left > warmed + OTHER_RESOURCES) {
    throw new Error(`"${name}" keeps timers or handles.`)
  }
  if (accepted === 0) {
    throw new Error(`"${name}" refused all inputs: its examples are wrong.`)
  }

  const alone = []
  for (const { ms, input } of slowest) {
    if (ms >= SLOWEST.fromMs) {
      alone.push(await timeAlone(target, input, beat))
    }
  }

  if (isFull) {
    console.log(`${name}: ${accepted} accepted, alone ${alone.join(', ')} ms`)
  }
}

/** Resolves with the median CPU time of an input. Throws if it is too long. */
async function timeAlone<Input>(target: Target<Input>, input: Input, beat: () => void): Promise<number> {
  const times: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    beat()
    const subject = await target.open()
    times.push((await timed(subject, input)).ms)
    await subject.close?.()
  }

  const median = times.toSorted((a, b) => a - b)[Math.floor(REPEATS / 2)] ?? 0
  if (median <= MAX_CPU_MS) {
    return median
  }
  throw new Error(`"${target.name}" takes ${median} ms (SEED=${SEED}) for ${shown(input)}`)
}

async function timed<Input>(
  subject: Subject<Input>,
  input: Input,
): Promise<{ ms: number; isAccepted: boolean }> {
  const before = process.cpuUsage()
  const isAccepted = await subject.run(input)
  const { user, system } = process.cpuUsage(before)
  return { ms: (user + system) / 1_000, isAccepted }
}

function resources(): number {
  return process.getActiveResourcesInfo().length
}

function shown(input: unknown): string {
  return JSON.stringify(input, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  ).slice(0, 2_000)
}

const HANG = `
  const { parentPort, workerData } = require('node:worker_threads')
  let timer
  parentPort.on('message', (title) => {
    clearTimeout(timer)
    if (title === null) return
    timer = setTimeout(() => {
      require('node:fs').writeSync(2, 'An input of "' + title + '" hangs.')
      process.kill(process.pid, 'SIGKILL')
    }, workerData)
  })
`
/** Kills the process when an input takes too long: no timer of this thread runs while a parser loops. */
const watchdog = new Worker(HANG, { eval: true, workerData: HANG_MS })
watchdog.unref()
