import { expect, test } from 'vitest'

import { parse, readSources, sourcesIn } from './support/source-tree.ts'

import type { Source } from './support/source-tree.ts'

/**
 * The rooms: folders, and the entries beside them. A room may import only from rooms further down in this list. As no
 * two rooms of a line import each other, rooms have no cycles; oxlint refuses those of files.
 */
const ROOMS = levels(`
  demo/dev.ts
  server/cli.ts server/testing/
  server/testing.ts
  server/cli/ demo/shop/ demo/create/
  server/prove/ server/conformance/
  server/index.ts server/core.ts
  server/every-feature.ts
  server/features.ts server/start.ts
  server/features/ server/listener/
  server/app.ts
  server/routes/ server/engine.ts server/load-kind.ts
  server/payments/ server/notices/
  server/checkouts/ server/payouts/ server/charges/ server/airtime/ server/links/
  server/payins/ server/money-out/ server/outbox/ widget/frameworks/ widget/words.ts
  server/transactions/ server/orders/ widget/ demo/sandbox/
  server/gateway/ server/privacy/ server/metrics/
  server/store/ server/money/
  server/http/
  server/rate-limits/
  server/work/
  server/log/
  server/config/
  server/api/
  server/contract/ server/openapi/ server/package.json server/llms.txt`)

const KINDS = ['checkouts', 'payouts', 'charges', 'airtime']

/** What a server has whatever its features are. It takes their list. */
const WITHOUT_FEATURES = [
  'server/engine.ts',
  'server/app.ts',
  'server/start.ts',
  'server/core.ts',
  'server/listener/',
]

/** What a reader finds in every kind of transaction. The other files of a kind are nouns of its own. */
const FILES_OF_A_KIND = ['record.ts', 'transition.ts', 'kind.ts', 'view.ts', 'submit.ts']

const SANDBOX_ROOMS = levels(`
  demo/sandbox/index.ts
  demo/sandbox/history.ts
  demo/sandbox/app.ts
  demo/sandbox/hosted-page/ demo/sandbox/control/ demo/sandbox/portal/ demo/sandbox/openapi.ts
  demo/sandbox/control/reference.ts demo/sandbox/page-document.ts demo/sandbox/sessions/ demo/sandbox/money-out/
  demo/sandbox/world.ts
  demo/sandbox/sessions/session.ts demo/sandbox/money-out/payout.ts demo/sandbox/money-out/airtime-recipient.ts
  demo/sandbox/sessions/payment.ts demo/sandbox/money-out/funds.ts
  demo/sandbox/users/
  demo/sandbox/callbacks/ demo/sandbox/merchants/ demo/sandbox/scenarios.ts
  demo/sandbox/credentials/ demo/sandbox/money/ demo/sandbox/faults.ts
  demo/sandbox/http/
  demo/sandbox/errors/ demo/sandbox/journal/
  demo/sandbox/clock/ demo/sandbox/randomness.ts demo/sandbox/environment.ts demo/sandbox/page.css
  server/contract/ server/openapi/`)

/** `button/` is the first file, with what it needs of `words/` and `state/`; the second file follows after the press. */
const WIDGET_ROOMS = levels(`
  widget/define.ts widget/frameworks/
  widget/index.ts widget/words.ts
  widget/checkout/
  widget/card/
  widget/bff/
  widget/button/
  widget/developer/ widget/words/
  widget/state/
  server/`)

/** Rooms of the widget that import each other. */
const MUTUAL = [
  {
    from: 'widget/button/',
    to: 'widget/checkout/',
    because: 'the first file loads the second, and knows its type',
  },
  { from: 'widget/card/', to: 'widget/checkout/', because: 'the card draws what the shopper has entered' },
]

