/** A finding: one line of the result of `check`. */

/**
 * The kinds of findings, and how each is printed. Only a `problem` makes the command fail. `later` is what only
 * production needs: the sandbox is not ready for production, and in production it is a `problem`. A person has to decide
 * whether a `note` matters.
 */
export const LOOKS = {
  fine: { mark: '✓', colour: 'green' },
  note: { mark: '·', colour: 'dim' },
  later: { mark: '→', colour: 'yellow' },
  problem: { mark: '✗', colour: 'red' },
} as const

export type FindingKind = keyof typeof LOOKS

export interface Finding {
  what: string
  kind: FindingKind
  detail: string
}

/** Orders findings: what only production needs comes last, and a cause that an earlier problem names is left out. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  const named = new Set<string>()
  const distinct = findings.filter(({ kind, detail }) => {
    const isRepeated = kind === 'problem' && named.has(detail)
    named.add(detail)
    return !isRepeated
  })
  const isLater = ({ kind }: Finding) => kind === 'later'
  return [...distinct.filter((finding) => !isLater(finding)), ...distinct.filter(isLater)]
}
