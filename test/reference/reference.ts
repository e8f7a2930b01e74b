import { readFileSync } from 'node:fs'
import type { ReferenceTable } from '../../server/routes/docs/reference-tables.ts'
import { EVENTS } from '../../server/api/events.ts'
import { PROBLEM_CODES, PROBLEMS } from '../../server/api/problem-codes.ts'
import { PROBLEM_HELP } from '../../server/api/problem-help.ts'
import { operationsOf } from '../../server/routes/docs/document.ts'
import { VARIABLES_TABLE } from '../../server/routes/docs/reference-tables.ts'
import { parts } from '../support/described.ts'
import { commandsTable } from './commands.ts'
import { elementTables } from './element.ts'

const TROUBLESHOOTING = 'server/guides/troubleshooting.md'
export const DOCS_TABLES = 'server/routes/docs/reference.json'

/** Returns each generated file with its text, from the sources and from the last build of the element. */
export function generate(): Record<string, string> {
  const element = elementTables()
  const commands = commandsTable()
  return {
    'server/README.md': filled('server/README.md', {
      routes: routesMarkdown(),
      problems: markdown(['code', 'status', 'cause and cure'], problemRows()),
      events: markdown(
        ['type', 'sent when'],
        Object.entries(EVENTS).map(([type, text]) => [code(type), text]),
      ),
      variables: markdown(['variable', 'default', ''], rowsOf(VARIABLES_TABLE, true)),
      commands: markdown(['command', ''], rowsOf(commands)),
    }),
    [TROUBLESHOOTING]: filled(TROUBLESHOOTING, { problems: problemSections() }),
    'widget/README.md': filled(
      'widget/README.md',
      Object.fromEntries(
        element.map((table) => {
          const hasFallback = table.rows.some(({ fallback }) => fallback !== undefined)
          const heads = [HEADS[table.id] ?? '', ...(hasFallback ? ['default'] : []), '']
          return [table.id.toLowerCase(), markdown(heads, rowsOf(table, hasFallback))]
        }),
      ),
    ),
    [DOCS_TABLES]: `${JSON.stringify({ tables: [...element, commands] }, null, 2)}\n`,
  }
}

const HEADS: Readonly<Record<string, string>> = {
  Attributes: 'attribute',
  Properties: 'property or method',
  'DOM-events': 'event',
  Slots: 'slot',
  Parts: 'part',
  'Custom-properties': 'custom property',
}

function routesMarkdown(): string {
  const rows = operationsOf(parts).map(({ method, path, summary, responses }) => {
    const answers = Object.entries(responses).flatMap(([status, { description, content }]) =>
      'application/problem+json' in content ? [] : [`\`${status}\` ${description}`],
    )
    return [code(`${method} ${path}`), summary, answers.join('<br>')]
  })
  return markdown(['method and path', 'purpose', 'answers'], rows)
}

function problemRows(): string[][] {
  return PROBLEM_CODES.map((each) => [code(each), String(PROBLEMS[each].status), PROBLEM_HELP[each]])
}

/** The words of the page `/docs`, to which the `type` of each problem document leads. */
function problemSections(): string {
  return PROBLEM_CODES.map((each) => {
    const { status, title, retryable } = PROBLEMS[each]
    const again = retryable ? ' The same request may succeed later.' : ''
    return `### ${code(each)}\n\nHTTP ${status}. ${title}.${again}\n\n${PROBLEM_HELP[each]}`
  }).join('\n\n')
}

function rowsOf({ rows }: ReferenceTable, hasFallback = false): string[][] {
  return rows.map(({ name, fallback = '', text }) => [
    code(name),
    ...(hasFallback ? [fallback] : []),
    text.replaceAll('\n', '<br>'),
  ])
}

/** A Markdown table. A vertical bar would end a cell, also inside code. */
function markdown(heads: readonly string[], rows: readonly string[][]): string {
  const cells = [heads, ...rows].map(
    (row) => `| ${row.map((each) => each.replaceAll('|', '\\|')).join(' | ')} |`,
  )
  return cells.toSpliced(1, 0, `|${'---|'.repeat(heads.length)}`).join('\n')
}

function code(text: string): string {
  return `\`${text}\``
}

/** Returns the text of a file with each generated part replaced, and throws where a part or its place is missing. */
function filled(path: string, generated: Readonly<Record<string, string>>): string {
  const names = new Set<string>()
  const text = readFileSync(path, 'utf8').replaceAll(
    /(<!-- generated: ([\w-]+) -->\n).*?(\n<!-- \/generated -->)/gs,
    (_, start: string, name: string, end: string) => {
      names.add(name)
      return `${start}\n${generated[name]}\n${end}`
    },
  )
  const missing = Object.keys(generated).filter((name) => !names.has(name))
  const unknown = [...names].filter((name) => !Object.hasOwn(generated, name))
  if (missing.length + unknown.length > 0)
    throw new Error(`${path}: no place for ${missing.join()}; nothing generated for ${unknown.join()}.`)
  return text
}
