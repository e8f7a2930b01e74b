import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { readThreats } from './threats.ts'

const FOLDER = 'test/security'
const LEAST_TESTS = 150
const WIDTH = 84

/** After a run of all files of `test/security/`, prints for each attack how many tests tried it, and how many failed. */
export const attackTable: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const files = new Map<string, TestModule[]>()
    for (const module of modules) {
      const path = relative(join(module.project.vitest.config.root, FOLDER), module.moduleId)
      files.set(path, [...(files.get(path) ?? []), module])
    }
    const own = readdirSync(FOLDER).filter((file) => file !== 'threats.test.ts')
    if (!own.every((file) => files.has(file) || file.includes('.browser.'))) return
    const rows = readThreats().map(({ attack, triedIn }) => {
      const isTriedIn = (path: string) =>
        triedIn.some((name) => path.startsWith(`${name}.`) || path.startsWith(`${name}/`))
      return [attack, ...count([...files.keys()].filter(isTriedIn))] as const
    })
    const [tried, succeeded] = count(own)
    const lines = [
      ['attacks of server/THREATS.md', 'tests', 'succeeded'] as const,
      ...rows,
      [`all of ${FOLDER}/`, tried, succeeded] as const,
    ].map(([attack, tests, failed]) => {
      // The row's files are outside of the folder, and are no part of this run.
      const cells = tests === 0 ? ['–', '–'] : [String(tests), String(failed)]
      return [shorten(attack).padEnd(WIDTH), ...cells.map((cell) => cell.padStart(10))].join('')
    })
    process.once('exit', () => console.log(`\n${lines.join('\n')}\n`))
    if (tried >= LEAST_TESTS) return
    process.exitCode = 1
    console.error(`${FOLDER}/ has ${tried} tests. It must have at least ${LEAST_TESTS}.`)

    /** Returns how many tests of the files ran, and how many of them failed. */
    function count(paths: readonly string[]): [tried: number, succeeded: number] {
      const states = paths
        .flatMap((path) => files.get(path) ?? [])
        .flatMap((module) => [...module.children.allTests()])
        .map((test) => test.result().state)
        .filter((state) => state === 'passed' || state === 'failed')
      return [states.length, states.filter((state) => state === 'failed').length]
    }
  },
}

function shorten(text: string): string {
  return text.length < WIDTH ? text : `${text.slice(0, WIDTH - 2)}…`
}
