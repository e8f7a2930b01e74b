import { Client } from 'undici'

export interface Load {
  url: string
  method: 'GET' | 'POST'
  /**
   * In `path` and `body`, `%n` is replaced with the number of the request, and `%v` with an item of `values`, by turns.
   */
  path: string
  body?: string
  values?: readonly string[]
  seconds?: number
  count?: number
  from?: number
}

const CONNECTIONS = 32
const WARM_UP_SECONDS = 2
const SECONDS = 4

/** A new order each. */
export const INITIATE = {
  method: 'POST',
  path: '/checkout/initiate',
  body: JSON.stringify({
    order: 'order-%n',
    payer_name: 'Asha Otieno',
    payer_email: 'asha@example.com',
    payer_msisdn: '254700000001',
  }),
} as const

/** The status of each of some checkouts, by their ids. */
export const STATUS = { method: 'GET', path: '/checkout/status/%v' } as const

/** Sends requests over some connections, for so many seconds or so often. Resolves with the rate and the answers. */
export async function run(load: Load): Promise<{ perSecond: number; bodies: string[] }> {
  const { url, method, seconds = Infinity, count = Infinity, values = [''], from = 0 } = load
  const bodies: string[] = []
  let sent = 0
  const fill = (text: string, number: number) =>
    text.replaceAll('%n', String(number)).replaceAll('%v', values[number % values.length] ?? '')
  const startedAt = performance.now()

  async function connect(): Promise<void> {
    const client = new Client(url)
    while (performance.now() < startedAt + seconds * 1_000 && sent < count) {
      const number = from + sent++
      const { statusCode, body } = await client.request({
        method,
        path: fill(load.path, number),
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        ...(load.body !== undefined && { body: fill(load.body, number) }),
      })
      const text = await body.text()
      if (statusCode >= 400) {
        throw new Error(`${load.path} answered ${statusCode}: ${text}`)
      }

      bodies.push(text)
    }

    await client.close()
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, connect))
  return { perSecond: (bodies.length / (performance.now() - startedAt)) * 1_000, bodies }
}

/** Returns how many requests are answered in a second, after a time to warm up. */
export async function rate(load: Load): Promise<number> {
  await run({ ...load, seconds: WARM_UP_SECONDS })
  return (await run({ ...load, seconds: SECONDS, from: 1_000_000 })).perSecond
}
