import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import type { ChildProcessWithoutNullStreams } from 'node:child_process'

export const CLI = 'server/dist/cli.js'

export interface Ended {
  code: number | null
  out: string
  err: string
}

export type Env = Record<string, string>

export const MERCHANT: Env = {
  GATEWAY_ENVIRONMENT: 'sandbox',
  GATEWAY_CONSUMER_KEY: 'sandbox-key',
  GATEWAY_CONSUMER_SECRET: 'sandbox-secret',
  GATEWAY_SERVICE_CODE: 'KES=CHECKOUT-KES',
  GATEWAY_ACCOUNT_NUMBER: 'ACC-001',
}

export async function run(
  args: readonly string[],
  env: Env = {},
  input = '',
  cli = CLI,
  cwd = '.',
): Promise<Ended> {
  const program = resolve(cli)
  const child = spawn(process.execPath, [program, ...args], { cwd, env: { PATH: process.env.PATH, ...env } })
  child.stdin.end(input)
  return endOf(child)
}

/** Resolves with the exit code of a process, and what it has written. */
export async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const ended = once(child, 'close')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return { code, out, err }
}

export async function start(
  args: readonly string[],
  env: Env,
  ready: RegExp,
  cli = CLI,
  node = process.execPath,
) {
  const child = spawn(node, [cli, ...args], { env: { PATH: process.env.PATH, ...env } })
  let said = ''
  const match = await new Promise<RegExpExecArray>((resolve, reject) => {
    const read = (piece: Buffer) => {
      said += piece.toString()
      const found = ready.exec(said)
      if (found) {
        resolve(found)
      }
    }

    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${said}`)))
  })
  const stop = async (): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) {
      return child.exitCode
    }

    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = await ended
    return code
  }

  /** Ends the process whatever it is doing, and also if it has ended. */
  const end = async (): Promise<void> => {
    child.kill('SIGKILL')
    await stop()
  }

  return { match, child, stop, end }
}

export async function runUnread(args: readonly string[], env: Env): Promise<Omit<Ended, 'out'>> {
  const child = spawn(process.execPath, [CLI, ...args], { env: { PATH: process.env.PATH, ...env } })
  child.stdin.end()
  child.stdout.destroy()
  const ended = once(child, 'close')
  const err = await text(child.stderr)
  const [code] = await ended
  return { code, err }
}
