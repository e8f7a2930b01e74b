import { readFileSync } from 'node:fs'
import { z } from 'zod'

import { CONTROL_ROUTES, FAULTS } from '../../demo/sandbox/control/reference.ts'
import { EVENTS, SENT_BY_HAND } from '../../server/api/kind-table.ts'
import { PROBLEM_CODES, PROBLEM_HELP, PROBLEMS } from '../../server/api/problem-codes.ts'
import { Variables } from '../../server/config/variables.ts'
import { NOT_OBSERVABLE } from '../../server/conformance/all-checks.ts'
import { ENDPOINTS, endpointOf } from '../../server/conformance/endpoints.ts'
import { describeVerdicts, grade } from '../../server/conformance/grade.ts'
import { operationsOf } from '../../server/openapi/document.ts'
import { connectToSandbox } from '../conformance/in-process.ts'
import { document } from '../support/described.ts'
import { sourceIndex } from './source-index.ts'

/** The stored results of the conformance checks against the sandbox. */
export const RESULTS = 'test/conformance/results.txt'

/** The generated tables, by the file and the mark between which each stands. */
export function tables(): Record<string, Record<string, string>> {
  return {
    'server/README.md': {
      routes: markdown(['method and path', 'purpose', 'answers'], routeRows()),
      events: markdown(
        ['type', 'sent when'],
        Object.entries({ ...EVENTS, ...SENT_BY_HAND }).map(([type, text]) => [code(type), text]),
      ),
      variables: markdown(['variable', 'default', ''], variableRows()),
    },
    'demo/sandbox/README.md': {
      control: markdown(
        ['method and path', ''],
        CONTROL_ROUTES.map(({ method, path, does }) => [code(`${method} ${path}`), does]),
      ),
      faults: markdown(
        ['fault', ''],
        Object.entries(FAULTS).map(([name, does]) => [code(name), does]),
      ),
      proven: markdown(['about', 'proven', 'assumed', 'unknown'], provenRows()),
    },
    'server/guides/troubleshooting.md': { problems: problemSections() },
    'widget/README.md': elementTables(),
    '.github/CONTRIBUTING.md': { sources: sourceTables() },
  }
}

/** Returns each file with its generated tables replaced, and throws where a table or its place is missing. */
export function generate(): Record<string, string> {
  return Object.fromEntries(Object.entries(tables()).map(([path, made]) => [path, filled(path, made)]))
}

function routeRows(): string[][] {
  return operationsOf(document)
    .filter(({ method }) => method !== 'EVENT')
    .map(({ method, path, summary, responses }) => {
      const answers = Object.entries(responses).flatMap(([status, { description, content = {} }]) =>
        'application/problem+json' in content ? [] : [`\`${status}\` ${description}`],
      )
      return [code(`${method} ${path}`), summary, answers.join('<br>')]
    })
}

/** The variables as the table describes them. */
export const variables = Object.entries(Variables.shape).map(([name, schema]) => ({
  name,
  text: schema.description ?? '',
  file: Boolean(schema.meta()?.['file']),
  rotated: Boolean(schema.meta()?.['rotated']),
  required: !schema.safeParse(undefined).success,
  fallback: schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : undefined,
}))

function variableRows(): string[][] {
  return variables.map(({ name, text, required, fallback, file, rotated }) => [
    code(name),
    required ? 'required' : fallback === undefined ? '' : code(fallback),
    `${text}${file ? ` Also as \`${name}_FILE\`` : ''}${rotated ? `; while it is replaced, \`${name}_PREVIOUS\`` : ''}${file ? '.' : ''}`,
  ])
}

/** Resolves with the results that are stored. */
export async function runChecks(): Promise<string> {
  return describeVerdicts(await grade(connectToSandbox()))
}

function provenRows(): string[][] {
  const results = [...readFileSync(RESULTS, 'utf8').matchAll(/^(\w+): (.*)$/gm)]
  return Object.entries(ENDPOINTS).map(([endpoint, { assumed }]) => {
    const rowsThat = (wanted: string) =>
      results.flatMap(([, verdict, row = '']) =>
        verdict === wanted && endpointOf(row) === endpoint ? [row] : [],
      )
    const unknown = rowsThat('unknown').map((row) => `${row}: ${NOT_OBSERVABLE[row]}`)
    const about = endpoint.includes('/') ? code(endpoint) : endpoint
    return [about, `${rowsThat('passed').length} rows`, assumed, unknown.join('<br>') || 'nothing']
  })
}

/** The words of the page `/docs`, to which the `type` of each problem document leads. */
function problemSections(): string {
  return PROBLEM_CODES.map((each) => {
    const { status, title, retryable } = PROBLEMS[each]
    const again = retryable ? ' The same request may succeed later.' : ''
    return `### ${code(each)}\n\nHTTP ${status}. ${title}.${again}\n\n${PROBLEM_HELP[each]}`
  }).join('\n\n')
}

