/** Starts one measured server of `subject.mjs`. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'

const SERVER_CORE = 0

/** The core of the load, the gateway and Postgres. */
export const LOAD_CORE = 1

export interface Subject {
  url: string
  /** Its process. */
  pid: number
}

/** Measures a subject, which runs in a process and on a core of its own. */
export async function withSubject<Result>(
  name: string,
  options: object,
  measure: (subject: Subject) => Promise<Result>,
): Promise<Result> {
  const program = ['test/bench/server/subject.mjs', name, JSON.stringify(options)]
  const child = spawn('taskset', ['-c', String(SERVER_CORE), process.execPath, ...program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const ended = once(child, 'exit')
  try {
    const [url] = await once(child, 'message')
    return await measure({ url, pid: child.pid ?? 0 })
  } finally {
    child.disconnect()
    await ended
  }
}
