/** Starts WebKit's driver on a screen of its own, and opens its sessions. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

import { freePort } from '../../free-port.ts'
import { openSession } from './session.ts'

import type { Session } from './session.ts'
import type { ChildProcess } from 'node:child_process'

export interface WebKit {
  open(): Promise<Session>
  close(): Promise<void>
}

const START_TIMEOUT_MS = 20_000
const SCREEN = '1280x1024x24'
// The driver and its browser occasionally wait for each other forever, so starts are retried.
const MAX_STARTS = 3

export async function startWebKit(driverPath: string): Promise<WebKit> {
  const screen = start('Xvfb', ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp'])
  const display = await firstWord(screen)
  return {
    async open() {
      for (let starts = 1; ; starts++) {
        const port = await freePort()
        // A headless machine has no accessibility bus, and searching for the bus takes seconds.
        const env = { DISPLAY: `:${display}`, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1' }
        const driver = start(driverPath, ['--host=127.0.0.1', `--port=${port}`], env)
        try {
          await answering(`http://127.0.0.1:${port}`)
          return await openSession(`http://127.0.0.1:${port}`, () => ended(driver))
        } catch (error) {
          await ended(driver)
          if (starts === MAX_STARTS) {
            throw error
          }
        }
      }
    },
    close: () => ended(screen),
  }
}

// The process has a group of its own, so that its child processes are killed with it.
function start(command: string, parameters: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(command, parameters, {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const end = () => kill(child)
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return
  }

  const exit = once(child, 'exit')
  kill(child)
  await exit
}

function kill({ pid }: ChildProcess): void {
  if (pid !== undefined) {
    process.kill(-pid, 'SIGKILL')
  }
}

async function firstWord(screen: ChildProcess): Promise<string> {
  const [written] = await once(screen.stdio[3]!, 'data', { signal: AbortSignal.timeout(START_TIMEOUT_MS) })
  return String(written).trim()
}

async function answering(address: string): Promise<void> {
  for (const signal = AbortSignal.timeout(START_TIMEOUT_MS); ; await delay(20, null, { signal })) {
    const answer = await fetch(`${address}/status`, { signal }).catch(() => null)
    if (answer?.ok) {
      return
    }
  }
}
