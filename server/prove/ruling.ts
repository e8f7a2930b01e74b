/** The verdict about a webhook in one sequence. */
export class Ruling extends Error {
  readonly verdict: 'passed' | 'failed' | 'not proven'
  constructor(verdict: Ruling['verdict'], reason: string) {
    super(reason)
    this.verdict = verdict
  }
}
