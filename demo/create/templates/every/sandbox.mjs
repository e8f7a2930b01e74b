// Takes the gateway's place while GATEWAY_BASE_URL is on this machine. With the gateway's address there, it starts nothing.

import { existsSync, rmSync } from 'node:fs'

export async function startSandboxIfLocal() {
  // What is set already takes precedence over the file.
  if (existsSync('.env')) {
    process.loadEnvFile()
  }

  const address = /^http:\/\/127\.0\.0\.1:(?<port>\d+)\/?$/.exec(process.env.GATEWAY_BASE_URL)
  if (!address) {
    return
  }

  const port = Number(address.groups.port)
  const { startSandbox } = await import('gateway-checkout-server/sandbox')
  await startSandbox({ port }).catch(({ message }) => {
    console.error(`The sandbox cannot start: ${message}. GATEWAY_BASE_URL in .env has its port.`)
    process.exit(1)
  })

  // A new sandbox knows no payment of an old store.
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(`sandbox.sqlite${suffix}`, { force: true })
  }
}
