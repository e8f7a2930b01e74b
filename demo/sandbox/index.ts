/** Public entry of the sandbox: `createSandbox` creates one without a port, `startSandbox` serves one over HTTP. */

import { serve } from '@hono/node-server'
import { createApp } from './app.ts'
import { anySeed } from './randomness.ts'
import { createTimeline } from './timeline/timeline.ts'
import { createSimulation } from './world.ts'
import type { Hono } from 'hono'
import type { SandboxFetch } from './callbacks/post.ts'
import type { PortalSettings } from './callbacks/portal.ts'
import type { Timeline } from './timeline/timeline.ts'

export { createTimeline } from './timeline/timeline.ts'
export type { SandboxFetch } from './callbacks/post.ts'
export type { PortalSettings } from './callbacks/portal.ts'
export type { Cancel, Task, Timeline, TimelineOptions, Wall } from './timeline/timeline.ts'

export interface SandboxOptions {
  /** The clock and scheduler of the sandbox. Default: real time, which `/_sandbox/clock` can speed up or move ahead. */
  timeline?: Timeline
  /** Function that sends callbacks. Default: the global `fetch`. */
  fetch?: SandboxFetch
  /**
   * Seed of all random values. With the same seed and the same requests, the sandbox returns the same tokens and
   * references. Default: a random seed.
   */
  seed?: number
  /** Origin of the hosted page, used in `redirect_url`. Default: the origin of the request that creates the session. */
  publicUrl?: string
  /** Host names that may receive callbacks, in addition to loopback hosts. Default: none. */
  callbackHosts?: readonly string[]
  /** Initial callback URLs of the merchant portal. Requests to `/_sandbox/portal` change them. Default: none. */
  portal?: PortalSettings
}

export interface Sandbox {
  app: Hono
  timeline: Timeline
}

export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const {
    timeline = createTimeline(),
    seed = anySeed(),
    callbackHosts = [],
    portal = {},
    publicUrl,
  } = options
  const deliver: SandboxFetch = options.fetch ?? ((url, init) => fetch(url, init))
  const simulation = createSimulation({ timeline, fetch: deliver, seed, callbackHosts, portal })
  return {
    app: createApp(simulation, publicUrl?.replace(/\/$/, '')),
    timeline,
  }
}

/**
 * Starts a sandbox as an HTTP server. Port 0 selects a free port. Resolves when the server listens; rejects if the port
 * cannot be opened. `close` stops the server and cancels all scheduled tasks.
 */
export async function startSandbox(
  options: SandboxOptions & { port: number; hostname?: string },
): Promise<Sandbox & { url: string; close(): Promise<void> }> {
  const { port, hostname = '127.0.0.1' } = options
  const sandbox = createSandbox(options)
  const server = serve({ fetch: sandbox.app.fetch, port, hostname })
  await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject))
  const address = server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port
  return {
    ...sandbox,
    url: `http://${hostname}:${actualPort}`,
    close: () =>
      new Promise((resolve, reject) => {
        sandbox.timeline.close()
        server.close((error) => (error ? reject(error) : resolve()))
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
