/** Says where the time of our script goes beyond that of the bare button. */

import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import type { Work } from './tasks.ts'
import { table } from '../../../server/cli/table.ts'
import { median } from './tasks.ts'

export interface CpuProfile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number }
  }[]
  samples?: number[]
  timeDeltas?: number[]
}

const FILE = 'widget/dist/gateway-checkout.js'
const IMPORTED = './gateway-checkout/'
const MOST_FUNCTIONS = 8

/** Returns a table of the main thread's work. */
export function describeWork(own: Work[], lit: Work[]): string {
  const rows = (['script', 'style', 'layout', 'all'] as const).map((kind) => {
    const [ours, bare] = [own, lit].map((works) => median(works.map((work) => work[kind])))
    return [kind, ...[ours, bare, (ours ?? NaN) - (bare ?? NaN)].map((ms) => (ms ?? NaN).toFixed(1))]
  })
  return table(['ms of the processor', 'ours', 'bare Lit', 'beyond'], rows)
}

/** Returns the functions that take the most time by themselves. A place may be that of the function before it. */
export function describeFunctions(profiles: CpuProfile[]): string {
  const longest = selfTimes(profiles).slice(0, MOST_FUNCTIONS)
  return longest.map(([where, ms]) => `${where} ${ms.toFixed(1)}`).join(', ')
}

function selfTimes(profiles: CpuProfile[]): [string, number][] {
  const times = new Map<string, number>()
  const map = new SourceMap(JSON.parse(readFileSync(`${FILE}.map`, 'utf8')))
  const script = readFileSync(FILE, 'utf8')
  for (const { nodes, samples = [], timeDeltas = [] } of profiles) {
    const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame, map, script)]))
    for (const [index, id] of samples.entries()) {
      const name = names.get(id) ?? ''
      const ms = (timeDeltas[index] ?? 0) / 1_000 / profiles.length
      times.set(name, (times.get(name) ?? 0) + ms)
    }
  }
  for (const name of ['(idle)', '(root)', '(program)', '']) times.delete(name)
  return [...times].toSorted(([, one], [, other]) => other - one)
}

/** Returns where a function is in the sources; the function's name if the browser has it built in. */
function nameOf(frame: CpuProfile['nodes'][number]['callFrame'], map: SourceMap, script: string): string {
  const { functionName, url, lineNumber, columnNumber } = frame
  if (!url) return functionName
  if (!url.startsWith('blob:')) return ''
  // The page has made the addresses of the second file absolute, which moves what comes after them.
  const origin = url.slice('blob:'.length).replace(/(?<=\d)\/.*/, '')
  let column = columnNumber
  for (let at = script.indexOf(IMPORTED); at >= 0 && at < column; at = script.indexOf(IMPORTED, at + 1))
    column -= origin.length - 1
  const entry = map.findEntry(lineNumber, column)
  if (!('originalSource' in entry)) return functionName
  const source = entry.originalSource.replace(/^.*\/node_modules\//, '').replace(/^(\.\.\/)+/, '')
  return `${source}:${entry.originalLine + 1}`
}
