import { systemClock } from '../../server/clock.ts'

export interface Shown {
  outcome: string
  /** The time of arrival, in milliseconds of `performance.now()`. */
  at: number
}

export interface WatchedStream {
  shown: Shown[]
  /** The start times of all connections, in milliseconds of `performance.now()`. */
  openedAt: number[]
  until(outcome: string): Promise<Shown>
  close(): void
}

const RETRY_MS = 2_000

export function watchStream(checkoutId: string, origins: (connection: number) => string): WatchedStream {
  const shown: Shown[] = []
  const openedAt: number[] = []
  const waiting = new Set<() => void>()
  const over = new AbortController()
  let lastEventId = ''
  void run()

  async function run(): Promise<void> {
    for (let connection = 0; !over.signal.aborted; connection++) {
      const isOver = await connect(origins(connection)).catch(() => false)
      if (isOver) return
      await systemClock.sleep(RETRY_MS, over.signal).catch(() => {})
    }
  }

  /**
   * Resolves with `true` if the server has no more events (status 204), and with `false` after any other end of the
   * connection.
   */
  async function connect(origin: string): Promise<boolean> {
    const headers = lastEventId === '' ? {} : { 'last-event-id': lastEventId }
    const path = `/checkout/status/${checkoutId}/stream`
    const answer = await fetch(origin + path, { headers, signal: over.signal })
    if (answer.status === 204) return true
    if (!answer.ok || !answer.body) return false
    let text = ''
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) read(event)
    }
    return false
  }

  function read(event: string): void {
    const at = performance.now()
    if (event.startsWith('retry:')) openedAt.push(at)
    lastEventId = /^id: (.*)$/m.exec(event)?.[1] ?? lastEventId
    const [, data] = /^event: status$[^]*^data: (.*)$/m.exec(event) ?? []
    if (data === undefined) return
    shown.push({ outcome: JSON.parse(data).outcome, at })
    for (const wake of waiting) wake()
  }

  return {
    shown,
    openedAt,
    async until(outcome) {
      for (;;) {
        const found = shown.find((view) => view.outcome === outcome)
        if (found) return found
        await new Promise<void>((resolve) => waiting.add(resolve))
        waiting.clear()
      }
    },
    close: () => over.abort(),
  }
}
