import { expect, test } from 'vitest'
import { Worker } from 'node:worker_threads'
import { request } from 'node:http'
import { createListeningShop } from '../support/listening-shop.ts'
import { PAYER } from '../support/world.ts'

const CHECKOUTS = 60

const FLOOD = `
  const { workerData: { port, path, method, headers, body }, parentPort } = require('node:worker_threads')
  const http = require('node:http')
  const agent = new http.Agent({ keepAlive: true, maxSockets: 100 })
  let sent = 0
  const send = () => {
    const options = { port, host: '127.0.0.1', localAddress: '127.0.0.2', path, method, headers, agent }
    const question = http.request(options, (answer) => {
      answer.resume().once('end', () => { parentPort.postMessage(answer.statusCode); send() })
    })
    question.on('error', () => setTimeout(send, 10))
    question.end(body.replace('ORDER', 'guess-' + sent++))
  }
  for (let connection = 0; connection < 100; connection++) send()
`

test.each([
  ['guessed orders', '/checkout/initiate', 'POST', {}, 'order=ORDER'],
  ['wrong keys', '/api/payouts', 'GET', { authorization: 'Bearer a wrong key of an attacker' }, ''],
])(
  'a checkout takes at most twice as long while another address floods the server with %s',
  { timeout: 60_000 },
  async (_, path, method, own, body) => {
    const shop = await createListeningShop()
    await checkouts(shop.port, 'warm')
    const usual = await checkouts(shop.port, 'usual')
    const headers = {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...own,
    }
    const flood = new Worker(FLOOD, {
      eval: true,
      workerData: { port: shop.port, path, method, headers, body },
    })
    let answered = 0
    flood.on('message', () => (answered += 1))
    await expect.poll(() => answered, { timeout: 10_000 }).toBeGreaterThan(100)
    const flooded = await checkouts(shop.port, 'flooded')
    await flood.terminate()
    shop.close()
    // Differences below 5 ms are those of the machine.
    expect(flooded).toBeLessThan(Math.max(usual * 2, usual + 5))
  },
)

/** Creates checkouts one after another. Resolves with the median duration of a request, in milliseconds. */
async function checkouts(port: number, name: string): Promise<number> {
  const durations: number[] = []
  for (let order = 0; order < CHECKOUTS; order++) {
    const startedAt = performance.now()
    expect(await start(port, `A-${name}-${order}`)).toBe(201)
    durations.push(performance.now() - startedAt)
  }
  return durations.toSorted((a, b) => a - b)[CHECKOUTS / 2]!
}

function start(port: number, order: string): Promise<number | undefined> {
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  const options = { port, host: '127.0.0.1', path: '/checkout/initiate', method: 'POST', headers }
  return new Promise((resolve, reject) => {
    const question = request(options, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode))
    })
    question.once('error', reject)
    question.end(new URLSearchParams({ order, ...PAYER }).toString())
  })
}
