/** The parts of the process that commands use: environment, streams, signals, network, time and exit codes. */

import { once } from 'node:events'
import { createInterface } from 'node:readline'

import { withEnvFile } from '../config/env-file.ts'
import { secretsOf } from '../config/masked-texts.ts'
import { createMaskedFetch } from '../http/masked-fetch.ts'
import { createPooledFetch } from '../http/pooled-fetch.ts'
import { printable, printableJson, printableLines, coloured, hasColours } from '../log/printable.ts'

import type { Config, Surroundings } from '../config/config.ts'
import type { Environment } from '../config/variables.ts'
import type { Fetch } from '../http/exchange.ts'
import type { Colour } from '../log/printable.ts'
import type { Clock } from '../work/clock.ts'
import type { Readable, Writable } from 'node:stream'

/** The exit codes of commands. Codes from 64 to 78 follow sysexits(3). */
export const EXIT = {
  ok: 0,
  /**
   * The request was refused, the record was not found, the transaction failed, was reversed or refunded, or needs
   * attention, or the command `check` found a problem.
   */
  refused: 1,
  usage: 2,
  /** EX_DATAERR: the command's input is not JSON, or its content is not valid. */
  data: 65,
  /** EX_NOINPUT: the command's input cannot be read: a file, or standard input without an end. */
  noInput: 66,
  /** EX_UNAVAILABLE: the gateway or the store does not respond, or the server cannot listen on its port. */
  unavailable: 69,
  /** EX_SOFTWARE: an unexpected error, which is a bug. */
  software: 70,
  /** EX_CANTCREAT: the file of the result exists already, or cannot be written. */
  cannotWrite: 73,
  /** EX_TEMPFAIL: the transaction or the service confirmation is stored, but the gateway's response was lost. */
  unclear: 75,
  /** EX_NOPERM: the gateway does not accept the credentials. */
  credentials: 77,
  /** EX_CONFIG: the configuration is invalid or lacks what the command needs, or the store that it names cannot be used until a person changes it. */
  config: 78,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An error that ends a command with `exitCode`. The message is written to stderr. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

type Terminal = { isTTY?: boolean }

/** The parts of the process that the command line uses. Tests pass other streams, clocks and networks. */
export interface Runtime {
  env: Environment
  /** The folder whose file `.env` completes the variables; absent if no file is read. */
  folder?: string
  stdin: Readable & Terminal
  stdout: Writable & Terminal
  stderr: Writable & Terminal
  /** Calls the listener at the first signal. The second signal of a name ends the process at once. */
  signals: { once(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown }
  /** Ends the process at once. */
  exit: (code: ExitCode) => void
  /** Sends HTTP requests; by default as {@link Shell.fetchFor} says. */
  fetch?: Fetch | undefined
  clock: Clock
}

/** The format of a result: JSON, or else text. */
export type Format = { json?: boolean | undefined }

export class Shell {
  /** The exit code of a command that throws no error. The command may set this code. */
  exitCode: ExitCode = EXIT.ok
  readonly runtime: Runtime
  readonly clock: Clock
  #env: Environment | undefined

  constructor(runtime: Runtime) {
    this.runtime = runtime
    this.clock = runtime.clock
  }

  /** The environment, completed by the file `.env`. It is read when needed: --help works beside an unreadable file. */
  get env(): Environment {
    const { env, folder } = this.runtime
    return (this.#env ??= folder === undefined ? env : withEnvFile(env, folder))
  }

  /** Where the variables come from, for `readConfig`. */
  get surroundings(): Surroundings {
    return { folder: this.runtime.folder }
  }

  /**
   * Returns the function that sends HTTP requests: {@link Runtime.fetch} if it is set, or else one that reuses open
   * connections, and connects to a private address only if `privateHosts` allows the host. Hides the secrets of the
   * configuration in answers.
   */
  fetchFor(config: Config, privateHosts = config.privateHosts): Fetch {
    return createMaskedFetch(
      this.runtime.fetch ?? createPooledFetch({ ...config, privateHosts }),
      secretsOf(config),
    )
  }

  /** Writes lines of the result to stdout. */
  print(text: string, colour?: Colour): void {
    this.#write(this.runtime.stdout, text, colour)
  }

  /** Writes the result to stdout: as JSON with the option `--json`, otherwise as text. */
  show({ json }: Format, body: unknown, asText: () => string): void {
    this.print(json ? printableJson(JSON.stringify(body, null, 2)) : asText())
  }

  /** Writes a message for people to stderr. */
  inform(text: string, colour?: Colour): void {
    this.#write(this.runtime.stderr, text, colour)
  }

  /** Asks a person for one line. Resolves with `null` if standard input is not a terminal. */
  async ask(question: string): Promise<string | null> {
    const { stdin, stderr } = this.runtime
    if (!stdin.isTTY) {
      return null
    }

    stderr.write(printable(question))
    // Without `terminal`, Ctrl-C remains a signal.
    const lines = createInterface({ input: stdin, terminal: false })
    const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])])
    lines.close()
    return String(line)
  }

  #write(stream: Writable & Terminal, text: string, colour: Colour | undefined): void {
    const line = printableLines(text)
    const shown = colour && hasColours(stream, this.runtime.env) ? coloured(line, colour) : line
    stream.write(`${shown}\n`, (error) => this.#endUnread(error))
  }

  /** Ends the command if its result cannot be written. A reader such as `head` may end early, which is no error. */
  #endUnread(error: NodeJS.ErrnoException | null | undefined): void {
    if (error) {
      this.runtime.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.unavailable)
    }
  }
}
