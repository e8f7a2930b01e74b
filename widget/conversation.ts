/**
 * What is being asked of the BFF just now. Each question has a signal of its own, and an answer counts only
 * while that signal is live: a stale answer never reaches the session.
 */

import { createAttention } from './attention.ts'
import { createBffClient } from './bff-client.ts'
import { createPolling } from './status-source/polling.ts'

import type { View } from '../server/contract/view.ts'
import type { Environment } from './environment.ts'
import type { Failure } from './failure.ts'
import type { Initiation } from './bff-client.ts'
import type { StatusSource } from './status-source.ts'

/** What the session is told; each says that an answer is still wanted. */
export interface Listener {
  initiated(view: View): void
  refused(failure: Failure): void
  reported(view: View): void
  troubled(failure: Failure): void
}

export interface Conversation {
  initiate(base: string, initiation: Initiation): Promise<void>
  /** @param fresh whether a view has just arrived. */
  follow(base: string, checkoutId: string, fresh: boolean): Promise<void>
  /** Something may have happened: ask now. */
  nudge(): void
  stop(): void
}

export function createConversation(environment: () => Environment, listener: Listener): Conversation {
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
      if (answer.ok) listener.initiated(answer.view)
      else listener.refused(answer.failure)
    },
    async follow(base, checkoutId, fresh) {
      following.abort()
      const { signal } = (following = new AbortController())
      const { fetch, clock, random, window } = environment()
      const client = createBffClient(base, fetch, clock)
      source = createPolling({ client, attention: createAttention(window), clock, random })
      for await (const report of source.follow(checkoutId, fresh, signal)) {
        if (signal.aborted) return
        if (report.kind === 'view') listener.reported(report.view)
        else listener.troubled(report.failure)
      }
    },
    nudge: () => source?.nudge(),
    stop() {
      initiation.abort()
      following.abort()
    },
  }
}
