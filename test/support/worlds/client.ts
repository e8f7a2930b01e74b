import { API_KEY } from './environment.ts'
import { formOf } from './world.ts'

import type { App } from '../../../server/app.ts'

interface Request extends RequestInit {
  headers?: Record<string, string>
}

export type Client = ReturnType<typeof clientOf>

/** Returns a client that sends requests from the IP address `address` and adds `headers` to each request. */
export function clientOf(app: App, address: string, headers: Record<string, string> = {}) {
  const connection = { incoming: { socket: { remoteAddress: address } } }
  const ask = (path: string, { headers: own = {}, ...init }: Request = {}) =>
    Promise.resolve(app.request(path, { ...init, headers: { ...own, ...headers } }, connection))
  return {
    ask,
    api: (key = API_KEY) => ask('/api/payouts', { headers: { authorization: `Bearer ${key}` } }),
    initiate: (order: string, fields: Record<string, string> = {}) =>
      ask('/checkout/initiate', formOf(order, fields)),
  }
}

export function countByStatus(answers: readonly Response[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) {
    counts[status] = (counts[status] ?? 0) + 1
  }

  return counts
}

export async function repeat(times: number, work: (turn: number) => Promise<Response>): Promise<Response[]> {
  const answers: Response[] = []
  for (let turn = 0; turn < times; turn++) {
    answers.push(await work(turn))
  }

  return answers
}
