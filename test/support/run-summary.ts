import { relative } from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason } from 'vitest/node'

const SLOWEST = 10

/** Prints the last lines of a run: the slowest files, every failed test, every error outside tests, and the counts. */
export const runSummary: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const failures = tests.filter((test) => test.result().state === 'failed').map(describeFailure)
    const broken = [
      ...modules.flatMap(errorsOf),
      ...errors.map((error) => `outside tests: ${describe(error)}`),
    ]
    const parts = [
      `${count('passed')} tests passed in ${modules.length} files`,
      count('skipped') > 0 ? `${count('skipped')} skipped` : '',
      count('failed') > 0 ? `${count('failed')} failed` : '',
      broken.length > 0 ? `${broken.length} errors outside tests` : '',
      tests.length === 0 ? 'no tests were found' : '',
    ]
    const summary = `${reason.toUpperCase()}: ${parts.filter(Boolean).join(', ')}`
    const lines = [
      ...slowest(modules),
      ...failures.map((failure) => `FAILED ${failure}`),
      ...broken.map((error) => `ERROR ${error}`),
      summary,
    ]
    process.once('exit', () => console.log(lines.join('\n')))
  },
}

function describeFailure(test: TestCase): string {
  const [error] = test.result().errors ?? []
  return `${pathOf(test.module)} > ${test.fullName}: ${error ? describe(error) : 'no error was reported'}`
}

/** Returns the errors of a file that belong to no test, such as an error of a hook or of an import. */
function errorsOf(module: TestModule): string[] {
  const suites = [...module.children.allSuites()]
  const errors = [module, ...suites].flatMap((each) => each.errors())
  return errors.map((error) => `${pathOf(module)}: ${describe(error)}`)
}

/** Returns the first line of an error's message, and the test during which the error occurred. */
function describe({ name = 'Error', message = '', ...more }: Partial<SerializedError>): string {
  const [line = ''] = message.split('\n')
  const during = [more['VITEST_TEST_PATH'], more['VITEST_TEST_NAME']].filter(Boolean).join(' > ')
  return `${name}: ${line}${during && ` (during ${during})`}`
}

function pathOf({ project, moduleId }: Pick<TestModule, 'project' | 'moduleId'>): string {
  return `${project.name}  ${relative(project.vitest.config.root, moduleId)}`
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
    .map(({ module, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${pathOf(module)}`)
  return ['', `The ${SLOWEST} slowest files:`, ...lines, '']
}
