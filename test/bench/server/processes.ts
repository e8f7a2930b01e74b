/** Starts the benchmark's processes, each on the core that it is given. */

import { spawn } from 'node:child_process'

export interface Remote<Module> {
  /** Calls an export of the module in the other process. */
  call<Name extends keyof Module & string>(
    name: Name,
    ...args: Module[Name] extends (...args: infer Args) => unknown ? Args : never
  ): Promise<Module[Name] extends (...args: never[]) => infer Result ? Awaited<Result> : never>
  end(): void
}

/** `core` is the number of a processor core, `profile` a directory that receives a CPU profile. */
export async function startProcess<Module>(
  module: string,
  core: number,
  profile?: string,
): Promise<Remote<Module>> {
  const flags = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  const child = spawn(
    'taskset',
    [
      '-c',
      String(core),
      process.execPath,
      ...flags,
      'test/bench/process.mjs',
      `./test/bench/server/${module}.ts`,
    ],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: { ...process.env, NODE_ENV: 'production' } },
  )
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
    call: (name, ...args) =>
      new Promise((resolve, reject) => {
        const id = calls++
        waiting.set(id, { resolve, reject })
        child.send({ id, name, args })
      }),
    end: () => child.disconnect(),
  }
}
