/** Sends requests over a fixed number of connections, each as soon as the one before it is answered. */

import { Client } from 'undici'

export interface Load {
  url: string
  connections: number
  seconds: number
  /** `%n` in path and body is replaced by the number of the request, `%v` by the next of `values`. */
  path: string
  method: 'GET' | 'POST'
  body?: string
  headers?: Record<string, string>
  values?: readonly string[]
  /** Where `%n` starts, so that runs against one server differ. */
  from?: number
}

export interface Answered {
  perSecond: number
  count: number
  p50: number
  p99: number
  /** Answers by HTTP status. */
  statuses: Record<number, number>
  /** The first answer's body. */
  sample: string
}

export async function run(load: Load): Promise<Answered> {
  const { url, connections, seconds, values = [''] } = load
  const latencies: number[] = []
  const statuses: Record<number, number> = {}
  let sent = load.from ?? 0
  let sample = ''
  const fill = (text: string, number: number) =>
    text.replaceAll('%n', String(number)).replaceAll('%v', values[number % values.length] ?? '')
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(url)
      while (performance.now() < endsAt) {
        const number = sent++
        const askedAt = performance.now()
        const { statusCode, body } = await client.request({
          method: load.method,
          path: fill(load.path, number),
          headers: { accept: 'application/json', ...load.headers },
          ...(load.body !== undefined && { body: fill(load.body, number) }),
        })
        const text = await body.text()
        latencies.push(performance.now() - askedAt)
        statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
        sample ||= text
      }
      await client.close()
    }),
  )
  const elapsed = (performance.now() - startedAt) / 1_000
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.ceil(latencies.length * share) - 1] ?? NaN
  return {
    perSecond: latencies.length / elapsed,
    count: latencies.length,
    p50: at(0.5),
    p99: at(0.99),
    statuses,
    sample,
  }
}
