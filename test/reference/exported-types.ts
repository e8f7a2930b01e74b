import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'vite'

export interface Field {
  name: string
  hasWords: boolean
}

/** Returns the fields and methods of each interface and object type that a package exports. */
export function exportedFields(index: string): Field[] {
  const { program } = parseSync(index, readFileSync(index, 'utf8'))
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.source) return []
    const names = statement.specifiers.flatMap(({ local }) =>
      local.type === 'Identifier' ? [local.name] : [],
    )
    return fieldsIn(join(dirname(index), statement.source.value), new Set(names))
  })
}

function fieldsIn(path: string, names: ReadonlySet<string>): Field[] {
  const text = readFileSync(path, 'utf8')
  const { program, comments } = parseSync(path, text)
  const described = new Set(
    comments
      .filter(({ value }) => value.startsWith('*'))
      .map(({ end }) => end + (text.slice(end).match(/^\s*/)?.[0].length ?? 0)),
  )
  const fields: Field[] = []
  let type = ''
  const add = ({ start, key }: { start: number; key: { start: number; end: number } }) => {
    if (!names.has(type)) return
    fields.push({ name: `${type}.${text.slice(key.start, key.end)}`, hasWords: described.has(start) })
  }
  new Visitor({
    TSInterfaceDeclaration: ({ id }) => void (type = id.name),
    TSTypeAliasDeclaration: ({ id }) => void (type = id.name),
    'TSInterfaceDeclaration:exit': () => void (type = ''),
    'TSTypeAliasDeclaration:exit': () => void (type = ''),
    TSPropertySignature: add,
    TSMethodSignature: add,
  }).visit(program)
  return fields
}
