// The journal of a sandbox: its settings, and everything that came from outside, in order. The sandbox is
// deterministic, so its state follows from the journal. A snapshot is a place in the journal; `--state` keeps both in a
// file.

import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'

/** Its kind, the virtual time in milliseconds, and what came. */
export type Line =
  | [kind: 'begin', time: number, settings: Settings]
  | [kind: 'request', time: number, received: Received]
  // The first scheduled task ran.
  | [kind: 'task', time: number]
  | [kind: 'result', time: number, call: number, result: unknown]
  | [kind: 'clock' | 'snapshot', time: number, speed: number]
  | [kind: 'restore', time: number, id: string]

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: [name: string, value: string][]
  /** A character for each byte; `null` if no body arrived. */
  readonly body: string | null
}

/** The same lines lead to another state with other settings. */
export interface Settings {
  readonly seed: number
  readonly environment: string
  readonly charges: string
}

/** The first `length` of the lines. */
interface Snapshot {
  readonly lines: readonly string[]
  readonly length: number
  readonly time: number
  readonly speed: number
}

export type Journal = ReturnType<typeof createJournal>

/** @param file Has the first lines, and stores the others. */
export function createJournal(file?: JournalFile) {
  const snapshots = new Map<string, Snapshot>()
  let lines: string[] = []
  let end = { time: 0, speed: 1 }
  let held: Promise<unknown> = Promise.resolve()

  function take(text: string, [kind, time, detail]: Line): void {
    if (kind === 'begin') {
      snapshots.clear()
    }

    const restored = kind === 'restore' ? snapshots.get(detail) : undefined
    end = { time, speed: kind === 'clock' || kind === 'snapshot' ? detail : (restored ?? end).speed }
    if (kind === 'begin') {
      lines = [text]
    } else if (restored) {
      lines = restored.lines.slice(0, restored.length)
    } else if (kind === 'snapshot') {
      snapshots.set(String(snapshots.size + 1), { lines, length: lines.length, ...end })
    } else if (kind !== 'clock') {
      lines.push(text)
    }
  }

  for (const text of file?.lines ?? []) {
    take(text, parseLine(text))
  }

  return {
    lines: (): readonly string[] => lines,
    snapshots: snapshots as ReadonlyMap<string, Snapshot>,
    /** Returns the time and the speed after the last line. */
    end: () => end,
    write(line: Line): void {
      const text = JSON.stringify(line)
      file?.append(text)
      take(text, line)
    },
    /** Runs `act` when nothing else that came from outside is at work. */
    async enter<T>(act: () => T | Promise<T>): Promise<T> {
      for (let before; before !== held;) {
        await (before = held)
      }

      return act()
    },
    /** Lets what comes from outside wait until `work` has ended. */
    hold: (work: Promise<unknown>) => void (held = work.catch(() => {})),
  }
}

/** The file of a journal cannot be used. */
export class StateError extends Error {
  override name = 'StateError'
}

/** @throws {StateError} If the line is damaged. */
export function parseLine(text: string): Line {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new StateError('The state is damaged: one of its lines is not JSON.', { cause })
  }
}

export type JournalFile = ReturnType<typeof openJournalFile>

/**
 * Opens or creates the file of a journal. What was appended remains when the process is killed; it is not synchronized
 * to the disk, so the last lines may be lost when the machine fails.
 *
 * @throws {StateError} If the file cannot be opened, is of something else, or is damaged.
 */
export function openJournalFile(path: string) {
  let file: number
  try {
    // Requests have tokens and passwords: its owner alone reads it.
    file = openSync(path, 'a+', 0o600)
  } catch (cause) {
    throw new StateError(`${path} cannot be opened.`, { cause })
  }

  const bytes = readFileSync(file)
  if (bytes.length > 0 && !bytes.toString('utf8', 0, 8).startsWith('["begin"')) {
    throw new StateError(`${path} is not the state of a sandbox.`)
  }

  const lines: string[] = []
  let start = 0
  for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
    lines.push(bytes.toString('utf8', start, end))
    start = end + 1
  }

  // Nobody got an answer to a line without an end.
  ftruncateSync(file, start)
  const first = lines[0] === undefined ? null : parseLine(lines[0])
  return {
    lines,
    /** `null` of a new file. */
    settings: first?.[0] === 'begin' ? first[2] : null,
    append: (text: string) => void writeSync(file, `${text}\n`),
    close: () => closeSync(file),
  }
}
