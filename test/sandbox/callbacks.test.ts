import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { startSandbox } from '../../demo/sandbox/index.ts'
import {
  CHECKOUTS,
  connect,
  HOUR,
  MINUTE,
  PAYOUTS,
  SECOND,
  openMerchant,
  payout,
  request,
} from './merchant.ts'

import type { Server, Socket } from 'node:net'

const THREE_DAYS = 72 * HOUR

describe('a callback', () => {
  it('a callback carries the user of its address as Basic credentials', async () => {
    const asked: [url: string, authorization: string | undefined][] = []

    const reply = (url: string, { headers }: { headers: Record<string, string> }) => {
      asked.push([url, headers['authorization']])
      return new Response('OK')
    }

    const merchant = await openMerchant({ reply })
    for (const [payout_reference, user] of [
      ['PLAIN', ''],
      ['NAMED', 'gateway:p%40ss%2Fw%C3%B6rd@'],
      ['NAMELESS', 'gateway@'],
    ] as const) {
      const callback_url = `http://${user}127.0.0.1:9/${payout_reference}`
      await merchant.accepted(PAYOUTS, payout({ payout_reference, callback_url }))
    }

    await merchant.later(4 * SECOND)
    const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
    expect(Object.fromEntries(asked)).toEqual({
      'http://127.0.0.1:9/PLAIN': undefined,
      'http://127.0.0.1:9/NAMED': basic('gateway:p@ss/wörd'),
      'http://127.0.0.1:9/NAMELESS': basic('gateway:'),
    })
  })

  it('a callback is not delayed by another target that is silent, slow, endless or redirects', async () => {
    const zeros = new TextEncoder().encode('0'.repeat(65_536))
    const drop = (controller: ReadableStreamDefaultController) => controller.enqueue(zeros.subarray(0, 3))
    const replies: Record<string, () => Response | Promise<Response>> = {
      silent: () => new Promise(() => {}),
      moved: () => new Response('', { status: 302, headers: { location: 'http://10.0.0.1/' } }),
      dripping: () => new Response(new ReadableStream({ start: drop })),
      endless: () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(zeros) })),
      plain: () => new Response('OK'),
    }
    const merchant = await openMerchant({ reply: (url) => replies[url.split('/').at(-1)!]!() })
    for (const payout_reference of Object.keys(replies)) {
      const callback_url = `http://127.0.0.1:9/${payout_reference}`
      await merchant.accepted(PAYOUTS, payout({ payout_reference, callback_url }))
    }

    const firstOf = async (reference: string) => (await merchant.deliveries(reference))[0].attempts[0]

    await merchant.later(4 * SECOND)
    expect(await firstOf('plain')).toMatchObject({ outcome: { status: 200, answer: 'OK' } })
    expect(await firstOf('endless')).toMatchObject({ outcome: { status: 200, answer: '0'.repeat(500) } })
    expect(await firstOf('moved')).toMatchObject({ outcome: { status: 302 } })
    expect(await firstOf('dripping')).toBeUndefined()
    await merchant.later(10 * SECOND)
    const late = { took_ms: 10_000, outcome: { status: 200, answer: '000' } }
    expect(await firstOf('dripping')).toMatchObject(late)
    const silent = { took_ms: 10_000, outcome: { error: 'No answer within 10000 ms.' } }
    expect(await firstOf('silent')).toMatchObject(silent)
  })

  it.each([
    [[], 'blocked', 0],
    [['pay.shop.example'], 'delivered', 1],
  ])(
    'a callback goes beyond this machine only to callbackHosts: with %j it is %s',
    async (callbackHosts, state, sent) => {
      const merchant = await openMerchant({ callbackHosts })
      await merchant.begin({ callback_url: 'https://pay.shop.example/callbacks/abc' })
      await merchant.pay('approve')
      await merchant.later(THREE_DAYS)
      expect(merchant.callbacks).toHaveLength(sent)
      expect(await merchant.deliveries('order-1')).toMatchObject([{ state }])
    },
  )

  it('a callback can be replayed, with the same bytes', async () => {
    const merchant = await openMerchant()
    await merchant.begin()
    await merchant.pay('partial')
    await merchant.pay('approve')
    await merchant.later(MINUTE)
    const [first] = await merchant.deliveries('order-1')
    expect((await merchant.post(`/_sandbox/callbacks/${first.id}/replay`, {})).status).toBe(200)
    await merchant.later(MINUTE)
    expect(merchant.callbacks.map(({ body }) => body?.status)).toEqual([802, 801, 802])
    expect(merchant.callbacks[2]?.text).toBe(merchant.callbacks[0]?.text)
    expect((await merchant.post('/_sandbox/callbacks/none/replay', {})).status).toBe(404)
  })
})

// Virtual time passes only where the test says so: a deadline of ten seconds would take a month.
const NEARLY_STOPPED = 1 / 300_000
// Of an endless body, the buffers of both sockets take some megabytes before the sender has to wait.
const MAX_BYTES = 32 * 2 ** 20

