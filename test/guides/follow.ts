import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { vi } from 'vitest'

import { linkModules, packAll } from '../create/packed.ts'
import { freePorts, movePorts, PORTS, payOrder, run } from '../create/shop.ts'
import { searchPath } from '../support/debian.ts'

import type { Ports, Running } from '../create/shop.ts'

/** Runs the last command again: what it looks for may not have happened yet. */
type Start = () => Running

interface Block {
  language: string
  text: string
  /** The page that the prose above the block says to open last, as `Open <URL>`. */
  opened: string
}

/** The first line of a block may name the file that the block is, in a comment. */
export const FILE = /^(?:<\?php )?(?:\/\/|#|<!--) ([\w./[\]-]+\.\w+|\.env)(?: -->)?\n/
/** A command that runs until it is stopped. */
const LASTING = /^(npm start|node \S+\.mjs|python3 \S+|npx gateway-checkout-server (serve|sandbox)\b.*)$/
const PAID = 'paid: fulfil order '
/** Limits of the test runners for a busy machine, in milliseconds. */
const PATIENCE_MS = 120_000
/** Names the browser that the tests have, in place of the one that Playwright would install. */
const BROWSER = `export default {
  timeout: ${PATIENCE_MS},
  expect: { timeout: ${PATIENCE_MS} },
  use: { launchOptions: { executablePath: '${process.env.CHROME_PATH}' } },
}`

/**
 * Follows a guide as a reader does: writes the blocks that name a file, runs the `sh` blocks, each in a terminal of its
 * own, and waits until a terminal says the lines of each `text` block. Where that is a paid order, it pays one first.
 * The commands are those of the packed packages, on free ports, without a network.
 */
export async function follow(path: string, folder: string): Promise<void> {
  const ports = await freePorts()
  const env = { PATH: `${shims(folder, ports)}:${searchPath()}` }
  let terminals: Running[] = []
  let at = join(folder, 'guide')
  let again: Start | undefined
  /** The file to which the last command appends what it says. */
  let log: string | undefined
  mkdirSync(at)

  const stopAll = async () => {
    await Promise.all(terminals.map(({ stop }) => stop()))
    terminals = []
  }

  try {
    for (const { language, text, opened } of blocksOf(path)) {
      writeFile(at, ports.move(text))
      if (language === 'text') {
        await hears(terminals, text, ports, again, opened)
        if (log !== undefined) {
          await contains(join(at, log), ports.move(text).trimEnd())
        }

        movePorts(at, ports)
      }
      if (language !== 'sh') {
        continue
      }
      // Whoever goes on in another folder has ended what ran in the first one.
      if (text.startsWith('mkdir -p ../')) {
        await stopAll()
      }

      ;[, log] = /\| tee -a (\S+)\n$/.exec(text) ?? []
      const here = at
      const start = () => run(here, `set -e\n${ports.move(text)}`, env)
      const terminal = start()
      terminals.push(terminal)
      const [, to] = /^cd (\S+)$/m.exec(text) ?? []
      if (to !== undefined) {
        at = resolve(at, to)
      }

      const isLasting = LASTING.test(text.trimEnd().split('\n').at(-1) ?? '')
      if (!isLasting) {
        await terminal.ends()
      }

      again = isLasting ? undefined : start
    }
  } finally {
    await stopAll()
  }
}

/** Writes a block that names a file. */
function writeFile(folder: string, text: string): void {
  const [, name] = FILE.exec(text) ?? []
  if (name === undefined) {
    return
  }

  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

async function hears(
  terminals: readonly Running[],
  expected: string,
  ports: Ports,
  again: Start | undefined,
  opened: string,
): Promise<void> {
  const lines = ports.move(expected).trimEnd().split('\n')
  for (const line of lines) {
    const [text = ''] = line.split('…')
    if (line.startsWith(PAID)) {
      await terminals.at(-1)?.isUp(ports.move(opened))
      const order = await payOrder(ports, ports.move(opened))
      if (text !== PAID && text !== `${PAID}${order}`) {
        throw new Error(`The page has ${order}, not: ${text}`)
      }
    }
    if (again && !terminals.at(-1)?.said().includes(text)) {
      await repeats(again, text)
    } else {
      await Promise.any(terminals.map((terminal) => terminal.says(text)))
    }
  }
}

/** Resolves when a file contains a text: `tee` writes to the terminal first, and to the file a moment later. */
async function contains(path: string, text: string): Promise<void> {
  await vi.waitUntil(() => existsSync(path) && readFileSync(path, 'utf8').includes(text), {
    timeout: 60_000,
    interval: 20,
  })
}

async function repeats(start: Start, text: string): Promise<void> {
  await vi.waitUntil(
    async () => {
      const terminal = start()
      await terminal.ends()
      return terminal.said().includes(text)
    },
    { timeout: 60_000, interval: 200 },
  )
}

/** Returns the blocks of a guide. */
export function blocksOf(path: string): Block[] {
  const guide = readFileSync(path, 'utf8')
  const blocks = guide.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)
  return [...blocks].map(({ index, 1: indent = '', 2: language = '', 3: block = '' }) => ({
    language,
    text: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    opened: [...guide.slice(0, index).matchAll(/Open <(http[^>]+)>/g)].at(-1)?.[1] ?? '',
  }))
}

/**
 * Writes `npm` and `npx` as they would be, had the packed packages been published, or installed from their files: `npx`
 * runs what is installed. Returns their folder. A built clone has nothing to build.
 */
export function shims(folder: string, { move }: Ports): string {
  const moves = PORTS.map((port) => `-e s/${port}/${move(port)}/g`).join(' ')
  const published = mkdtempSync(join(folder, 'published-'))
  linkModules(published)
  const bin = join(published, 'bin')
  mkdirSync(bin)
  const modules = join(published, 'node_modules')
  const npm = `#!/bin/sh
case "$1" in
  create) shift 2; name="$1"; shift 2; node '${packAll().command}' "$name" "$@"
    find "$name" -type f -exec sed -i ${moves} {} + ;;
  run) test "$2" = build ;;
  exec) PATH="\${PATH#*:}" npm --offline "$@"
    find shop -type f -exec sed -i ${moves} {} + ;;
  install) shift
    for file; do case "$file" in *.tgz) test -f "$file" ;; esac || exit 1; done
    ln -sfn '${modules}' node_modules ;;
  *) PATH="\${PATH#*:}" exec npm "$@" ;;
esac
`
  const npx = `#!/bin/sh
case "$1 $2" in
  'gateway-checkout-server '*) shift; exec node node_modules/gateway-checkout-server/dist/cli.js "$@" ;;
  'playwright install') echo "${BROWSER}" > playwright.config.mjs ;;
  'vitest run') shift 2; exec node_modules/.bin/vitest run --testTimeout=${PATIENCE_MS} "$@" ;;
  *) command="$1"; shift; exec "node_modules/.bin/$command" "$@" ;;
esac
`
  for (const [name, text] of Object.entries({ npm, npx })) {
    writeFileSync(join(bin, name), text, { mode: 0o755 })
  }

  return bin
}
