import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { transformWithOxc } from 'vite'
import type * as Load from './load.ts'
import type * as StubGateway from './stub-gateway.ts'
import type * as Subjects from './subjects.ts'

interface Modules {
  'stub-gateway': typeof StubGateway
  load: typeof Load
  subjects: typeof Subjects
}

type Function = (...args: never[]) => unknown

export interface Remote<Name extends keyof Modules> {
  call<Key extends keyof Modules[Name]>(
    name: Key,
    ...args: Modules[Name][Key] extends (...args: infer Args) => unknown ? Args : never
  ): Promise<Modules[Name][Key] extends Function ? Awaited<ReturnType<Modules[Name][Key]>> : never>
  /** Resolves when the process has ended. */
  end(): Promise<void>
}

const COMPILED = 'node_modules/.cache/bench'

// A module is compiled in advance, so that no compiler uses memory in the measured process.
async function compile(name: string): Promise<string> {
  const source = `test/bench/server/${name}.ts`
  const { code } = await transformWithOxc(readFileSync(source, 'utf8'), source)
  mkdirSync(COMPILED, { recursive: true })
  writeFileSync(`${COMPILED}/${name}.mjs`, code)
  return `${COMPILED}/${name}.mjs`
}

export async function startProcess<Name extends keyof Modules>(
  name: Name,
  core: number,
  profile?: string,
): Promise<Remote<Name>> {
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const module = await compile(name)
  const child = spawn(
    'taskset',
    ['-c', String(core), process.execPath, ...flags, 'test/bench/server/process.mjs', module],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: { ...process.env, NODE_ENV: 'production' } },
  )
  const ended = once(child, 'exit')
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('message', () => resolve())
  })
  child.on('message', ({ id, result, error }: { id: number; result: never; error?: string }) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(result)
    else call?.reject(new Error(error))
  })
  let calls = 0
  return {
    call: (key, ...args) =>
      new Promise((resolve, reject) => {
        const id = calls++
        waiting.set(id, { resolve, reject })
        child.send({ id, name: key, args })
      }),
    async end() {
      child.disconnect()
      await ended
    },
  }
}
