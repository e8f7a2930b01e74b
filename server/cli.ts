#!/usr/bin/env node
/** `gateway-checkout-server`: runs the command line in this process. */

import { main } from './cli/program.ts'
import { systemClock } from './clock.ts'
import { createPooledFetch } from './pooled-fetch.ts'

const { env, stdin, stdout, stderr } = process
// The program that reads the output may close the pipe early, such as "| head". That is not an error.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
process.exitCode = await main(process.argv.slice(2), {
  env,
  stdin,
  stdout,
  stderr,
  signals: process,
  fetch: createPooledFetch(),
  clock: systemClock,
})
