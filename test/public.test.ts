/** What others depend on: a change of these names is made on purpose, by `npx vitest run test/public.test.ts -u`. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

import { EVENT_TYPES } from '../server/api/kind-table.ts'
import { PROBLEMS } from '../server/api/problem-codes.ts'
import { EXIT } from '../server/cli/shell.ts'
import { Variables } from '../server/config/variables.ts'
import { FEATURES } from '../server/features.ts'
import { document } from './support/described.ts'

const PROSE = new Set(['description', 'summary', 'title', 'example', 'examples', 'info', 'tags'])
/** The lists of the element's manifest that pages depend on. */
const ELEMENT = ['attributes', 'events', 'slots', 'cssParts', 'cssProperties', 'members'] as const

interface Named {
  name: string
  privacy?: string
  type?: { text: string }
}

test('paths, fields, events, variables, exit codes and DOM names are those that are stored', async () => {
  const { paths, webhooks, components } = JSON.parse(JSON.stringify(document))
  const methods: [path: string, methods: object][] = Object.entries({ ...paths, ...webhooks })
  const operations = methods.flatMap(([path, operationOf]) =>
    Object.entries(operationOf).map(([method, operation]) => [`${method} ${path}`, operation]),
  )
  const facts = {
    events: EVENT_TYPES,
    problems: Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status])),
    variables: Object.keys(Variables.shape),
    ...(await entries()),
    'exit codes': EXIT,
    ...elementNames(),
    ...Object.fromEntries(operations),
    ...components.schemas,
  }
  const lines = Object.entries(facts).map(([name, fact]) => `${name} ${JSON.stringify(withoutProse(fact))}\n`)
  await expect(lines.join('')).toMatchFileSnapshot('public.txt')
})

/** The entries of the server's package, each with the values that it exports. */
async function entries(): Promise<Record<string, string[]>> {
  const { exports }: { exports: Record<string, { default: string }> } = JSON.parse(
    readFileSync('server/package.json', 'utf8'),
  )
  const files = Object.entries(exports).flatMap(([entry, { default: file }]) =>
    entry.includes('*')
      ? FEATURES.map(({ name }) => [entry.replace('*', name), file.replace('*', name)] as const)
      : [[entry, file] as const],
  )
  const named = files.map(async ([entry, file]) => {
    const built: object = await import(resolve('server', file))
    return [`entry ${entry}`, Object.keys(built).toSorted()] as const
  })
  return Object.fromEntries(await Promise.all(named))
}

function elementNames(): Record<string, string[]> {
  const { modules } = JSON.parse(readFileSync('widget/dist/custom-elements.json', 'utf8'))
  const [element] = modules.flatMap(({ declarations = [] }) => declarations)
  const isPublic = ({ privacy, name }: Named) => privacy === undefined && !name.startsWith('#')
  const namesOf = (list: Named[]) =>
    list.filter(isPublic).map(({ name, type }) => (type ? `${name}: ${type.text}` : name))
  return Object.fromEntries(ELEMENT.map((list) => [`element ${list}`, namesOf(element[list]).toSorted()]))
}

/** Leaves out what only people read. A property may have the name of such a text. */
function withoutProse(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => withoutProse(each))
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }

  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNames || !PROSE.has(name))
      .map(([name, each]) => [name, withoutProse(each, name === 'properties' && !isNames)]),
  )
}
