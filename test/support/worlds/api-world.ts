import { API_KEY } from './environment.ts'
import { createWorld } from './world.ts'

import type { WorldOptions } from './world.ts'

export async function createApiWorld(options: WorldOptions = {}) {
  const world = await createWorld(options)
  const authorization = `Bearer ${API_KEY}`

  async function ask(path: string, init: RequestInit) {
    const answer = await world.ask(`/api${path}`, init)
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }

  return {
    ...world,
    get: (path: string) => ask(path, { headers: { authorization } }),

    post(path: string, body: unknown = '', type = 'application/json') {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const headers = { authorization, 'content-type': type }
      return ask(path, { method: 'POST', headers, body: text })
    },
  }
}
