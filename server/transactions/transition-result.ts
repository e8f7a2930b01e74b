/**
 * The result of a transition. A transition is a pure function of a kind that computes the next record of a transaction
 * from an observation, such as a status that the gateway reports.
 */

/** What a transition returns: the next record and the history entry. */
export interface TransitionResult<Record> {
  record: Record
  /** One sentence for the transaction's history; `null` if no entry is added. */
  historyEntry: string | null
  /** Whether nobody but the server sees what has changed: the version of the transaction stays. */
  isUnseen?: true
}

/** Returns a transition result that changes nothing: the same record and no history entry. */
export function unchanged<Record>(record: Record): TransitionResult<Record> {
  return { record, historyEntry: null }
}

/** Returns a transition result with `record` and a history entry. */
export function changed<Record>(record: Record, historyEntry: string): TransitionResult<Record> {
  return { record, historyEntry }
}
