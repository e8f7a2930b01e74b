/** Receives callbacks: each check opens a mailbox with its own address. */

import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseJson } from './json.ts'
import type { AddressInfo } from 'node:net'
import type { Json } from './json.ts'

export interface Callback {
  method: string
  contentType: string
  body: Json
}

export interface Mailbox {
  url: string
  /** The received callbacks, oldest first. */
  received: Callback[]
  /** The HTTP status for the next callbacks. */
  answers: number
}

export interface CallbackReceiver {
  open(): Mailbox
  /** Stores a callback and returns the status for it. */
  receive(url: string, callback: Callback): number
}

/** @param origin The origin for the gateway; each mailbox has its own path. */
export function createCallbackReceiver(origin: string): CallbackReceiver {
  const mailboxes = new Map<string, Mailbox>()
  return {
    open() {
      const path = `/callbacks/${randomUUID()}`
      const mailbox: Mailbox = { url: origin + path, received: [], answers: 200 }
      mailboxes.set(path, mailbox)
      return mailbox
    },
    receive(url, callback) {
      const path = new URL(url).pathname
      const mailbox = mailboxes.get(path.split('/').slice(0, 3).join('/'))
      mailbox?.received.push(callback)
      return mailbox?.answers ?? 404
    },
  }
}

/** A receiver on a port of this machine. `publicOrigin` is the origin of a tunnel. */
export async function listenForCallbacks({ port, publicOrigin }: { port: number; publicOrigin?: string }) {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', headers } = request
      const callback = { method, contentType: headers['content-type'] ?? '', body: parseJson(body) }
      response.statusCode = receiver.receive(`http://localhost${request.url}`, callback)
      response.end('OK')
    })
  })
  await new Promise<void>((resolve, reject) =>
    server.listen(port, '127.0.0.1', resolve).once('error', reject),
  )
  // A server that listens on a port has an address with one.
  const address = server.address() as AddressInfo
  const receiver = createCallbackReceiver(publicOrigin ?? `http://127.0.0.1:${address.port}`)
  return { receiver, close: () => server.close() }
}
