import type { Criterion, Evidence } from './criteria.ts'

/** Criteria that WCAG 2.2 added. EN 301 549 V3.2.1 has clauses for WCAG 2.1 only. */
const NEW_IN_2_2 = new Set(['2.4.11', '2.5.7', '2.5.8', '3.2.6', '3.3.7', '3.3.8'])

/** Returns the clause of EN 301 549 V3.2.1 that repeats a criterion of WCAG 2.1. */
export function clauseOf(id: string): string | null {
  return NEW_IN_2_2.has(id) ? null : `9.${id}`
}

/** Writes the conformance report, as Markdown. */
export function renderReport(criteria: readonly Criterion[]): string {
  const count = (is: (evidence: Evidence) => boolean) =>
    criteria.filter(({ evidence }) => is(evidence)).length
  const tested = count((evidence) => 'tests' in evidence)
  const byHand = count((evidence) => 'byHand' in evidence)
  const rows = criteria.map(({ id, name, level, evidence }) =>
    [`${id} ${name}`, level, clauseOf(id) ?? '–', resultOf(evidence), reasonOf(evidence)].join(' | '),
  )
  return `# Accessibility of \`<gateway-checkout>\`

What is claimed: the element meets WCAG 2.2 at level AA, and clause 9 (Web) of EN 301 549 V3.2.1, in the five languages that
it speaks. The gateway's payment page is another site, which its operator answers for.

Of ${criteria.length} criteria, tests show ${tested}, a person saw ${byHand}, and ${criteria.length - tested - byHand} do not apply. The tests run in Chromium, Firefox and
WebKit before each release. \`ACCESSIBILITY=renew npx vitest run --project node test/accessibility\` writes this file from
\`test/accessibility/criteria.ts\`. No test replaces a person who uses a screen reader every day.

| criterion | level | EN 301 549 | result | shown by |
|---|---|---|---|---|
${rows.map((row) => `| ${row} |`).join('\n')}
`
}

function resultOf(evidence: Evidence): string {
  return 'notApplicable' in evidence ? 'not applicable' : 'supports'
}

function reasonOf(evidence: Evidence): string {
  if ('notApplicable' in evidence) return evidence.notApplicable
  if ('byHand' in evidence) return `By hand, ${evidence.on}: ${evidence.byHand}`
  const tests = evidence.tests.map(([file, title]) => `“${title}” (\`test/${file}\`)`)
  return [...(evidence.note ? [evidence.note] : []), ...tests].join('<br>')
}