const ONLY_IMPORTS = [
  {
    room: 'demo/sandbox/',
    may: /^server\/(contract|openapi)\//,
    because: 'client and gateway could agree on the same mistake',
  },
  { room: 'widget/', may: /^server\/api\//, because: 'what a browser gets is not what a server has' },
]

/** The npm packages and Node.js modules that a folder or file may import, directly or through other files. */
const PACKAGES = [
  { room: 'widget/', may: /^(@lit\/reactive-element|lit\/html\.js|lean-qr\/nano)$/ },
  { room: 'widget/words.ts', may: /^$/ },
  {
    room: 'widget/frameworks/',
    may: /^(@lit|lit|lean-qr|preact|react|solid-js|svelte|vue|gateway-checkout\/define)(\/|$)/,
  },
  { room: 'server/contract/', may: /^(node:net$|(zod|libphonenumber-js)(\/|$))/ },
  {
    // The words cannot make client and gateway agree on a mistake.
    room: 'demo/sandbox/',
    may: /^(gateway-checkout\/words$|hono|zod|libphonenumber-js|@hono\/node-server|node:[a-z]+)(\/|$)/,
  },
]

const ARGUMENTS = [
  {
    globals: ['process.env'],
    files: ['server/config/config.ts', 'server/start.ts', 'server/cli.ts', 'server/cli/', 'demo/dev.ts'],
  },
  {
    globals: [
      'Date.now',
      'new Date()',
      'Date()',
      'Math.random',
      'setTimeout',
      'setInterval',
      'performance.now',
    ],
    files: ['server/work/clock.ts', 'demo/sandbox/clock/', 'widget/button/environment.ts'],
  },
]

const DRAWERS = /(^|\/)(utils?|helpers?|common|shared|misc|types|constants)(\.tsx?$|\/)/

const tree = readSources('server', 'widget', 'demo')

test('imports go down, never up or sideways', () => {
  expect(tree.flatMap((source) => misdirected(source))).toEqual([])
})

test('imports between the rooms of the sandbox go down, too', () => {
  const sandbox = tree.filter(({ path }) => path.startsWith('demo/sandbox/'))
  expect(sandbox.flatMap((source) => misdirected(source, SANDBOX_ROOMS))).toEqual([])
})

test('imports between the rooms of the widget go down, but for those with a reason', () => {
  const widget = tree.filter(({ path }) => path.startsWith('widget/'))
  const upward = widget.flatMap((source) => misdirected(source, WIDGET_ROOMS))
  const isMutual = (text: string) =>
    MUTUAL.some(({ from, to }) => text.startsWith(from) && text.includes(` imports ${to}`))
  expect(upward.filter((text) => !isMutual(text))).toEqual([])
  for (const { from, to } of MUTUAL) {
    expect(upward.some((text) => text.startsWith(from) && text.includes(` imports ${to}`))).toBe(true)
  }
})

test('every file is in a room', () => {
  expect(tree.map(({ path }) => path).filter((path) => row(path) === -1)).toEqual([])
})

test('a room of the server is a folder or an entry beside the folders', () => {
  expect(ROOMS.flat().filter((each) => /^server\/.+\/./.test(each))).toEqual([])
})

test.each(KINDS)('server/%s/ has files of the same names as the other kinds', (kind) => {
  const paths = new Set(tree.map(({ path }) => path))
  expect(FILES_OF_A_KIND.filter((file) => !paths.has(`server/${kind}/${file}`))).toEqual([])
})

test.each(WITHOUT_FEATURES)('%s imports no kind and no feature', (room) => {
  const featured = [...KINDS.map((kind) => `server/${kind}/`), 'server/features/', 'server/features.ts']
  expect(crossings(tree, room, (to) => featured.some((each) => covers(each, to)))).toEqual([])
})

test.each(ONLY_IMPORTS)('$room enters only $may, or $because', ({ room, may }) => {
  expect(crossings(tree, room, (to) => !may.test(to))).toEqual([])
})

test('server/ takes the words from gateway-checkout/words, and imports no file of widget/', () => {
  expect(crossings(tree, 'server/', (to) => covers('widget/', to))).toEqual([])
})

test.each(PACKAGES)('$room reaches nothing of npm or Node but $may', ({ room, may }) => {
  expect(packages(tree, room).filter(({ name }) => !may.test(name))).toEqual([])
})

test('names are resolved by http/resolver.ts alone, for all connections of the process', () => {
  const server = tree.filter(({ path }) => path.startsWith('server/'))
  const asking = server.filter(({ imports }) =>
    imports.some((to) => !to.ours && /^(node:)?dns/.test(to.name)),
  )
  expect(asking.map(({ path }) => path)).toEqual(['server/http/resolver.ts'])
})

test.each(ARGUMENTS)('$globals are arguments outside $files', ({ globals, files }) => {
  expect(mentioning(tree, globals, files)).toEqual([])
})

test('no file has a catch-all name', () => {
  const all = sourcesIn('server', 'widget', 'demo', 'test')
  expect(all.filter((path) => DRAWERS.test(path))).toEqual([])
})

test.each<[string, string, string, ((source: Source) => unknown[])?]>([
  ['by a type alone', 'widget/a.ts', `type B = import('../server/app.ts').B`],
  [
    'by published code that imports a test',
    'server/cli/a.ts',
    `import { grade } from '../../test/conformance/grade.ts'`,
  ],
  [
    'by a page of the server that imports a file of the widget',
    'server/routes/a.tsx',
    `import { en } from '../../widget/words/en.ts'`,
    (source) => crossings([source], 'server/', (to) => covers('widget/', to)),
  ],
])('the rules are broken %s', (_, path, text, find = misdirected) => {
  expect(find(parse(path, text))).toHaveLength(1)
})

test('the rules are broken by a widget that reaches zod through a type', () => {
  const files = [
    parse('widget/a.ts', `import type { Field } from '../server/contract/fields.ts'`),
    parse('server/contract/fields.ts', `import { z } from 'zod'`),
  ]
  expect(packages(files, 'widget/')).toEqual([{ path: 'server/contract/fields.ts', name: 'zod' }])
})

test.each([
  ['process.env', `const { env } = process`],
  ['new Date()', `const today = new Date()`],
  ['setTimeout', `globalThis.setTimeout(wake, 1)`],
  ['Date.now', `/* The default. */ const now = Date.now`],
])('the rules are broken by %s in %s', (name, text) => {
  expect(mentioning([parse('server/app.ts', text)], [name], [])).toHaveLength(1)
})

test('a comment, a moment that is given, and a property of that name break no rule', () => {
  const innocent = parse('server/app.ts', `/* Date.now() */ const moment = new Date(now); clock.now()`)
  expect(mentioning([innocent], ['Date.now', 'new Date()'], [])).toEqual([])
})

function levels(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map((level) => level.trim().split(' '))
}

function covers(room: string, path: string): boolean {
  return room.endsWith('/') ? path.startsWith(room) : path === room
}

type Rooms = readonly (readonly string[])[]

function row(path: string, rooms: Rooms = ROOMS): number {
  const name = room(path, rooms)
  return rooms.findIndex((each) => name !== undefined && each.includes(name))
}

function room(path: string, rooms: Rooms = ROOMS): string | undefined {
  const found = rooms.flat().filter((each) => covers(each, path))
  return found.toSorted((a, b) => a.length - b.length).at(-1)
}

function misdirected({ path, imports }: Source, rooms: Rooms = ROOMS): string[] {
  const from = room(path, rooms)
  const level = row(path, rooms)
  return imports
    .flatMap((to) => (to.ours ? [to.path] : []))
    .filter((to) => room(to, rooms) !== from || from === undefined)
    .filter((to) => row(to, rooms) <= level)
    .map((to) => `${path} imports ${to}`)
}

function crossings(among: Source[], from: string, isWrong: (to: string) => boolean): string[] {
  return among
    .filter(({ path }) => path.startsWith(from))
    .flatMap(({ path, imports }) => imports.flatMap((to) => (to.ours ? [{ path, to: to.path }] : [])))
    .filter(({ to }) => !to.startsWith(from) && isWrong(to))
    .map(({ path, to }) => `${path} imports ${to}`)
}

function packages(among: Source[], from: string): { path: string; name: string }[] {
  const importsOf = new Map(among.map(({ path, imports }) => [path, imports]))
  const reached = new Set([...importsOf.keys()].filter((path) => room(path) === from))
  for (const path of reached) {
    for (const to of importsOf.get(path) ?? []) {
      if (to.ours) {
        reached.add(to.path)
      }
    }
  }

  return [...reached].flatMap((path) =>
    (importsOf.get(path) ?? []).flatMap((to) => (to.ours ? [] : [{ path, name: to.name }])),
  )
}

function mentioning(among: Source[], globals: readonly string[], files: readonly string[]): string[] {
  return among
    .filter(({ path }) => !files.some((file) => covers(file, path)))
    .flatMap(({ path, mentions }) =>
      globals.filter((name) => mentions.has(name)).map((name) => `${path} mentions ${name}`),
    )
}
