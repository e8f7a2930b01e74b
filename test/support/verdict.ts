/** The last line of a test run: one sentence that a person, or a log's last screen, can be read by. */

import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node'

export const verdict: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const broken = errors.length + modules.filter((module) => module.errors().length > 0).length
    const again = tests
      .filter((test) => test.diagnostic()?.flaky)
      .map(({ fullName, project }) => `${project.name} ${fullName}`)
    const parts = [
      `${count('passed')} tests passed in ${modules.length} files`,
      again.length > 0 ? `${again.length} of them at the second try (${again.join('; ')})` : '',
      count('skipped') > 0 ? `${count('skipped')} skipped` : '',
      count('failed') > 0 ? `${count('failed')} failed` : '',
      broken > 0 ? `${broken} errors outside tests` : '',
      tests.length === 0 ? 'no tests were found' : '',
    ]
    process.once('exit', () => console.log(`${reason.toUpperCase()}: ${parts.filter(Boolean).join(', ')}`))
  },
}
