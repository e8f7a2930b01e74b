#!/usr/bin/env node
/** The executable `gateway-checkout-server`: runs the command line in this process. */

import { constants } from 'node:os'

// The first process of a container ignores signals without a listener: listen before anything is loaded.
const stops = new Map<string, () => void>()
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    const stop = stops.get(name)
    // A second signal ends the process at once.
    stops.clear()
    if (stop) stop()
    else process.exit(128 + constants.signals[name])
  })
}

const { env, stdin, stdout, stderr } = process
// The program that reads the output may close the pipe early, such as "| head". This is not an error.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
const [{ main }, { systemClock }, { createPooledFetch }] = await Promise.all([
  import('./cli/program.ts'),
  import('./clock.ts'),
  import('./pooled-fetch.ts'),
])
process.exitCode = await main(process.argv.slice(2), {
  env,
  stdin,
  stdout,
  stderr,
  signals: { once: (name, stop) => stops.set(name, stop) },
  exit: (code) => process.exit(code),
  fetch: createPooledFetch(),
  clock: systemClock,
})
