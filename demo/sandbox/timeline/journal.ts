// The sandbox is deterministic: its state follows from its settings and from what came from outside, in this order. The
// journal has exactly that. A snapshot is a place in it, and `--state` keeps them in a file.

import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'

/** Its kind, the virtual time in milliseconds, and what came. */
export type Line =
  | [kind: 'begin', time: number, settings: Settings]
  // A read changes nothing but the log of requests.
  | [kind: 'request' | 'read', time: number, received: Received]
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

// As many as the log of requests shows.
const KEPT_READS = 1_000
const MOST_READS = 10_000

/** @param append Stores a line outside the process. */
export function createJournal(append: (text: string) => void = () => {}) {
  const snapshots = new Map<string, Snapshot>()
  let lines: string[] = []
  let reads = 0
  let held: Promise<unknown> | null = null

  /** Takes a line that is stored already. */
  function take(text: string, line: Line): void {
    const [kind, time, what] = line
    if (kind === 'begin') snapshots.clear()
    if (kind === 'snapshot')
      snapshots.set(String(snapshots.size + 1), { lines, length: lines.length, time, speed: what })
    const restored = kind === 'restore' ? snapshots.get(what) : null
    if (kind === 'begin') lines = []
    if (restored) lines = restored.lines.slice(0, restored.length)
    if (kind === 'snapshot' || kind === 'restore') return
    if (kind === 'read') reads += 1
    lines.push(text)
    if (reads < MOST_READS) return
    lines = withoutOldReads(lines)
    reads = KEPT_READS
  }

  return {
    lines: (): readonly string[] => lines,
    snapshots: snapshots as ReadonlyMap<string, Snapshot>,
    take,
    write(line: Line): void {
      const text = JSON.stringify(line)
      append(text)
      take(text, line)
    },
    /** Runs `act` when nothing else that came from outside is at work. */
    async enter<T>(act: () => T | Promise<T>): Promise<T> {
      while (held) await held
      return act()
    },
    /** Lets what comes from outside wait until `work` has ended. */
    hold(work: Promise<unknown>): void {
      const release = () => {
        if (held === holding) held = null
      }
      const holding: Promise<unknown> = work.then(release, release)
      held = holding
    },
  }
}

export function withoutOldReads(lines: readonly string[]): string[] {
  const isRead = (text: string) => text.startsWith('["read"')
  let old = lines.filter(isRead).length - KEPT_READS
  return lines.filter((text) => !isRead(text) || old-- <= 0)
}

export function parseLine(text: string): Line {
  return JSON.parse(text)
}

/** The file of a journal cannot be used. */
export class StateError extends Error {
  override name = 'StateError'
}

export type JournalFile = ReturnType<typeof openJournalFile>

/**
 * Opens or creates the file of a journal. What was appended remains when the process is killed; it is not synchronized to
 * the disk, so the last lines may be lost when the machine fails.
 *
 * @throws {StateError} If the file cannot be opened, or is of something else.
 */
export function openJournalFile(path: string) {
  const file = openOrRefuse(path)
  const bytes = readFileSync(file)
  if (bytes.length > 0 && !bytes.toString('utf8', 0, 8).startsWith('["begin"'))
    throw new StateError(`${path} is not the state of a sandbox.`)
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

/** The mode of a new file: requests have tokens and passwords. */
const OWNER_ALONE = 0o600

function openOrRefuse(path: string): number {
  try {
    return openSync(path, 'a+', OWNER_ALONE)
  } catch (cause) {
    throw new StateError(`${path} cannot be opened.`, { cause })
  }
}
