#!/usr/bin/env node
/** The executable `gateway-checkout-server`, which runs one command in this process. */

import { constants } from 'node:os'

// In a container, the first process ignores signals that have no listener. The listeners are therefore added before
// other modules are loaded.
const stopsBySignal = new Map<string, () => void>()
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    const stop = stopsBySignal.get(name)
    // A second signal ends the process immediately.
    stopsBySignal.clear()
    if (stop) {
      stop()
    } else {
      process.exit(128 + constants.signals[name])
    }
  })
}

const { env, stdin, stdout, stderr } = process
// A result that cannot be written ends its command (`Shell`), and a log that cannot be written ends nothing.
for (const stream of [stdout, stderr]) {
  stream.on('error', () => {})
}

const [{ main }, { systemClock }] = await Promise.all([import('./cli/program.ts'), import('./work/clock.ts')])
process.exitCode = await main(process.argv.slice(2), {
  env,
  folder: process.cwd(),
  stdin,
  stdout,
  stderr,
  signals: { once: (name, stop) => stopsBySignal.set(name, stop) },
  exit: (code) => process.exit(code),
  clock: systemClock,
})
