/**
 * WebKit as Debian has it: WebKitGTK's own small browser on a screen that nobody sees, moved by plain W3C WebDriver.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { ChildProcess } from 'node:child_process'
import { openSession } from './webkit/session.ts'
import type { Session } from './webkit/session.ts'

export interface WebKit {
  /** A browser that remembers nothing of the others. The driver has one at a time. */
  open(): Promise<Session>
  close(): Promise<void>
}

const START_TIMEOUT_MS = 20_000
const SCREEN = '1280x1024x24'

export async function startWebKit(driverPath: string): Promise<WebKit> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const display = await firstWord(screen)
  const port = await freePort()
  const driver = spawn(driverPath, ['--host=127.0.0.1', `--port=${port}`], {
    // Without a desktop there is no accessibility bus, and looking for one takes seconds.
    env: { ...process.env, DISPLAY: `:${display}`, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1' },
    stdio: 'ignore',
  })
  const address = `http://127.0.0.1:${port}`
  await answering(address)
  return {
    open: () => openSession(address),
    async close() {
      await ended(driver)
      await ended(screen)
    },
  }
}

/** The number of the display, which the screen writes as soon as it can be used. */
async function firstWord(screen: ChildProcess): Promise<string> {
  const [written] = await once(screen.stdio[3]!, 'data', { signal: AbortSignal.timeout(START_TIMEOUT_MS) })
  return String(written).trim()
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await once(server.close(), 'close')
  if (typeof address !== 'object' || address === null) throw new Error('No port is free.')
  return address.port
}

async function answering(address: string): Promise<void> {
  for (const signal = AbortSignal.timeout(START_TIMEOUT_MS); ; await delay(20, null, { signal })) {
    const answer = await fetch(`${address}/status`, { signal }).catch(() => null)
    if (answer?.ok) return
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill()
  await exit
}
