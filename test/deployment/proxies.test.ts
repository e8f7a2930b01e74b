import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'

import { signOrder } from '../../server/orders/signed.ts'
import { ORDER_SIGNING_KEY } from '../support/composed.ts'
import { installWithApt, onPath } from '../support/debian.ts'
import { newFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { createCliWorld } from '../support/worlds/cli-world.ts'
import { start } from '../support/worlds/command-line.ts'
import { PAYER } from '../support/worlds/world.ts'

import type { IncomingMessage } from 'node:http'

const isFull = Boolean(process.env.FULL)
const SOON = { timeout: 60_000 }
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

const NGINX = readFileSync('server/deployment/nginx.conf', 'utf8')
const CADDY = readFileSync('server/deployment/Caddyfile', 'utf8')

/** The addresses that both files serve: a host, a path that the proxy keeps, and one that it removes. */
const ADDRESSES = ['https://pay.shop.example', 'https://shop.example/pay', 'https://www.shop.example/pay']

/** The arguments of each proxy for a configuration on `port` before a server on `server`. */
const PROXIES = {
  nginx(folder: string, port: number, server: number): string[] {
    const sites = NGINX.replaceAll('443 ssl http2', `127.0.0.1:${port}`)
      .replaceAll(/ssl_certificate.*\n/g, '')
      .replace('127.0.0.1:8080', `127.0.0.1:${server}`)
    const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const paths = kept.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')
    const whole = `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${sites}}\n`
    writeFileSync(join(folder, 'nginx.conf'), whole)
    return ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;']
  },
  caddy(folder: string, port: number, server: number): string[] {
    const sites = CADDY.replaceAll(/^(?:\w+\.)?shop\.example(?= \{)/gm, `http://$&:${port}`)
    const options = '{\n\tadmin off\n\tauto_https off\n}\n'
    writeFileSync(join(folder, 'Caddyfile'), options + sites.replace('127.0.0.1:8080', `127.0.0.1:${server}`))
    return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
  },
}

test('both proxies serve the same addresses, from the port that the server has by default', () => {
  const hosts = ADDRESSES.map((address) => new URL(address).hostname)
  expect([...NGINX.matchAll(/server_name (\S+);/g)].map(([, name]) => name)).toEqual(hosts)
  expect([...CADDY.matchAll(/^(\S+\.example) \{/gm)].map(([, name]) => name)).toEqual(hosts)
  for (const file of [NGINX, CADDY]) {
    expect([...file.matchAll(/PUBLIC_URL=(\S+)/g)].map(([, address]) => address)).toEqual(ADDRESSES)
    expect([...file.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port)).toEqual(['8080'])
    expect(file).toContain('TRUSTED_PROXIES=127.0.0.1')
  }
})

test('both proxies speak HTTP/2, so that event streams do not take all connections of a browser', () => {
  const sites = NGINX.split(/^server /m).slice(1)
  expect(sites).toHaveLength(ADDRESSES.length)
  for (const site of sites) {
    expect(site).toContain('listen 443 ssl http2;')
  }

  // Caddy does by itself.
  expect(CADDY).not.toMatch(/protocols/)
})

test('the example for nginx says nothing of the other sites of this nginx', () => {
  const outside = NGINX.replaceAll(/^\w+[^{;]*\{.*?^\}/gms, '').replaceAll(/^#.*$/gm, '')
  expect(outside.trim()).toBe('')
})

if (isFull) {
  installWithApt(['nginx', 'caddy'].filter((name) => !onPath(name)))
}

const cli = isFull ? await createCliWorld() : null
afterAll(() => cli?.close())

const places = Object.entries(PROXIES).flatMap(([name, configure]) =>
  ADDRESSES.map((address) => ({ name, configure, address })),
)

test.runIf(isFull).each(places)(
  'behind $name at $address, an order is paid, and its page is told at once',
  async ({ name, configure, address }) => {
    const port = await freePort()
    const server = await freePort()
    await runServer(address, server)
    await runProxy(name, (folder) => configure(folder, port, server))
    const { hostname: host, pathname } = new URL(address)
    const send = (path: string, form?: URLSearchParams) =>
      exchange(port, host, `${pathname.replace(/\/$/, '')}${path}`, form)
    await expect.poll(async () => (await send('/health/ready').catch(() => null))?.statusCode, SOON).toBe(200)

    const order = await signedOrder(address)
    const begun = await send('/checkout/initiate', new URLSearchParams({ order, ...PAYER }))
    const view = JSON.parse(await text(begun))
    expect({ statusCode: begun.statusCode, outcome: view.outcome }).toEqual({
      statusCode: 201,
      outcome: 'waiting',
    })

    const stream = await send(`/checkout/status/${view.checkout_id}/stream`)
    const events: string[] = []
    stream.on('data', (piece: Buffer) => events.push(String(piece)))
    await expect.poll(() => events.join(''), SOON).toContain('event: beat')
    expect(events.join('')).not.toContain('"paid"')
    await cli!.control(`/checkouts/${view.merchant_transaction_id}/pay`, { scenario: 'approve' })
    await expect.poll(() => events.join(''), SOON).toContain('"outcome":"paid"')
  },
)

async function runServer(address: string, port: number): Promise<void> {
  const env = {
    PUBLIC_URL: address,
    HOST: '127.0.0.1',
    PORT: String(port),
    TRUSTED_PROXIES: '127.0.0.1',
    DEFAULT_COUNTRY: 'KE',
    ORDER_SIGNING_KEY,
  }
  const server = await start(['serve'], cli!.fresh(env), /listens on port/)
  onTestFinished(async () => void (await server.stop()))
}

async function runProxy(name: string, configure: (folder: string) => string[]): Promise<void> {
  const command = onPath(name)
  if (!command) {
    throw new Error(`${name} is missing: run apt-get install ${name} as root.`)
  }

  const folder = newFolder()
  const env = { PATH: process.env.PATH, HOME: folder }
  const proxy = spawn(command, configure(folder), { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  proxy.stderr.on('data', (piece: Buffer) => (said += String(piece)))
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') {
      console.error(said)
    }

    const ended = once(proxy, 'exit')
    if (proxy.kill('SIGTERM')) {
      await ended
    }
  })
}

function signedOrder(audience: string): Promise<string> {
  const order = { order: 'A-1', amount: '500', currency: 'KES', narration: 'Two kangas' }
  const issuedAt = Math.floor(Date.now() / 1_000)
  return signOrder(order, { key: ORDER_SIGNING_KEY, audience, issuedAt, lifetime: 3_600 })
}

/** `fetch` cannot set the header Host. */
async function exchange(
  port: number,
  host: string,
  path: string,
  form?: URLSearchParams,
): Promise<IncomingMessage> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method: form ? 'POST' : 'GET',
    headers: { host, accept: '*/*', ...(form && { ...type, accept: 'application/json' }) },
  })
  sent.end(form?.toString())
  const [response]: IncomingMessage[] = await once(sent, 'response')
  return response!
}
