/** The sandbox alone. */

import { startSandbox } from '../../demo/sandbox/index.ts'

export async function serveSandbox(port: number): Promise<void> {
  const { url } = await startSandbox({ port })
  console.log(`The sandbox gateway listens on ${url}: no real money moves.`)
  console.log(
    'Merchant: consumer key sandbox-key, secret sandbox-secret, account ACC-001, service CHECKOUT-KES.',
  )
}
