/**
 * What is being asked of the BFF just now. Each question has a signal of its own, and an answer counts only
 * while that signal is live: a stale answer never reaches the session.
 */

import { createAttention } from './attention.ts'
import { createBffClient } from './bff-client.ts'
import { createPolling } from './status-source/polling.ts'

import type { Initiation } from './bff-client.ts'
import type { Environment } from './environment.ts'
import type { SessionEvent } from './session/step.ts'
import type { StatusSource } from './status-source.ts'

export interface Conversation {
  initiate(base: string, initiation: Initiation): Promise<void>
  /** @param fresh whether a view has just arrived. */
  follow(base: string, checkoutId: string, fresh: boolean): Promise<void>
  /** Something may have happened: ask now. */
  nudge(): void
  stop(): void
}

/** @param send takes what was learned, while it is still wanted. */
export function createConversation(
  environment: () => Environment,
  send: (event: SessionEvent) => void,
): Conversation {
  let initiation = new AbortController()
  let following = new AbortController()
  let source: StatusSource | null = null

  return {
    async initiate(base, request) {
      initiation.abort()
      const { signal } = (initiation = new AbortController())
      const { fetch, clock } = environment()
      const answer = await createBffClient(base, fetch, clock).initiate(request, signal)
      if (signal.aborted) return
      send('view' in answer ? { type: 'initiated', ...answer } : { type: 'refused', ...answer })
    },
    async follow(base, checkoutId, fresh) {
      following.abort()
      const { signal } = (following = new AbortController())
      const { fetch, clock, random, window } = environment()
      const client = createBffClient(base, fetch, clock)
      source = createPolling({ client, attention: createAttention(window), clock, random })
      for await (const report of source.follow(checkoutId, fresh, signal)) {
        if (signal.aborted) return
        send('view' in report ? { type: 'reported', ...report } : { type: 'troubled', ...report })
      }
    },
    nudge: () => source?.nudge(),
    stop() {
      initiation.abort()
      following.abort()
    },
  }
}
