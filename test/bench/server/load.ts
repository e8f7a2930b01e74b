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
