/**
 * What is being asked of the BFF just now. Each question has a signal of its own, and an answer counts only
 * while that signal is live: a stale answer never reaches the session.
 */

import { createAttention } from './attention.ts'
import { createBffClient } from './bff-client.ts'
import { createPolling } from './status-source/polling.ts'

import type { Launch } from './launcher.ts'
import type { Payer } from './payer.ts'
import type { SessionEvent } from './session/step.ts'
import type { StatusSource } from './status-source.ts'
import type { Tag } from './tag.ts'

export interface Conversation {
  initiate(payer: Payer, launch: Launch): Promise<void>
  /** @param fresh whether a view has just arrived. */
  follow(checkoutId: string, fresh: boolean): Promise<void>
  /** Something may have happened: ask now. */
  nudge(): void
  stop(): void
}

/**
 * @param tag what the questions are about, as it is when they are asked.
 * @param send takes what was learned, while it is still wanted.
 */
export function createConversation(tag: () => Tag, send: (event: SessionEvent) => void): Conversation {
  let initiation = new AbortController()
  let following = new AbortController()
  let source: StatusSource | null = null

  return {
    async initiate(payer, launch) {
      initiation.abort()
      const { signal } = (initiation = new AbortController())
      const { order, returnUrl, lang } = tag()
      const request = { ...payer, order, return_url: returnUrl, launch, lang }
      const answer = await client().initiate(request, signal)
      if (signal.aborted) return
      send('view' in answer ? { type: 'initiated', ...answer } : { type: 'refused', ...answer })
    },
    async follow(checkoutId, fresh) {
      following.abort()
      const { signal } = (following = new AbortController())
      const { clock, random, window } = tag().environment
      source = createPolling({ client: client(), attention: createAttention(window), clock, random })
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

  function client() {
    const { base, environment } = tag()
    return createBffClient(base ?? '', environment.fetch, environment.clock)
  }
}
