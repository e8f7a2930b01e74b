// Load on a server from another process: `node load.mjs ORIGIN API_KEY CONNECTIONS`. Each connection lists payouts, and
// one in eight creates payouts, too. Prints the reference of each acknowledged payout, until the server is gone.
import { Agent, request } from 'node:http'

const [origin, key, connections] = process.argv.slice(2)
const payout = JSON.parse(process.env.PAYOUT)
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
let number = 0

function send(path, body) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const sent = request(origin + path, { method: body ? 'POST' : 'GET', agent, headers }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode))
      answer.once('error', reject)
    })
    sent.once('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

async function load(isPaying) {
  for (;;) {
    try {
      const payout_reference = `P-${number++}`
      if (isPaying) {
        const status = await send('/api/payouts', { ...payout, payout_reference })
        if (status === 200 || status === 201) process.stdout.write(`${payout_reference}\n`)
      }
      await send('/api/payouts')
    } catch (error) {
      if (error.code === 'ECONNREFUSED') return
    }
  }
}

await Promise.all(Array.from({ length: Number(connections) }, (_, index) => load(index % 8 === 0)))
