/** What a command has of the process that it runs in. */

import type { Environment } from '../config.ts'
import type { Progress } from './progress.ts'
import { text } from 'node:stream/consumers'
import { createProgress } from './progress.ts'

export interface Shell {
  env: Environment
  /** A line for whoever reads the result. */
  print(text: string): void
  /** A line beside the result, for a person. */
  note(text: string): void
  readInput(): Promise<string>
  /** Shows that something takes long, until it is over; only to a person who watches. */
  waitFor<T>(what: string, work: Promise<T>): Promise<T>
  progress(): Progress
  /** Aborts when somebody wants the command to stop: Ctrl-C. The second time the process ends at once. */
  stopSignal(): AbortSignal
}

export function processShell(owner: NodeJS.Process): Shell {
  const { env, stdin, stdout, stderr } = owner
  // Whoever reads the result may have read enough ("| head"): nothing more to say, and nothing went wrong.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    owner.exit()
  })
  return {
    env,
    print: (line) => void stdout.write(`${line}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    readInput: () => text(stdin),
    async waitFor(what, work) {
      // A terminal without a width breaks the line after every letter.
      if (!stderr.isTTY || stderr.columns === 0) return work
      const { spinner } = await import('@clack/prompts')
      const waiting = spinner({ output: stderr, withGuide: false })
      waiting.start(what)
      return work.finally(() => waiting.clear())
    },
    progress: () => createProgress(stderr, stderr.isTTY && stderr.columns > 0),
    stopSignal() {
      const stop = new AbortController()
      owner.once('SIGINT', () => stop.abort())
      return stop.signal
    },
  }
}
