import type { Sandbox } from '../../demo/sandbox/index.ts'

export async function tokenOf({ app }: Pick<Sandbox, 'app'>): Promise<string> {
  const answer = await app.request('/v1/auth', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ consumer_key: 'sandbox-key', consumer_secret: 'sandbox-secret' }),
  })
  return (await answer.json()).access_token
}

export async function control({ app }: Pick<Sandbox, 'app'>, path: string, body: object) {
  const answer = await app.request(`/_sandbox${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
