import type { Sandbox } from '../../../demo/sandbox/index.ts'

/** The request that sends `body` as JSON. */
export const posted = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** A sandbox, or the URL of one. */
type Asked = Pick<Sandbox, 'app'> | string

const asking = (sandbox: Asked) => (path: string, init?: RequestInit) =>
  typeof sandbox === 'string' ? fetch(sandbox + path, init) : sandbox.app.request(path, init)

export async function tokenOf(sandbox: Asked): Promise<string> {
  const credentials = { consumer_key: 'sandbox-key', consumer_secret: 'sandbox-secret' }
  return (await (await asking(sandbox)('/v1/auth', posted(credentials))).json()).access_token
}

/** Asks the control API of a sandbox; with a body, by POST. */
export async function control(sandbox: Asked, path: string, body?: object) {
  const answer = await asking(sandbox)(`/_sandbox${path}`, body && posted(body))
  if (!answer.ok) {
    throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  return answer.json()
}
