import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'

import { searchPath } from '../support/debian.ts'
import { freePort, listen } from '../support/free-port.ts'
import { exampleOf } from './languages.ts'

import type { LanguageName } from './languages.ts'
import type { ChildProcess } from 'node:child_process'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

const STARTED = { timeout: 120_000 }
export const SECRET = `whsec_${Buffer.from('the secret of a merchant of examples').toString('base64')}`

export interface WebhookRequest {
  headers: Record<string, string>
  body: string
}

export interface Listener {
  url: string
  said: () => string
  close: () => Promise<void>
}

export async function listenIn(language: LanguageName, folder: string, secret: string): Promise<Listener> {
  const inbox = join(folder, `inbox-${language}`)
  mkdirSync(inbox)
  const env = { PATH: searchPath(), INBOX: inbox, MERCHANT_WEBHOOK_SECRET: secret }
  if (language === 'curl') {
    return serveCgi(exampleOf('curl', 'webhook').at(-1)!, env)
  }

  const port = await freePort()
  const address = `127.0.0.1:${port}`
  const [command, ...args] = exampleOf(language, 'webhook')
  const server = language === 'php' ? ['-S', address] : []
  const child = spawn(command, [...server, ...args], { env: { ...env, PORT: String(port) } })
  const said = record(child)
  await vi.waitUntil(() => /listening|started/.test(said()), STARTED)
  return {
    url: `http://${address}/`,
    said,
    async close() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

/** Serves a CGI program in sh, as a web server does. */
export async function serveCgi(program: string, env: NodeJS.ProcessEnv): Promise<Listener> {
  let written = ''
  const server = serve(async (request, response) => {
    const { headers, body } = await read(request)
    const variables = Object.entries(headers).map(
      ([name, value]) => [`HTTP_${name.toUpperCase().replaceAll('-', '_')}`, value] as const,
    )
    const length = String(Buffer.byteLength(body))
    const child = spawn('sh', [program], {
      env: { ...env, ...Object.fromEntries(variables), CONTENT_LENGTH: length },
    })
    // The program may end before it has read the body.
    child.stdin.on('error', () => {}).end(body)
    child.stderr.on('data', (piece: Buffer) => (written += piece.toString()))
    const answer = await text(child.stdout)
    response.writeHead(Number(/^Status: (\d{3})\r\n\r\n$/.exec(answer)?.[1] ?? 500)).end()
  })
  return { url: await listen(server), said: () => written, close: () => close(server) }
}

/** An event as the server sends it, of so many seconds from now. */
export function signed(id: string, body: string, secret = SECRET, seconds = 0): WebhookRequest {
  const at = new Date(Date.now() + seconds * 1000)
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
  return { headers, body }
}

export async function tell(url: string, { headers, body }: WebhookRequest): Promise<number> {
  return (await fetch(url, { method: 'POST', headers, body })).status
}

export async function loseFirstResponses(target: string) {
  const lost = new Set<string>()
  const server = serve(async (request, response) => {
    const { method = 'GET', url = '' } = request
    const { headers, body } = await read(request)
    const answer = await fetch(target + url, { method, headers, ...(method === 'POST' && { body }) })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (method === 'POST' && !lost.has(url)) {
      lost.add(url)
      response.destroy()
    } else {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(bytes)
    }
  })
  return { url: await listen(server), lost, close: () => close(server) }
}

/** A payment server that redirects every request to another host, which has this answer for it. */
export async function redirectTo(answer: object) {
  let isFollowed = false
  const other = serve(async (_, response) => {
    isFollowed = true
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  const location = (await listen(other)).replace('127.0.0.1', 'localhost')
  const server = serve(async (_, response) => void response.writeHead(302, { location }).end())
  const closeBoth = async () => void (await Promise.all([close(server), close(other)]))
  return { url: await listen(server), followed: () => isFollowed, close: closeBoth }
}

function serve(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Server {
  return createServer((request, response) => {
    // Closes the connection without a response, like a server that is down.
    answer(request, response).catch(() => response.destroy())
  })
}

const PASSED_ON = ['content-type', 'authorization', 'webhook-id', 'webhook-timestamp', 'webhook-signature']

async function read(request: IncomingMessage): Promise<WebhookRequest> {
  const body = (await buffer(request)).toString()
  const given = PASSED_ON.map((name) => [name, request.headers[name]] as const)
  return {
    headers: Object.fromEntries(given.flatMap(([name, value]) => (value ? [[name, String(value)]] : []))),
    body,
  }
}

function record(child: ChildProcess): () => string {
  let said = ''
  child.stdout?.on('data', (piece: Buffer) => (said += piece.toString()))
  child.stderr?.on('data', (piece: Buffer) => (said += piece.toString()))
  return () => said
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await once(server.close(), 'close')
}
