// Starts the payment server, and the shop by the command in the arguments. While GATEWAY_BASE_URL is on this machine,
// a sandbox takes the gateway's place. SHOP in the arguments is the shop's address. Ctrl+C ends all three.

import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { start } from 'gateway-checkout-server'
import { startSandbox } from 'gateway-checkout-server/sandbox'

const { hostname, port } = new URL(process.env.GATEWAY_BASE_URL)
if (hostname === '127.0.0.1') {
  await startSandbox({ port: Number(port) }).catch(({ message }) => {
    console.error(`The sandbox cannot start: ${message}. GATEWAY_BASE_URL in .env has its port.`)
    process.exit(1)
  })
  // A new sandbox knows no payment of an old store.
  for (const end of ['', '-wal', '-shm']) rmSync(`sandbox.sqlite${end}`, { force: true })
}
await start()

const { host, origin } = new URL(process.env.ORDERS_URL)
const [command, ...parameters] = process.argv.slice(2).map((part) => (part === 'SHOP' ? host : part))
const shop = spawn(command, parameters, { stdio: 'inherit' })
shop.on('error', () => console.error(`${command} cannot be started. Is it installed?`))
shop.on('close', () => process.exit(1))
process.on('exit', () => shop.kill())
shop.on('spawn', () => console.log(`The shop: ${origin}`))
