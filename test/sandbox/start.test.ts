import { afterEach, expect, it } from 'vitest'
import { createTimeline, startSandbox } from '../../demo/sandbox/index.ts'
import { request } from './merchant.ts'

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

async function start() {
  const sandbox = await startSandbox({ port: 0, seed: 1, timeline: createTimeline() })
  close = () => sandbox.close()
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(sandbox.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const credentials = { consumer_key: 'sandbox-key', consumer_secret: 'sandbox-secret' }
  const { access_token } = await (await post('/v1/auth', credentials)).json()
  const initiate = () => post('/v2/checkout/initiate', request(), { 'x-access-token': access_token })
  return { ...sandbox, post, initiate }
}

it('listens on a port, and its pages have that address', async () => {
  const sandbox = await start()
  const { redirect_url } = await (await sandbox.initiate()).json()
  expect(redirect_url).toMatch(new RegExp(`^${sandbox.url}/pay/`))
  expect((await fetch(redirect_url)).status).toBe(200)
})

it.each(['reset', 'answer_lost'])('cuts the connection on %s and keeps running', async (fault) => {
  const sandbox = await start()
  await sandbox.post('/_sandbox/faults', { fault })
  await expect(sandbox.initiate().then((answer) => answer.text())).rejects.toThrow()
  expect((await sandbox.initiate()).status).toBe(200)
})

it('rejects when the port is in use', async () => {
  const { url } = await start()
  await expect(startSandbox({ port: Number(new URL(url).port) })).rejects.toThrow('EADDRINUSE')
})
