import type { Sandbox } from '../../demo/sandbox/index.ts'

/** The request that sends `body` as JSON. */
export const posted = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

export async function tokenOf({ app }: Pick<Sandbox, 'app'>): Promise<string> {
  const credentials = { consumer_key: 'sandbox-key', consumer_secret: 'sandbox-secret' }
  return (await (await app.request('/v1/auth', posted(credentials))).json()).access_token
}

/** Asks the control API of a sandbox, or of the one at a URL; with a body, by POST. */
export async function control(sandbox: Pick<Sandbox, 'app'> | string, path: string, body?: object) {
  const ask =
    typeof sandbox === 'string'
      ? (url: string, init?: RequestInit) => fetch(sandbox + url, init)
      : sandbox.app.request
  const answer = await ask(`/_sandbox${path}`, body && posted(body))
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