/** The sources by folder, for maintainers. */
function sourceTables(): string {
  const sections: string[] = []
  for (const [room, rows] of sourceIndex()) {
    const table = markdown(
      ['file', ''],
      rows.map(({ file, sentence }) => [code(file), sentence]),
    )
    sections.push(`### ${code(room)}\n\n${table}`)
  }

  return sections.join('\n\n')
}

interface Described {
  name: string
  description?: string
  default?: string
  kind?: string
  attribute?: string
  readonly?: boolean
}

type Manifest = Record<
  'attributes' | 'members' | 'events' | 'slots' | 'cssParts' | 'cssProperties',
  Described[]
>

/** The tables of the element, from the `custom-elements.json` of the last build. */
function elementTables(): Record<string, string> {
  const { modules }: { modules: { declarations: Manifest[] }[] } = JSON.parse(
    readFileSync('widget/dist/custom-elements.json', 'utf8'),
  )
  const { attributes, members, events, slots, cssParts, cssProperties } = modules[0]!.declarations[0]!
  const fields = members
    .filter(({ kind, attribute, readonly }) => kind === 'field' && (!attribute || readonly))
    .map((field) =>
      field.readonly ? { ...field, description: `${field.description ?? ''} Read-only.` } : field,
    )
  const methods = members
    .filter(({ kind }) => kind === 'method')
    .map((method) => ({ ...method, name: `${method.name}()` }))
  return {
    attributes: describedTable('attribute', attributes),
    properties: describedTable('property or method', [...fields, ...methods]),
    'dom-events': describedTable('event', events),
    slots: describedTable('slot', slots),
    parts: describedTable('part', cssParts),
    'custom-properties': describedTable('custom property', cssProperties),
    'pinned-page': pinnedPage(),
  }
}

const CDN = 'https://cdn.example/'

/** A page that runs no changed file of a CDN, from the `integrity.json` of the last build. */
function pinnedPage(): string {
  const { integrity }: { integrity: Record<string, string> } = JSON.parse(
    readFileSync('widget/dist/integrity.json', 'utf8'),
  )
  const files = Object.entries(integrity).map(([file, hash]) => [file.replace(/^\.\//, CDN), hash] as const)
  const [script = '', hash = ''] = files.find(([address]) => /@[\d.]+\.js$/.test(address)) ?? []
  const map = JSON.stringify({ integrity: Object.fromEntries(files) }, null, 2).replaceAll('\n', '\n  ')
  return `\`\`\`html
<script type="importmap">
  ${map}
</script>
<script
  type="module"
  src="${script}"
  integrity="${hash}"
  crossorigin
></script>

<gateway-checkout server="https://pay.shop.example" order="UNGUESSABLE-REFERENCE"></gateway-checkout>
\`\`\``
}

function describedTable(head: string, all: readonly Described[]): string {
  const hasDefault = all.some((each) => each.default !== undefined)
  const rows = all.map(({ name, description = '', default: fallback }) => [
    code(name),
    ...(hasDefault ? [fallback === undefined ? '' : code(fallback)] : []),
    description.replaceAll('\n', '<br>'),
  ])
  return markdown([head, ...(hasDefault ? ['default'] : []), ''], rows)
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
  if (missing.length + unknown.length > 0) {
    throw new Error(`${path}: no place for ${missing.join()}; nothing generated for ${unknown.join()}.`)
  }
  return text
}
