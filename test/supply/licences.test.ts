import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import { productionDependencies } from './production.ts'

import type { Dependency } from './production.ts'

/** Licences that permit use in closed software and ask for no more than a notice. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'Unlicense']

const PACKAGES = ['widget', 'server'] as const

describe.each(PACKAGES)('the dependencies of %s', (name) => {
  const dependencies = productionDependencies(name)

  test('the dependencies of a package have licences that are allowed', () => {
    const refused = dependencies.filter(({ licence }) => !ALLOWED.includes(licence))
    expect(refused.map(({ path, licence }) => `${path}: ${licence}`)).toEqual([])
  })

  // To write the file: LICENCES=renew npx vitest run --project node test/supply
  test('the dependencies of a package are listed in its LICENSES.md', () => {
    const file = `${name}/LICENSES.md`
    const text = list(name, dependencies)
    if (process.env.LICENCES === 'renew') {
      writeFileSync(file, text)
    }

    expect(readFileSync(file, 'utf8')).toBe(text)
  })
})

test('npm create gateway-checkout installs nothing but itself', () => {
  const manifest: object = JSON.parse(readFileSync('demo/create/package.json', 'utf8'))
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies']) {
    expect(manifest).not.toHaveProperty(kind)
  }
})

test('the files of the widget contain Lit and one other package, whose licence texts are in the package', () => {
  const contained = new Set(
    readdirSync('widget/dist', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js.map'))
      .flatMap((name) => {
        const { sources }: { sources: string[] } = JSON.parse(readFileSync(`widget/dist/${name}`, 'utf8'))
        return sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [])
      }),
  )
  expect([...contained].toSorted()).toEqual(CONTAINED.toSorted())
  const { files }: { files: string[] } = JSON.parse(readFileSync('widget/package.json', 'utf8'))
  expect(files).toContain('LICENSES.md')
  const licences = readFileSync('widget/LICENSES.md', 'utf8')
  expect(licences).toContain('Copyright (c) 2017 Google LLC')
  expect(licences).toContain('David Evans')
})

/** The packages whose code is bundled into the widget's files. */
const CONTAINED = ['@lit/reactive-element', 'lean-qr', 'lit', 'lit-html']

function list(name: (typeof PACKAGES)[number], dependencies: readonly Dependency[]): string {
  const rows = dependencies.map(
    ({ name: dependency, version, licence, isOptional }) =>
      `| ${dependency} | ${version} | ${licence} |${isOptional ? ' optional' : ''} |`,
  )
  const { name: published }: { name: string } = JSON.parse(readFileSync(`${name}/package.json`, 'utf8'))
  const heading = `# Licences of the dependencies of ${published}

npm installs these packages with ${published}, in these versions or in newer ones that its package.json allows.
The licence of ${published} itself is in LICENSE.

| package | version | licence | |
|---|---|---|---|
${rows.join('\n')}
`
  if (name === 'server') {
    return heading
  }

  return `${heading}
The files in \`dist/\` contain code of ${CONTAINED.join(', ')}, under these licences:

\`\`\`
${readFileSync('node_modules/lit/LICENSE', 'utf8').trim()}
\`\`\`

\`\`\`
${readFileSync('node_modules/lean-qr/LICENSE', 'utf8').trim()}
\`\`\`
`
}
