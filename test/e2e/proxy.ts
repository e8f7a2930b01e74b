/** A reverse proxy that can delay requests and replace response headers. */

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { freePort } from '../support/free-port.ts'

export interface ReverseProxy {
  readonly origin: string
  /** Replace those of the server behind the proxy. */
  headers: Record<string, string>
  /** Holds every request back until the returned function is called. */
  hold(): () => void
  close(): void
}

/** @param port of the server behind the proxy. It receives the `Host` of the proxy, so its links lead to the proxy. */
export async function openProxy(port: number): Promise<ReverseProxy> {
  let gate = Promise.resolve()
  const server = createServer((asked, answer) => void gate.then(() => pass(asked, answer)))
  const pass = (asked: IncomingMessage, answer: ServerResponse) => {
    const { method, url, headers } = asked
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, { ...answered.headers, ...proxy.headers })
      answered.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
  }
  const own = await freePort()
  await once(server.listen(own, '127.0.0.1'), 'listening')
  const proxy: ReverseProxy = {
    origin: `http://127.0.0.1:${own}`,
    headers: {},
    hold() {
      let open = () => {}
      gate = new Promise((resolve) => (open = resolve))
      return open
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return proxy
}
