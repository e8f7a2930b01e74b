/**
 * Tells the parts of this process that watch the store about changes. Commands commit to the file, too, while a server
 * uses it, such as a replayed event. SQLite notifies no other process, so the server looks for their commits.
 */

import type { Clock } from '../../clock.ts'
import type { Changed } from '../../store.ts'
import type { Statements } from './statements.ts'
import { DataVersionRow, DueRows } from '../rows.ts'

/** The pause between two looks for commits of other processes, in milliseconds. A look takes a few microseconds. */
const PAUSE_MS = 500
/** The maximum number of announced transactions. The workers find all due events once they are awake. */
const MOST_ANNOUNCED = 100

export class Watchers {
  readonly #statements: Pick<Statements, 'dataVersion' | 'listDueEvents'>
  readonly #clock: Clock
  readonly #isShared: boolean
  readonly #watchers = new Set<(change: Changed) => void>()
  /** Ends the looks for commits of other processes; `null` while nobody watches. */
  #looking: AbortController | null = null

  /** @param isShared Whether other processes may commit to the file, and this process is the server. */
  constructor(
    statements: Pick<Statements, 'dataVersion' | 'listDueEvents'>,
    clock: Clock,
    isShared: boolean,
  ) {
    this.#statements = statements
    this.#clock = clock
    this.#isShared = isShared
  }

  /** Calls `changed` after each change. Returns a function that stops these calls. */
  add(changed: (change: Changed) => void): () => void {
    this.#watchers.add(changed)
    if (this.#isShared && !this.#looking) {
      this.#looking = new AbortController()
      void this.#look(this.#looking.signal)
    }
    return () => {
      this.#watchers.delete(changed)
      if (this.#watchers.size === 0) this.close()
    }
  }

  announce(change: Changed): void {
    for (const changed of this.#watchers) changed(change)
  }

  close(): void {
    this.#watchers.clear()
    this.#looking?.abort()
    this.#looking = null
  }

  /** Announces the due events after each commit of another connection. Resolves when the signal aborts. */
  async #look(signal: AbortSignal): Promise<void> {
    let seen: number | null = null
    while (!signal.aborted) {
      try {
        const version = DataVersionRow.parse(this.#statements.dataVersion.get({})).data_version
        if (seen !== null && version !== seen) this.#announceDue()
        seen = version
      } catch {
        // The file cannot be used at the moment. Whoever uses the store reports the error.
      }
      await this.#clock.sleep(PAUSE_MS, signal).catch(() => {})
    }
  }

  #announceDue(): void {
    const values = { now: this.#clock.now(), limit: MOST_ANNOUNCED }
    for (const { id, due } of DueRows.parse(this.#statements.listDueEvents.all(values)))
      this.announce({ id, due_at: null, event_due_at: due })
  }
}
