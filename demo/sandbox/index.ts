/** The public entry of the sandbox: creates it inside this process, or starts it on a port. */

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
  /** The source of time. Default: real time, which `/_sandbox/clock` can move. */
  timeline?: Timeline
  /** The function that delivers callbacks. Default: the global `fetch`. */
  fetch?: SandboxFetch
  /**
   * The seed of all random values: the same seed and the same requests give the same tokens and references. Default: a
   * random seed.
   */
  seed?: number
  /** The origin of the hosted page in `redirect_url`. Default: the origin of the request that creates the session. */
  publicUrl?: string
  /** The host names that may receive callbacks, in addition to loopback hosts. Default: none. */
  callbackHosts?: readonly string[]
  /** The initial callback addresses of the merchant portal; `/_sandbox/portal` changes them. Default: none. */
  portal?: PortalSettings
}

export interface Sandbox {
  app: Hono
  /** The timeline of the sandbox, for sharing it with other parts of a test. */
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
 * Starts a sandbox on a port; port 0 selects a free port. Resolves once the server listens; rejects if the port cannot
 * be opened. `close` ends the connections and the timeline.
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
