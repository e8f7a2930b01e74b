import type { ClientRequest } from 'node:http'
import { Agent, get } from 'node:http'
import { Client } from 'undici'

export interface Load {
  url: string
  connections: number
  seconds?: number
  count?: number
  /**
   * The path of the requests. In `path` and `body`, `%n` is replaced with the number of the request, and `%v` with an
   * item of `values`. The requests use the items in turn.
   */
  path: string
  method: 'GET' | 'POST'
  body?: string
  headers?: Record<string, string>
  values?: readonly string[]
  from?: number
}

export interface Answered {
  perSecond: number
  // Latency percentiles, in milliseconds.
  p50: number
  p99: number
  statuses: Record<number, number>
  sample: string
  bodies: string[]
}

export async function run(load: Load): Promise<Answered> {
  const { url, method, connections, seconds = Infinity, count = Infinity, values = [''], from = 0 } = load
  const latencies: number[] = []
  const statuses: Record<number, number> = {}
  const bodies: string[] = []
  let sent = 0
  let sample = ''
  const fill = (text: string, number: number) =>
    text.replaceAll('%n', String(number)).replaceAll('%v', values[number % values.length] ?? '')
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000

  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(url)
      while (performance.now() < endsAt && sent < count) {
        const number = from + sent++
        const askedAt = performance.now()
        const { statusCode, body } = await client.request({
          method,
          path: fill(load.path, number),
          headers: { accept: 'application/json', ...load.headers },
          ...(load.body !== undefined && { body: fill(load.body, number) }),
        })
        sample = await body.text()
        latencies.push(performance.now() - askedAt)
        statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
        if (count < Infinity) bodies.push(sample)
      }
      await client.close()
    }),
  )
  const elapsed = (performance.now() - startedAt) / 1_000
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.ceil(latencies.length * share) - 1] ?? NaN
  return { perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), statuses, sample, bodies }
}

const streams = new Set<ClientRequest>()

export async function openStreams(url: string, ids: readonly string[], count: number): Promise<void> {
  const agent = new Agent({ maxSockets: Infinity })
  for (let opened = 0; opened < count; opened += 100) {
    await Promise.all(
      Array.from({ length: 100 }, async (_, number) => {
        const id = ids[(opened + number) % ids.length]
        // The server limits the streams of one address.
        const headers = { 'x-forwarded-for': `10.0.${Math.floor(opened / 100)}.1` }
        await new Promise<void>((resolve, reject) => {
          const request = get(`${url}/checkout/status/${id}/stream`, { agent, headers }, (response) => {
            if (response.statusCode !== 200)
              return reject(new Error(`A stream answered ${response.statusCode}.`))
            response.on('data', () => resolve())
            response.on('close', () => streams.delete(request))
            response.on('error', () => {})
            streams.add(request)
          })
          request.on('error', reject)
        })
      }),
    )
  }
}

export function closeStreams(): number {
  const open = streams.size
  for (const request of streams) request.destroy()
  return open
}
