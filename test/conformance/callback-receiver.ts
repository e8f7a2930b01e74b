/** Where callbacks arrive: each check opens a mailbox with an address of its own. */

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
  /** What arrived, the oldest first. */
  received: Callback[]
  /** The HTTP status that the next callbacks are answered with. */
  answers: number
}

export interface CallbackReceiver {
  open(): Mailbox
  /** What arrives at an address, as the status it is answered with. */
  receive(url: string, callback: Callback): number
}

/** @param origin Where the gateway finds it; a path of its own is added for each mailbox. */
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

/** A receiver on a port of this machine. `publicOrigin` is for a gateway that comes through a tunnel. */
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
