/** One thing that was looked at before going live. */

export interface Finding {
  what: string
  /** A `note` is for a person to judge; only a `problem` keeps from going live. */
  kind: 'fine' | 'note' | 'problem'
  detail: string
}

export function fine(what: string, detail: string): Finding {
  return { what, kind: 'fine', detail }
}

export function note(what: string, detail: string): Finding {
  return { what, kind: 'note', detail }
}

export function problem(what: string, detail: string): Finding {
  return { what, kind: 'problem', detail }
}
