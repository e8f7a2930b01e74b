/** A door before a server: what passes through is answered with headers that the server would not have chosen. */

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { freePort } from '../support/free-port.ts'

export interface Front {
  readonly origin: string
  /** Written over those of the server behind. */
  headers: Record<string, string>
  close(): void
}

/** @param port of the server behind, which is told whom the browser asked, and so writes addresses that lead here */
export async function openFront(port: number): Promise<Front> {
  const server = createServer((asked, answer) => {
    const { method, url, headers } = asked
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, { ...answered.headers, ...front.headers })
      answered.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
  })
  const own = await freePort()
  await once(server.listen(own, '127.0.0.1'), 'listening')
  const front: Front = {
    origin: `http://127.0.0.1:${own}`,
    headers: {},
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return front
}
