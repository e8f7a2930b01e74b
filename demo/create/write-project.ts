/** Writes the files of a template into a folder. */

import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Template {
  title: string
  /** The folders in `templates/` whose files make up the project. */
  parts: readonly string[]
}

export const NAMES = ['node', 'express', 'hono', 'next', 'php', 'python'] as const
export type TemplateName = (typeof NAMES)[number]

/** The server of the shop is also the payment server, or runs beside it. */
const ONE_PROCESS = ['every', 'page', 'one-process']
const THREE_PROCESSES = ['every', 'page', 'three-processes']

export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  node: { title: "Node's own HTTP server and a plain HTML page", parts: [...ONE_PROCESS, 'node'] },
  express: { title: 'Express 5 and a plain HTML page', parts: [...ONE_PROCESS, 'express'] },
  hono: { title: 'Hono and a plain HTML page', parts: [...ONE_PROCESS, 'hono'] },
  next: { title: 'Next with its App Router', parts: ['every', 'one-process', 'next'] },
  php: { title: 'PHP 8 and a plain HTML page', parts: [...THREE_PROCESSES, 'php'] },
  python: {
    title: 'Python 3, standard library only, and a plain HTML page',
    parts: [...THREE_PROCESSES, 'python'],
  },
}

export function isTemplateName(text: string): text is TemplateName {
  return NAMES.some((name) => name === text)
}

/** npm leaves out files of these names when it packs, so the templates have them without the dot. */
const DOTFILES = ['env', 'gitignore']
const SERVER = 'gateway-checkout-server'
const SECRET_BYTES = 24
/** Only the owner may read a file of secrets. */
const OWNER_ONLY = 0o600

export class NotEmptyError extends Error {}

interface Project {
  template: TemplateName
  /** The path of the new folder. Its last name becomes the name of the package. */
  folder: string
  /** The version of the payment server that the project installs, or a newer compatible one. */
  version: string
}

/**
 * Writes the project, with secrets of its own in `.env`. Returns the lines that say how to start it.
 *
 * @throws {NotEmptyError} if the folder exists and has any file, or is a file.
 */
export function writeProject({ template, folder, version }: Project): { lines: string[] } {
  const path = resolve(folder)
  refuseUnlessEmpty(folder)
  mkdirSync(path, { recursive: true })
  const templates = fileURLToPath(new URL('../templates/', import.meta.url))
  for (const part of TEMPLATES[template].parts) {
    cpSync(join(templates, part), path, { recursive: true })
  }

  for (const name of DOTFILES) {
    renameSync(join(path, name), join(path, `.${name}`))
  }

  chmodSync(join(path, '.env'), OWNER_ONLY)
  rewrite(join(path, '.env'), (text) =>
    text.replaceAll('RANDOM', () => randomBytes(SECRET_BYTES).toString('base64')),
  )
  rewrite(join(path, 'package.json'), (text) => {
    const manifest: { dependencies: Record<string, string> } = JSON.parse(text)
    const dependencies = { ...manifest.dependencies, [SERVER]: `^${version}` }
    return `${JSON.stringify({ name: packageNameOf(path), ...manifest, dependencies }, null, 2)}\n`
  })
  // A shell needs quotes around a folder with other characters.
  const quoted = /^[\w./-]+$/.test(folder) ? folder : `'${folder}'`
  const cd = path === process.cwd() ? [] : [`  cd ${quoted}`]
  return { lines: [`Wrote a shop into ${path}. Start it:`, '', ...cd, '  npm install', '  npm start', ''] }
}

/** @throws {NotEmptyError} if the folder exists and has any file, or is a file. */
export function refuseUnlessEmpty(folder: string): void {
  try {
    if (readdirSync(folder).length === 0) {
      return
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return
    }
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTDIR')) {
      throw error
    }
  }

  throw new NotEmptyError(`"${folder}" exists and is not empty. Nothing was written: name a new folder.`)
}

function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

/** Returns the folder's name as npm accepts it for a package. */
function packageNameOf(path: string): string {
  const name = basename(path)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
  return name === '' ? 'shop' : name
}
