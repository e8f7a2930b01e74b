/** A door before a server: what passes through may have to wait, and is answered with other headers than its own. */

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { freePort } from '../support/free-port.ts'

export interface Front {
  readonly origin: string
  /** Written over those of the server behind. */
  headers: Record<string, string>
  /** Nothing passes from now on, until the answer is called. */
  hold(): () => void
  close(): void
}

/** @param port of the server behind, which is told whom the browser asked, and so writes addresses that lead here */
export async function openFront(port: number): Promise<Front> {
  let gate = Promise.resolve()
  const server = createServer((asked, answer) => void gate.then(() => pass(asked, answer)))
  const pass = (asked: IncomingMessage, answer: ServerResponse) => {
    const { method, url, headers } = asked
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, { ...answered.headers, ...front.headers })
      answered.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
  }
  const own = await freePort()
  await once(server.listen(own, '127.0.0.1'), 'listening')
  const front: Front = {
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
  return front
}
