import { vi } from 'vitest'
import { openStore } from '../../server/store/open.ts'
import { openFastWorld, startBff } from './fast-world.ts'

const EVENTUALLY = { timeout: 120_000, interval: 50 }

export type KillableWorld = Awaited<ReturnType<typeof openKillableWorld>>

// Unfinished transactions are due within 10 minutes, settled transactions only after an hour.
const REST_MS = 10 * 60_000

/**
 * Starts a server that kills itself at the step `dieAt`, such as `after store.commit #1`. A step is the moment before
 * or after a store write or an HTTP request. If `dieAt` is `null`, the server only records its steps.
 */
export async function openKillableWorld(storeUrl: string, dieAt: string | null) {
  const world = await openFastWorld(storeUrl)
  const { env, account, bffUrl } = world
  let isOver = false
  let bff = await startBff({ ...env, ...(dieAt !== null && { DIE_AT: dieAt }) })
  const first = bff
  const store = openStore(env.STORE_URL, { isCommand: true })
  const died = () => first.process.signalCode === 'SIGKILL'
  const revived = first.ended.then(async () => {
    if (!isOver) bff = await startBff(env)
  })
  // A failed restart is reported when the world closes, not as an error outside tests.
  revived.catch(() => {})

  async function expectNoneDueSoon(): Promise<void> {
    const due = await store.nextDue(account, 'transactions')
    const isDueSoon = due !== null && due < world.now() + REST_MS
    // After `needs_attention`, the server only queries the transaction every minute.
    const isOpen = isDueSoon && !(await storedEvents()).some(({ type }) => type.endsWith('.needs_attention'))
    if (isOpen) throw new Error('A transaction is due soon.')
  }

  const storedEvents = () => store.listEvents(account, 0, 100)

  async function ask<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
    return vi.waitFor(async () => {
      const answer = await fetch(bffUrl + path, { ...init, signal: AbortSignal.timeout(5_000) })
      if (!answer.ok) throw new Error(await answer.text())
      return answer.json()
    }, EVENTUALLY)
  }

  return {
    received: world.received,
    died,
    steps: first.steps,
    storedEvents,

    ask,

    async rest(): Promise<void> {
      await vi.waitFor(async () => {
        await expectNoneDueSoon()
        for (const queue of ['events', 'retries'] as const)
          if ((await store.nextDue(account, queue)) !== null) throw new Error('An event is not delivered.')
        // Settling a transaction adds events, and delivering an event may make its transaction due.
        await expectNoneDueSoon()
      }, EVENTUALLY)
      await ask('/health/ready')
    },

    sandbox: world.control,

    async close() {
      isOver = true
      await first.kill()
      await revived
      await bff.kill()
      await Promise.all([world.close(), store.close()])
    },
  }
}
