import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync, Visitor } from 'vite'

export interface Source {
  path: string
  imports: Import[]
  mentions: ReadonlySet<string>
}

type Import = { ours: true; path: string } | { ours: false; name: string }

const GLOBAL_OBJECTS = ['globalThis', 'window', 'self']

export function readSources(...folders: string[]): Source[] {
  return sourcesIn(...folders).map((path) => parse(path, readFileSync(path, 'utf8')))
}

/** Returns the paths of the sources. */
export function sourcesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name).replaceAll('\\', '/'))
      .filter((path) => /\.tsx?$/.test(path) && !/\/(dist|node_modules)\//.test(path))
      .toSorted(),
  )
}

export function parse(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text)
  if (errors[0]) {
    throw new SyntaxError(`${path}: ${errors[0].message}`)
  }

  const specifiers: string[] = []
  const mentions = new Set<string>()
  new Visitor({
    ImportDeclaration: ({ source }) => specifiers.push(source.value),
    ExportAllDeclaration: ({ source }) => specifiers.push(source.value),
    ExportNamedDeclaration: ({ source }) => source && specifiers.push(source.value),
    TSImportType: ({ source }) => specifiers.push(source.value),
    ImportExpression: ({ source }) =>
      specifiers.push(source.type === 'Literal' ? String(source.value) : 'a computed name'),
    Identifier: ({ name }) => mentions.add(name),
    MemberExpression: ({ object, property }) => {
      if (object.type !== 'Identifier') {
        return
      }

      const name =
        property.type === 'Identifier' ? property.name : property.type === 'Literal' ? property.value : ''
      mentions.add(GLOBAL_OBJECTS.includes(object.name) ? String(name) : `${object.name}.${String(name)}`)
    },
    VariableDeclarator: ({ id, init }) => {
      if (id.type !== 'ObjectPattern' || init?.type !== 'Identifier') {
        return
      }

      for (const property of id.properties) {
        if (property.type === 'Property' && property.key.type === 'Identifier') {
          mentions.add(`${init.name}.${property.key.name}`)
        }
      }
    },
    NewExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier' && given.length === 0) {
        mentions.add(`new ${callee.name}()`)
      }
    },
    CallExpression: ({ callee }) => {
      if (callee.type === 'Identifier') {
        mentions.add(`${callee.name}()`)
      }
    },
  }).visit(program)
  return {
    path,
    imports: specifiers.map((specifier) => resolve(path, specifier)),
    mentions,
  }
}

function resolve(from: string, specifier: string): Import {
  if (!specifier.startsWith('.')) {
    return { ours: false, name: specifier }
  }
  return { ours: true, path: posix.join(posix.dirname(from), specifier.replace(/\?.*$/, '')) }
}
