import { readFileSync } from 'node:fs'
import type { ReferenceTable } from '../../server/routes/docs/reference-tables.ts'

interface Described {
  name: string
  description?: string
  default?: string
  kind?: string
  attribute?: string
  readonly?: boolean
}

interface ElementDeclaration {
  attributes: Described[]
  members: Described[]
  events: Described[]
  slots: Described[]
  cssParts: Described[]
  cssProperties: Described[]
}

/** The tables of the element, from the `custom-elements.json` of the last build. */
export function elementTables(): ReferenceTable[] {
  const { modules }: { modules: { declarations: ElementDeclaration[] }[] } = JSON.parse(
    readFileSync('widget/dist/custom-elements.json', 'utf8'),
  )
  const { attributes, members, events, slots, cssParts, cssProperties } = modules[0]!.declarations[0]!
  const fields = members.filter(
    ({ kind, attribute, readonly }) => kind === 'field' && (!attribute || readonly),
  )
  const methods = members.filter(({ kind }) => kind === 'method')
  return [
    table('Attributes', 'Attributes', attributes),
    table('Properties', 'Properties without an attribute, and methods', [
      ...fields.map((field) => (field.readonly ? readOnly(field) : field)),
      ...methods.map((method) => ({ ...method, name: `${method.name}()` })),
    ]),
    table('DOM-events', 'DOM events', events),
    table('Slots', 'Slots', slots),
    table('Parts', 'Parts', cssParts),
    table('Custom-properties', 'Custom properties', cssProperties),
  ]
}

function readOnly(field: Described): Described {
  return { ...field, description: `${field.description ?? ''} Read-only.` }
}

function table(id: string, title: string, all: readonly Described[]): ReferenceTable {
  const rows = all.map(({ name, description = '', default: fallback }) => ({
    name,
    ...(fallback !== undefined && { fallback: `\`${fallback}\`` }),
    text: description,
  }))
  return { id, title, rows }
}
