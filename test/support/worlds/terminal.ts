import { EventEmitter } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'

import { createSandbox, createTimeline } from '../../../demo/sandbox/index.ts'
import { main } from '../../../server/cli/program.ts'
import { openStore } from '../../../server/store/open.ts'
import { systemClock } from '../../../server/work/clock.ts'
import { newFolder } from '../folder.ts'
import { MERCHANT } from './command-line.ts'
import { control } from './sandbox-line.ts'
import { START } from './world.ts'

import type { Runtime } from '../../../server/cli/shell.ts'
import type { Environment } from '../../../server/config/variables.ts'
import type { Fetch } from '../../../server/http/exchange.ts'
import type { Clock } from '../../../server/work/clock.ts'

interface RunOptions {
  env?: Environment
  input?: string
  /** Standard input, in place of `input`. */
  stdin?: Readable & { isTTY?: boolean }
  /** `null` sends requests over the network of this machine, with its clock. */
  fetch?: Fetch | null
  /** The clock of the command. Default: the virtual clock of the sandbox. */
  clock?: Clock
  isWatched?: boolean
  /** Whether standard output is a terminal. */
  isShown?: boolean
  /** Called with all output so far after each step of the clock. */
  onOut?: (text: string) => void
  signals?: EventEmitter
}

const GATEWAY = 'http://127.0.0.1:4010'
/** The virtual time, in milliseconds, that passes in each real millisecond while a command runs. */
const STEP_MS = 50

export function createTerminal(more: Environment = {}) {
  const timeline = createTimeline({ wall: null, start: START })
  const noCallbacks = () => Promise.reject(new Error('Nothing listens for callbacks.'))
  const sandbox = createSandbox({ timeline, seed: 1, publicUrl: GATEWAY, fetch: noCallbacks })
  const folder = newFolder()
  let files = 0
  const newPath = (extension: string) => join(folder, `${(files += 1)}.${extension}`)

  const environment: Environment = {
    ...MERCHANT,
    GATEWAY_BASE_URL: GATEWAY,
    PUBLIC_URL: 'http://127.0.0.1:4020',
    STORE_URL: `sqlite:${newPath('sqlite')}`,
    ...more,
  }

  // Only a server creates a store.
  if (more.STORE_URL === undefined) {
    void openStore(String(environment.STORE_URL)).close()
  }

  const fetchGateway: Fetch = (url, init) => {
    if (new URL(url).origin !== GATEWAY) {
      throw new Error(`Nothing listens at ${url}.`)
    }
    return sandbox.app.request(url, init)
  }

  async function countRequests(wanted: string): Promise<number> {
    const { requests } = await control(sandbox, '/requests')
    return requests.filter(({ path }: { path: string }) => path === wanted).length
  }

  function file(content: unknown, extension = 'json'): string {
    const path = newPath(extension)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }

  async function run(command: string | readonly string[], options: RunOptions = {}) {
    const { env, input = '', fetch = fetchGateway, isWatched, signals = new EventEmitter() } = options
    const { clock = fetch === null ? systemClock : timeline } = options
    const stdout = Object.assign(new Collector(), options.isShown && { isTTY: true })
    const stderr = Object.assign(new Collector(), isWatched && { isTTY: true, columns: 80 })
    let isRunning = true
    const ended = main(typeof command === 'string' ? command.split(' ') : command, {
      env: { ...environment, ...env },
      stdin: options.stdin ?? Readable.from([input]),
      stdout,
      stderr,
      signals,
      exit: () => {},
      fetch: fetch ?? undefined,
      clock,
    }).finally(() => (isRunning = false))
    while (isRunning) {
      // Modules load in real time.
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (isRunning) {
        await timeline.advance(STEP_MS)
      }

      options.onOut?.(stdout.text)
    }

    return { code: await ended, out: stdout.text, err: stderr.text }
  }

  /** Runs `api POST` with this body. */
  function post(path: string, body: object, options: RunOptions = {}) {
    return run(['api', 'POST', `/api${path}`, '--data', JSON.stringify(body)], options)
  }

  /** Resolves with the JSON that `api GET` prints. */
  async function get(path: string, options: RunOptions = {}) {
    return JSON.parse((await run(['api', 'GET', `/api${path}`], options)).out)
  }

  return {
    timeline,
    environment,
    folder,
    fetch: fetchGateway,
    control: (path: string, body?: object) => control(sandbox, path, body),
    countRequests,
    newPath,
    file,
    run,
    post,
    get,
  }
}

/** Runs a command in this process, unless told otherwise with the clock and the network of this machine. */
export async function runHere(
  command: readonly string[],
  env: Environment,
  { exit = () => {}, ...other }: Partial<Pick<Runtime, 'exit' | 'clock' | 'fetch' | 'folder'>> = {},
) {
  const stdout = new Collector()
  const stderr = new Collector()
  const stdin = Readable.from([])
  const signals = new EventEmitter()
  const machine = { clock: systemClock, stdin, stdout, stderr, signals }
  const code = await main(command, { ...machine, ...other, env, exit })
  return { code, out: stdout.text, err: stderr.text }
}

class Collector extends Writable {
  text = ''
  override _write(chunk: unknown, _: BufferEncoding, done: () => void) {
    this.text += String(chunk)
    done()
  }
}
