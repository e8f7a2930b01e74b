import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CountingGateway } from '../support/counting-gateway.ts'
import type { Postgres } from '../support/postgres.ts'
import type { Replica } from '../support/replicas.ts'
import { startCountingGateway } from '../support/counting-gateway.ts'
import { startPostgres } from '../support/postgres.ts'
import { startReplicas } from '../support/replicas.ts'
import { PAYER } from '../support/world.ts'

/** Measurements with and without the flood alternate, because other programs of the machine slow both. */
const ROUNDS = 4
const CHECKOUTS = 30
const FORM = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }

/** Sends requests on 100 connections from another address, each as soon as the response before has arrived. */
const FLOOD = `
  const { workerData: { port, path, method, headers, body }, parentPort } = require('node:worker_threads')
  const http = require('node:http')
  const agent = new http.Agent({ keepAlive: true, maxSockets: 100 })
  let sent = 0
  const send = () => {
    const number = sent++
    const options = { port, host: '127.0.0.1', localAddress: '127.0.0.2', method, headers, agent }
    const question = http.request({ ...options, path: path.replace('GUESS', 'guess-' + number) }, (answer) => {
      answer.resume().once('end', () => { parentPort.postMessage(answer.statusCode); send() })
    })
    question.on('error', () => setTimeout(send, 10))
    question.end(body.replace('GUESS', 'guess-' + number))
  }
  for (let connection = 0; connection < 100; connection++) send()
`

interface Flood {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

const FLOODS: [string, Flood][] = [
  ['guessed orders', { path: '/checkout/initiate', method: 'POST', headers: FORM, body: 'order=GUESS' }],
  ['pages that do not exist', { path: '/GUESS' }],
  ['wrong keys', { path: '/api/payouts', headers: { authorization: 'Bearer a wrong key of an attacker' } }],
  ['guessed checkouts', { path: '/checkout/status/GUESS' }],
  ['forged callbacks', { path: '/callbacks/checkout/GUESS.AAAA', method: 'POST', body: '{}' }],
  ['refused starts', { path: '/checkout/initiate', method: 'POST', headers: FORM, body: 'order=A-known' }],
  ['polls of its own checkout', { path: '/checkout/status/OWN' }],
  ['requests for the script', { path: '/gateway-checkout.js' }],
]

// Durations are only comparable while no other test uses the processor, so `npm test` leaves these tests out.
describe.runIf(process.env['FULL']).each(['SQLite', 'Postgres'])('on %s', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-checkout-floods-'))
  let gateway: CountingGateway
  let postgres: Postgres | null = null
  let server: Replica
  let own = ''

  beforeAll(async () => {
    gateway = await startCountingGateway()
    if (engine === 'Postgres') postgres = await startPostgres()
    const storeUrl = (await postgres?.newDatabase()) ?? `sqlite:${join(folder, 'store.sqlite')}`
    const env = { TRUSTED_PROXIES: 'none', MERCHANT_API_KEY: 'Zq7-vN2x_kT9w.bL4m3RfY8s' }
    ;[server] = (await startReplicas(1, { gateway, storeUrl, env })) as [Replica]
    await medianOf(server.port)
    own = (await server.initiate('A-own')).checkout_id
  }, 60_000)
  afterAll(async () => {
    await server.stop()
    await gateway.close()
    await postgres?.stop()
    rmSync(folder, { recursive: true })
  })

  test.each(FLOODS)(
    'a checkout takes at most twice as long while another address floods the server with %s',
    { timeout: 120_000 },
    async (_, { path, method = 'GET', headers = {}, body = '' }) => {
      const usual: number[] = []
      const flooded: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        usual.push(await medianOf(server.port))
        const { port } = server
        const workerData = { port, path: path.replace('OWN', own), method, headers, body }
        const flood = new Worker(FLOOD, { eval: true, workerData })
        let answered = 0
        flood.on('message', () => (answered += 1))
        await expect.poll(() => answered, { timeout: 10_000 }).toBeGreaterThan(100)
        flooded.push(await medianOf(server.port))
        await flood.terminate()
      }
      // Other programs of the machine only lengthen durations. Differences below 5 ms are those of the machine.
      const [before, during] = [Math.min(...usual), Math.min(...flooded)]
      expect(during, `${before} ms before`).toBeLessThan(Math.max(before * 2, before + 5))
    },
  )
})

let started = 0

/** Creates checkouts one after another. Resolves with the median duration of a request, in milliseconds. */
async function medianOf(port: number): Promise<number> {
  const durations: number[] = []
  for (let order = 0; order < CHECKOUTS; order++) {
    const startedAt = performance.now()
    expect(await start(port, `A-${started++}`)).toBe(201)
    durations.push(performance.now() - startedAt)
  }
  return durations.toSorted((a, b) => a - b)[CHECKOUTS / 2]!
}

function start(port: number, order: string): Promise<number | undefined> {
  const options = { port, host: '127.0.0.1', path: '/checkout/initiate', method: 'POST', headers: FORM }
  return new Promise((resolve, reject) => {
    const question = request(options, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode))
    })
    question.once('error', reject)
    question.end(new URLSearchParams({ order, ...PAYER }).toString())
  })
}
