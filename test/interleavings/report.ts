/** Writes what an exploration took, if the variable FIGURES names a file for it. */

import { appendFileSync } from 'node:fs'

import type { Exploration } from './explorer.ts'

export async function report(name: string, explored: () => Promise<Exploration>): Promise<Exploration> {
  const before = process.cpuUsage()
  const exploration = await explored()
  const { user, system } = process.cpuUsage(before)
  const { runs, ends, isComplete, violations } = exploration
  const seconds = ((user + system) / 1e6).toFixed(2)
  const file = process.env['FIGURES']
  const figures = [
    name,
    runs,
    ends,
    isComplete ? 'all' : 'some',
    `${seconds} s`,
    violations.map(({ run }) => run).join(),
  ]
  if (file) {
    appendFileSync(file, `${figures.join(' | ')}\n`)
  }
  return exploration
}
