// Starts the sandbox, the payment server, and the shop by the command in the arguments, in which SHOP is the shop's address.
// Ctrl+C ends all three. Without a command, the shop runs by itself.

import { start } from 'gateway-checkout-server'
import { spawn } from 'node:child_process'

import { startSandboxIfLocal } from './sandbox.mjs'

await startSandboxIfLocal()
await start()

const { host, origin } = new URL(process.env.ORDERS_URL)
const [command, ...parameters] = process.argv.slice(2).map((part) => (part === 'SHOP' ? host : part))
if (command === undefined) {
  console.log(`The payment server: ${process.env.PUBLIC_URL}`)
} else {
  const shop = spawn(command, parameters, { stdio: 'inherit' })
  shop.on('error', () => console.error(`${command} cannot be started. Is it installed?`))
  shop.on('close', () => process.exit(1))
  process.on('exit', () => shop.kill())
  shop.on('spawn', () => console.log(`The shop: ${origin}`))
}
