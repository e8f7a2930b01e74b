import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'

import { searchPath } from '../support/debian.ts'
import { freePort } from '../support/free-port.ts'
import { control } from '../support/worlds/sandbox-line.ts'
import { PAYER } from '../support/worlds/world.ts'

/** The ports that the templates and the guides name: the shop, the payment server and the sandbox. */
export const PORTS = ['3000', '8080', '4010'] as const
const EVENTUALLY = { timeout: 240_000, interval: 20 }

export interface Ports {
  shop: string
  sandbox: string
  move: (text: string) => string
}

/** Chooses free ports. `move` replaces the ports in a text by them. */
export async function freePorts(): Promise<Ports> {
  const own = new Map<string, string>()
  for (const port of PORTS) {
    own.set(port, String(await freePort()))
  }

  const move = (text: string) => text.replaceAll(/\b(3000|8080|4010)\b/g, (port) => own.get(port) ?? port)
  return { shop: move('http://127.0.0.1:3000'), sandbox: move('http://127.0.0.1:4010'), move }
}

/** Writes free ports into the files of a project, as somebody does whose ports are taken. */
export function movePorts(folder: string, { move }: Ports): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name !== 'node_modules' && statSync(path).isFile() && !name.includes('sqlite')) {
      writeFileSync(path, move(readFileSync(path, 'utf8')))
    }
  }
}

/** Writes free ports into `.env`, which is what the README of a template says to change. */
export function changePorts(project: string, { move }: Ports): void {
  const path = join(project, '.env')
  writeFileSync(path, move(readFileSync(path, 'utf8')))
}

export interface Running {
  said: () => string
  says: (text: string) => Promise<void>
  /** Resolves when `url` is answered. */
  isUp: (url: string) => Promise<void>
  /** Resolves when the command has ended with success. */
  ends: () => Promise<void>
  stop: () => Promise<void>
}

/** Runs a command line in `folder` until `stop`, which ends its children, too. */
export function run(folder: string, command: string, env: Record<string, string> = {}): Running {
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: searchPath(), HOME: process.env.HOME, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => (said += piece.toString()))
  }

  const ended = once(child, 'exit')
  let isClosed = false
  // What the command has said is complete.
  const closed = once(child, 'close').finally(() => (isClosed = true))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null

  const until = async (fact: string, isTrue: () => Promise<boolean>) => {
    const is = await vi
      .waitUntil(async () => {
        const isLast = isClosed
        return (await isTrue()) || (isLast && 'ended')
      }, EVENTUALLY)
      .catch(() => false)
    if (is !== true) {
      throw new Error(`It is not so that ${fact}. It said:\n${said}`)
    }
  }

  return {
    said: () => said,
    says: (text) => until(`"${command}" says "${text}"`, async () => said.includes(text)),
    isUp: (url) => until(`"${command}" answers ${url}`, () => isOk(url)),
    async ends() {
      const [code] = await closed
      if (code !== 0) {
        throw new Error(`"${command}" ended with ${code}. It said:\n${said}`)
      }
    },
    async stop() {
      if (child.pid === undefined || hasEnded()) {
        return
      }

      process.kill(-child.pid, 'SIGTERM')
      await ended
    },
  }
}

/** Opens the shop's page, orders if it has a form for it, and returns the page with the tag. */
export async function openOrder(shop: string, address = shop): Promise<string> {
  const front = await (await fetch(address)).text()
  const [, action] = /<form method="post" action="(\/order)"/.exec(front) ?? []
  const ordered = action && (await fetch(new URL(action, shop), { method: 'POST' }))
  return ordered ? ordered.text() : front
}

/** Opens the page of an order, pays in the sandbox, and returns the order's reference. */
export async function payOrder({ shop, sandbox }: Ports, address = shop): Promise<string> {
  const page = await openOrder(shop, address)
  const [, server = ''] = /<gateway-checkout[^>]* server="([^"]+)"/.exec(page) ?? []
  const [, order = ''] = /<gateway-checkout[^>]* order="([^"]+)"/.exec(page) ?? []
  const pay = new URL(server, shop).href.replace(/\/$/, '')
  const script = await fetch(`${pay}/gateway-checkout.js`)
  if (!page.includes(`src="${server}/gateway-checkout.js"`) || !script.ok) {
    throw new Error(`No tag: ${page}`)
  }

  const begun = await fetch(`${pay}/checkout/initiate`, {
    method: 'POST',
    headers: { accept: 'application/json', origin: shop },
    body: new URLSearchParams({ order, ...PAYER }),
  })
  if (begun.status !== 201) {
    throw new Error(`${begun.status} ${await begun.text()}`)
  }

  const { merchant_transaction_id: id, redirect_url: hostedPage } = await begun.json()
  const hosted = await (await fetch(hostedPage)).text()
  if (!hosted.includes('Pay KES')) {
    throw new Error(`The hosted page has no "Pay KES": ${hosted}`)
  }

  await control(sandbox, `/checkouts/${id}/pay`, {})
  return order
}

function isOk(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
