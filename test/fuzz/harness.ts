import type { SeededRandom } from '../support/seeded-random.ts'
import { test } from 'vitest'
import { Worker } from 'node:worker_threads'
import { createSeededRandom } from '../support/seeded-random.ts'

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
const MOST_CPU_MS = 100
const REPEATS = 5
/** The inputs of a target that are repeated alone, and the CPU time from which an input of a sample is repeated. */
const SLOWEST = { count: 3, fromMs: isFull ? 0 : MOST_CPU_MS / 2 }
/** The timers and handles that Vitest may have at the end and not at the start. */
const OTHER_RESOURCES = 5
/** The real time of one input at most, in milliseconds, on a machine that has other work, too. */
const HANG_MS = 60_000
/** For Vitest, which cannot stop a parser that never returns. */
export const LIMIT_MS = isFull ? 7_200_000 : 300_000

/** Declares a test that gives the target `INPUTS` generated inputs. */
export function attack<Input>(target: Target<Input>): void {
  const title = `${target.name}: ${INPUTS} inputs, seed ${SEED}`
  test(title, () => watchdog.watch(target.name, () => run(target)), LIMIT_MS)
}

async function run<Input>(target: Target<Input>): Promise<void> {
  const { name } = target
  const slowest: { ms: number; input: Input }[] = []
  let warmed = 0
  let accepted = 0
  const subject = await target.open()
  for (let index = 0; index < INPUTS; index++) {
    if (index === Math.floor(INPUTS / 10)) warmed = resources()
    const input = target.generate(createSeededRandom(SEED, `${name} ${index}`))
    watchdog.beat()
    const { ms, isAccepted } = await timed(subject, input).catch((cause: unknown) => {
      throw new Error(`Input ${index} of "${name}" (SEED=${SEED}): ${shown(input)}`, { cause })
    })
    if (isAccepted) accepted += 1
    slowest.push({ ms, input })
    slowest.sort((a, b) => b.ms - a.ms).splice(SLOWEST.count)
  }
  const left = resources()
  await subject.close?.()
  if (left > warmed + OTHER_RESOURCES) throw new Error(`"${name}" keeps timers or handles.`)
  if (accepted === 0) throw new Error(`"${name}" refused all inputs: its examples are wrong.`)
  const alone = []
  for (const { ms, input } of slowest) if (ms >= SLOWEST.fromMs) alone.push(await timeAlone(target, input))
  if (isFull) console.log(`${name}: ${accepted} accepted, alone ${alone.join(', ')} ms`)
}

/** Resolves with the median CPU time of an input. Throws if it is too long. */
async function timeAlone<Input>(target: Target<Input>, input: Input): Promise<number> {
  const times: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    watchdog.beat()
    const subject = await target.open()
    times.push((await timed(subject, input)).ms)
    await subject.close?.()
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(REPEATS / 2)] ?? 0
  if (median <= MOST_CPU_MS) return median
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

/** Kills the process when an input takes too long: no timer of this thread runs while a parser loops. */
class Watchdog {
  /** The number of inputs so far, and the name of the target; empty while there is none. */
  readonly #inputs = new Int32Array(new SharedArrayBuffer(4))
  readonly #name = new Uint8Array(new SharedArrayBuffer(100))
  #worker: Worker | null = null

  beat(): void {
    Atomics.add(this.#inputs, 0, 1)
  }

  async watch(name: string, work: () => Promise<void>): Promise<void> {
    const workerData = { inputs: this.#inputs, name: this.#name, HANG_MS, SEED }
    this.#worker ??= new Worker(WATCHDOG, { eval: true, workerData })
    this.#worker.unref()
    this.beat()
    new TextEncoder().encodeInto(name, this.#name)
    await work().finally(() => this.#name.fill(0))
  }
}

const WATCHDOG = `
  const { workerData } = require('node:worker_threads')
  const { inputs, HANG_MS, SEED } = workerData
  let last = -1
  setInterval(() => {
    const name = Buffer.from(workerData.name).toString().replaceAll('\\0', '')
    if (name !== '' && inputs[0] === last) {
      require('node:fs').writeSync(2, 'An input of "' + name + '" (SEED=' + SEED + ') hangs.')
      process.kill(process.pid, 'SIGKILL')
    }
    last = inputs[0]
  }, HANG_MS)
`
const watchdog = new Watchdog()
