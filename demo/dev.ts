// Starts the sandbox, the BFF and the shop (`npm start`), which all use the sandbox's clock. The sandbox keeps its
// checkouts in memory, so the BFF also starts with an empty database, unless STORE_URL names a database.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ConfigError } from '../server/index.ts'
import { createLog } from '../server/log/log.ts'
import { startServer } from '../server/testing.ts'
import { listen } from './sandbox/http/listen.ts'
import { startSandbox } from './sandbox/index.ts'
import { CURRENCY, goodAt, priceOf, SHOP_HELP, SHOP_METHODS, SHOP_NAME } from './shop/goods.ts'
import { createShop } from './shop/server.ts'

import type { OrderInput } from '../server/index.ts'
import type { RunningSandbox } from './sandbox/index.ts'

const HOST = '127.0.0.1'
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

type Origins = Record<'sandbox' | 'bff' | 'shop', string>

async function start(): Promise<void> {
  const { SANDBOX_PORT = '4010', BFF_PORT = '4020', SHOP_PORT = '4030' } = process.env
  const originOf = (port: string) => `http://${HOST}:${port}`
  const origins = { sandbox: originOf(SANDBOX_PORT), bff: originOf(BFF_PORT), shop: originOf(SHOP_PORT) }
  const folder = mkdtempSync(join(tmpdir(), 'gateway-checkout-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`
  const sandbox = await startSandbox({
    port: Number(SANDBOX_PORT),
    merchantName: process.env.MERCHANT_NAME || SHOP_NAME,
  })
  // A person reads what is wrong, whatever the output is.
  const forPeople = { ...process.env, NODE_ENV: 'development' }
  const level = LOG_LEVELS.find((each) => each === process.env.LOG_LEVEL) ?? 'warn'
  const log = await createLog({ level, stdout: process.stdout, env: forPeople })
  const bff = await startServer(sandbox, {
    port: Number(BFF_PORT),
    orders: findOrder,
    env: { ...defaults(origins, folder, webhookSecret), ...process.env },
    log,
  })
  const shop = createShop({
    bff: bff.url,
    webhookSecret: bff.config.webhook?.secrets[0].reveal() ?? webhookSecret,
    assets: new URL('./shop/', import.meta.url),
    clock: sandbox.timeline,
  })
  const server = await listen(shop, Number(SHOP_PORT), HOST)
  console.log(greeting(origins, sandbox.owner))

  const stop = async () => {
    await Promise.all([server.close(), bff.close()])
    await sandbox.close()
  }

  process.once('SIGINT', () => void stop())
  process.once('SIGTERM', () => void stop())
}

/** Returns the variables of the BFF that the environment may replace. */
function defaults({ bff, shop }: Origins, folder: string, webhookSecret: string): Record<string, string> {
  return {
    // A page on this machine has two origins: visitors may open it under 127.0.0.1 or localhost.
    ALLOWED_ORIGINS: [shop, bff].flatMap((url) => [url, url.replace(HOST, 'localhost')]).join(','),
    MERCHANT_NAME: SHOP_NAME,
    MERCHANT_METHODS: SHOP_METHODS,
    MERCHANT_HELP: SHOP_HELP,
    STORE_URL: `sqlite:${join(folder, 'checkouts.sqlite')}`,
    MERCHANT_WEBHOOK_URL: `${shop}/webhooks`,
    MERCHANT_WEBHOOK_SECRET: webhookSecret,
  }
}

function findOrder(order: string): OrderInput | null {
  const amount = priceOf(order)
  return amount === null ? null : { order, amount, currency: CURRENCY, narration: goodAt(Number(amount)) }
}

function greeting({ sandbox, bff, shop }: Origins, owner: RunningSandbox['owner']): string {
  return `
Shop            ${shop}    start here; /playground shows every state of the tag
Payment server  ${bff}    serves the shop's tag; /docs lists its routes
Sandbox         ${sandbox}    simulates the gateway; /portal is its back office (${owner.email}, ${owner.password})

Three things to try:
  Pay, and choose on the hosted page what the customer does.
  Pay with a phone number that ends in digits of ${sandbox}/_sandbox/scenarios: the result is fixed.
  Let an hour pass: curl -X POST ${sandbox}/_sandbox/clock/advance -H 'content-type: application/json' -d '{"seconds": 3600}'

Ctrl+C ends all three.
`
}

function describeFailure(error: unknown): string | null {
  if (error instanceof ConfigError) {
    return error.message
  }
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error)) {
    return null
  }
  return `Port ${String(error.port)} is taken. SANDBOX_PORT, BFF_PORT and SHOP_PORT choose others.`
}

await start().catch((error: unknown) => {
  const reason = describeFailure(error)
  if (reason === null) {
    throw error
  }

  console.error(reason)
  process.exit(1)
})
