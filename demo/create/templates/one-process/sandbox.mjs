// Takes the gateway's place while GATEWAY_BASE_URL is on this machine. With the gateway's keys in .env, it starts nothing.

export async function startSandboxIfLocal() {
  const { hostname, port } = new URL(process.env.GATEWAY_BASE_URL)
  if (hostname !== '127.0.0.1') return
  const { startSandbox } = await import('gateway-checkout-server/sandbox')
  await startSandbox({ port: Number(port) }).catch(({ message }) => {
    console.error(`The sandbox cannot start: ${message}. GATEWAY_BASE_URL in .env has its port.`)
    process.exit(1)
  })
}
