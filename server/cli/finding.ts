/** One line of the result of the command `check`. */
export interface Finding {
  /** The name of the check. */
  what: string
  /**
   * The result of the check. Only a `problem` makes the command fail. A person has to decide whether a `note` matters.
   */
  kind: 'fine' | 'note' | 'problem'
  detail: string
}

export const fine = (what: string, detail: string): Finding => ({ what, kind: 'fine', detail })
export const note = (what: string, detail: string): Finding => ({ what, kind: 'note', detail })
export const problem = (what: string, detail: string): Finding => ({ what, kind: 'problem', detail })
