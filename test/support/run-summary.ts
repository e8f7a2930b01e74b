import { relative } from 'node:path'
import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node'

const SLOWEST = 10

export const runSummary: Reporter = {
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
    const summary = `${reason.toUpperCase()}: ${parts.filter(Boolean).join(', ')}`
    process.once('exit', () => console.log([...slowest(modules), summary].join('\n')))
  },
}

function slowest(modules: readonly TestModule[]): string[] {
  if (modules.length <= SLOWEST) return []
  const lines = modules
    .map((module) => {
      const { collectDuration, duration } = module.diagnostic()
      return { module, seconds: (collectDuration + duration) / 1000 }
    })
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ module: { project, moduleId }, seconds }) => {
      const path = relative(project.vitest.config.root, moduleId)
      return `${seconds.toFixed(1).padStart(7)} s  ${project.name}  ${path}`
    })
  return ['', `The ${SLOWEST} slowest files:`, ...lines, '']
}
