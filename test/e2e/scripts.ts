import { createServer } from 'node:http'

import { listen } from '../support/free-port.ts'

/** Serves the element's scripts in the place of the payment server; `asked` has the paths of the second file. */
export async function openScripts(bff: string) {
  const asked: string[] = []
  let failures = 0
  let gate = Promise.resolve()
  const server = createServer((request, answer) => {
    const path = request.url ?? '/'
    const isSecond = path.startsWith('/gateway-checkout/flow-')
    if (isSecond) {
      asked.push(path)
    }

    const serve = async () => {
      if (isSecond) {
        await gate
      }

      const isFailed = isSecond && failures-- > 0
      const file = await fetch(bff + (isFailed ? '/gateway-checkout/none.js' : path))
      const headers = { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' }
      answer.writeHead(file.status, headers).end(await file.text())
    }

    void serve()
  })
  return {
    origin: await listen(server),
    asked,
    fail: (times: number) => void (failures = times),
    hold() {
      let release = () => {}
      gate = new Promise((resolve) => (release = resolve))
      return release
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