describe('a target that hangs, redirects, never ends its body or does not read', () => {
  it('a target that hangs, redirects, never ends or does not read delays no other answer, and is read only as shown', async () => {
    const endless: Socket[] = []
    const port = await listen(
      createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', (data) => {
          const kind = /POST \/(\w+)/.exec(data.toString())?.[1]
          if (kind === 'moved') {
            socket.end(
              'HTTP/1.1 302 Found\r\nlocation: http://10.0.0.1/\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
            )
          }
          if (kind !== 'endless') {
            return
          }

          endless.push(socket)
          socket.write('HTTP/1.1 200 OK\r\n\r\n')
          const piece = Buffer.alloc(65_536, '0')
          const flood = () => void (socket.writable && socket.write(piece, flood))
          flood()
        })
      }),
    )
    const deaf = await listen(
      createServer({ pauseOnConnect: true }, (socket) => socket.on('error', () => {})),
    )
    const sandbox = await startSandbox({ port: 0 })
    onTestFinished(() => sandbox.close())
    const { timeline } = sandbox
    timeline.setSpeed(NEARLY_STOPPED)
    const pass = (ms: number) => timeline.set(timeline.now() + ms, NEARLY_STOPPED)
    const merchant = await connect({ sandbox, timeline, callbacks: [] })
    await merchant.accepted(PAYOUTS, payout())
    const targets = { hang: port, moved: port, endless: port, deaf }
    for (const [kind, at] of Object.entries(targets)) {
      for (let index = 0; index < 50; index++) {
        const payout_reference = `${kind}-${index}`
        const callback_url = `http://127.0.0.1:${at}/${kind}`
        await merchant.accepted(
          PAYOUTS,
          payout({ payout_reference, callback_url, sender_amount: '10', recipient_amount: '10' }),
        )
        await merchant.play('success', payout_reference)
      }
    }

    const outcomes = async (kind: string) => {
      const references = Array.from({ length: 50 }, (_, index) => `${kind}-${index}`)
      const deliveries = await Promise.all(references.map((each) => merchant.deliveries(each)))
      return new Set(deliveries.map(([first]) => JSON.stringify(first?.attempts[0]?.outcome)))
    }

    const onlyOutcome = (kind: string, outcome: object | undefined) =>
      vi.waitFor(async () => expect(await outcomes(kind)).toEqual(new Set([JSON.stringify(outcome)])), 20_000)

    await pass(SECOND)
    await onlyOutcome('endless', { status: 200, answer: '0'.repeat(500) })
    await onlyOutcome('moved', { status: 302, answer: '' })
    expect(endless).toHaveLength(50)
    await vi.waitFor(() => expect(endless.every(({ destroyed }) => destroyed)).toBe(true), 20_000)
    expect(Math.max(...endless.map(({ bytesWritten }) => bytesWritten))).toBeLessThan(MAX_BYTES)
    for (let asked = 0; asked < 100; asked++) {
      const response = await fetch(`${sandbox.url}/v1/payouts/payout-1/status`, {
        headers: { 'x-access-token': merchant.token() },
      })
      expect((await response.json()).payout_reference).toBe('payout-1')
    }

    // All that was answered meanwhile did not wait for these.
    for (const kind of ['hang', 'deaf']) {
      await onlyOutcome(kind, undefined)
    }

    await pass(10 * SECOND)
    for (const kind of ['hang', 'deaf']) {
      await onlyOutcome(kind, { error: 'No answer within 10000 ms.' })
    }
  })
})

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy()
    }

    server.close()
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

const PUBLIC = 'shop.example pay.shop.test 8.8.8.8 [2606:4700::1111] internal.shop.example'.split(' ')
// Conformance tries six others, for each kind of request.
const PRIVATE = [
  ...'172.16.0.1 100.64.0.1 0.0.0.0 [fe80::1] [::ffff:10.0.0.1]'.split(' '),
  ...'shop.local shop.home.arpa shop.internal.'.split(' '),
]
const RULE = 'callback_url must be HTTPS and publicly reachable'

it('a callback address is taken if others may reach it, and refused if nobody can', async () => {
  const merchant = await openMerchant()
  for (const host of PUBLIC) {
    const callback_url = `https://${host}/callbacks`
    await merchant.begin({ callback_url, merchant_transaction_id: host })
  }

  for (const host of PRIVATE) {
    const refusal = await merchant.refusal(CHECKOUTS, request({ callback_url: `https://${host}/` }))
    expect({ host, message: refusal.message }).toEqual({ host, message: expect.stringContaining(RULE) })
  }
})

it('a callback address that is private is accepted where its host is named', async () => {
  const merchant = await openMerchant({ callbackHosts: ['10.0.0.1', 'shop.internal'] })
  await merchant.begin({ callback_url: 'https://10.0.0.1/callbacks' })
  await merchant.accepted(PAYOUTS, payout({ callback_url: 'https://shop.internal/callbacks' }))
  const callback_url = 'https://10.0.0.2/callbacks'
  expect((await merchant.refusal(CHECKOUTS, request({ callback_url }))).message).toContain(RULE)
})
