#!/usr/bin/env node
/** `gateway-checkout-server serve | sandbox`. */

import { parseArgs } from 'node:util'
import { serveBff } from './cli/serve.ts'
import { serveSandbox } from './cli/sandbox.ts'

const USAGE = `gateway-checkout-server: the small server behind <gateway-checkout>

  gateway-checkout-server serve             the BFF, configured by environment variables (see the README)
  gateway-checkout-server sandbox [--port]  a whole payment gateway to try it with, on port 4010

Example:
  gateway-checkout-server sandbox --port 4010
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { port: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
})
const [command] = positionals

if (values.help || command === undefined) {
  console.log(USAGE)
  process.exitCode = values.help ? 0 : 2
} else if (command === 'serve') {
  await serveBff(process.env)
} else if (command === 'sandbox') {
  await serveSandbox(Number(values.port ?? 4010))
} else {
  console.error(`There is no command "${command}".\n\n${USAGE}`)
  process.exitCode = 2
}
