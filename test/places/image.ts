import { execFileSync } from 'node:child_process'
import { chownSync, cpSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRoot, NOBODY } from '../support/server-process.ts'

export const DOCKERFILE = 'server/Dockerfile'

export interface Instruction {
  name: string
  text: string
}

/** What the last stage of the Dockerfile says about the image, and the folder that has its files. */
export interface Image {
  root: string
  workdir: string
  user: string
  env: Record<string, string>
  entrypoint: string[]
  command: string[]
  health: string[]
  volumes: string[]
}

export function readInstructions(): Instruction[] {
  return readFileSync(DOCKERFILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ name: line.split(' ')[0]!, text: line.slice(line.indexOf(' ') + 1) }))
}

/**
 * Carries out the instructions of the Dockerfile, without an engine and without the base image: each stage is a folder,
 * in which the commands run. Commands may only name relative paths.
 */
export function buildImage(folder: string, args: Readonly<Record<string, string>>): Image {
  const stages = new Map<string, string>()
  let image = startStage(folder, '')
  let given: Record<string, string> = {}
  for (const { name, text } of readInstructions()) {
    switch (name) {
      case 'FROM': {
        const [, stage = 'last'] = / AS (\w+)$/.exec(text) ?? []
        image = startStage(folder, stage)
        stages.set(stage, image.root)
        given = {}
        break
      }
      case 'ARG': {
        const [key = '', fallback = ''] = text.split('=')
        given[key] = args[key] ?? fallback
        break
      }
      case 'ENV': {
        const [key = '', value = ''] = text.split('=')
        image.env[key] = value
        break
      }
      case 'WORKDIR':
        image.workdir = text
        mkdirSync(join(image.root, text), { recursive: true })
        break
      case 'RUN': {
        const { PATH, HOME, npm_config_cache } = process.env
        const env = { PATH, HOME, ...(npm_config_cache && { npm_config_cache }), ...image.env, ...given }
        execFileSync('sh', ['-ec', text], { cwd: join(image.root, image.workdir), env, stdio: 'pipe' })
        break
      }
      case 'COPY': {
        const [, from = '', owner, source = '', target = ''] =
          /^--from=(\w+)(?: --chown=(\S+))? (\S+) (\S+)$/.exec(text) ?? []
        const to = join(image.root, target)
        mkdirSync(dirname(to), { recursive: true })
        cpSync(join(stages.get(from)!, source), to, { recursive: true, verbatimSymlinks: true })
        if (owner && isRoot) chownSync(to, NOBODY, NOBODY)
        break
      }
      case 'USER':
        image.user = text
        break
      case 'VOLUME':
        image.volumes.push(text)
        break
      case 'HEALTHCHECK':
        image.health = JSON.parse(text.slice(text.indexOf('CMD ') + 4))
        break
      case 'ENTRYPOINT':
        image.entrypoint = JSON.parse(text)
        break
      case 'CMD':
        image.command = JSON.parse(text)
        break
      case 'EXPOSE':
        break
      default:
        throw new Error(`${DOCKERFILE} has ${name}, which this test does not know.`)
    }
  }
  return image
}

function startStage(folder: string, stage: string): Image {
  const root = join(folder, stage)
  return { root, workdir: '/', user: 'root', env: {}, entrypoint: [], command: [], health: [], volumes: [] }
}

/** The size on disk of a folder, in bytes. */
export function sizeOf(path: string): number {
  return 1024 * Number(execFileSync('du', ['-sk', path], { encoding: 'utf8' }).split('\t')[0])
}
