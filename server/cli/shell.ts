/** The parts of the process that commands use: environment, streams, signals, network and time. */

import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../work/clock.ts'
import type { Config, Environment } from '../config/config.ts'
import type { Fetch } from '../http/exchange.ts'
import type { Colour } from '../log/colours.ts'
import type { ExitCode } from './exit-code.ts'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { createPooledFetch } from '../http/pooled-fetch.ts'
import { withEnvFile } from '../config/env-file.ts'
import { coloured, hasColours } from '../log/colours.ts'
import { EXIT } from './exit-code.ts'
import { printable, printableLines } from '../log/printable.ts'

type Signal = 'SIGINT' | 'SIGTERM'

/** The parts of the process that the command line uses. Tests pass substitutes for these parts. */
export interface Runtime {
  env: Environment
  /** The folder whose file `.env` completes the variables; absent if no file is read. */
  folder?: string
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable & { isTTY?: boolean }
  stderr: Writable & { isTTY?: boolean; columns?: number }
  signals: { once(signal: Signal, listener: () => void): unknown }
  /** Ends the process at once. */
  exit: (code: ExitCode) => void
  /**
   * Sends HTTP requests. The default function reuses open connections, and connects to a private address only if the
   * configuration allows the host.
   */
  fetch?: Fetch | undefined
  clock: Clock
}

export interface Shell extends Pick<Runtime, 'env' | 'clock' | 'stdout' | 'exit'> {
  /**
   * Returns the function that sends HTTP requests: {@link Runtime.fetch} if it is set, or else a function that connects
   * to a private address only if `privateHosts` allows the host.
   */
  fetchFor(config: Pick<Config, 'privateHosts'>): Fetch
  /** The exit code of a command that throws no error. The command may set this code. */
  exitCode: ExitCode
  /** Writes a line of the result to stdout. */
  print(line: string, colour?: Colour): void
  /** Writes a message for people to stderr. */
  inform(line: string, colour?: Colour): void
  readInput(): Promise<string>
  /** Asks a person for one line. Resolves with `null` if standard input is not a terminal. */
  ask(question: string): Promise<string | null>
  /** Resolves with the result of `work`. Until then, the terminal shows `title`. */
  waitFor<T>(title: string, work: Promise<T>): Promise<T>
  /**
   * Returns an AbortSignal that aborts when the process receives one of the `signals`. If the process receives the same
   * signal a second time, the process ends at once.
   */
  stopSignal(...signals: Signal[]): AbortSignal
}

/** The terminal control sequence that moves the cursor to the start of the line and erases the line. */
const CLEAR_LINE = '\r\u001b[K'

export function createShell(runtime: Runtime): Shell {
  const { fetch, clock, stdin, stdout, stderr, signals, exit } = runtime
  let env: Environment | undefined
  const paint = (line: string, colour: Colour | undefined, stream: { isTTY?: boolean }) =>
    colour && hasColours(stream, runtime.env) ? coloured(printableLines(line), colour) : printableLines(line)
  // A terminal that reports a width of 0 would break the line after every character, so it gets plain lines.
  const isTerminal = stderr.isTTY === true && stderr.columns !== 0
  return {
    // Read when a command needs it: --help works beside a file that cannot be read.
    get env() {
      return (env ??= runtime.folder === undefined ? runtime.env : withEnvFile(runtime.env, runtime.folder))
    },
    fetchFor: (config) => fetch ?? createPooledFetch(config),
    clock,
    stdout,
    exit,
    exitCode: EXIT.ok,
    print: (line, colour) => void stdout.write(`${paint(line, colour, stdout)}\n`),
    inform: (line, colour) => void stderr.write(`${paint(line, colour, stderr)}\n`),
    readInput: () => text(stdin),
    async ask(question) {
      if (!stdin.isTTY) return null
      stderr.write(printable(question))
      // Without `terminal`, Ctrl-C remains a signal.
      const lines = createInterface({ input: stdin, terminal: false })
      const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])])
      lines.close()
      return String(line)
    },
    async waitFor(title, work) {
      if (!isTerminal) return work
      stderr.write(printable(`${title}…`).slice(0, stderr.columns))
      return work.finally(() => stderr.write(CLEAR_LINE))
    },
    stopSignal(...names) {
      const stop = new AbortController()
      for (const name of names) signals.once(name, () => stop.abort())
      return stop.signal
    },
  }
}
