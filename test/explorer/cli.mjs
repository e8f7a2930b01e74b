// `node test/explorer/cli.mjs` prints the violations as JSON lines, and the figures.
// `--only NAME` runs the explorations whose names contain NAME. `FULL=1` makes them larger.

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const { module } = await runnerImport('./test/explorer/explorations.ts', {
  configFile: false,
  logLevel: 'error',
  resolve: { alias: { 'gateway-checkout/words': resolve('widget/words.ts') } },
})
let count = 0
for (const exploration of module.explorations().filter(({ name }) => name.includes(values.only))) {
  const startedAt = process.cpuUsage()
  const { violations, ...figures } = await module.run(exploration)
  const { user, system } = process.cpuUsage(startedAt)
  for (const violation of violations) {
    console.log(JSON.stringify(violation))
  }

  console.log(JSON.stringify({ ...figures, seconds: (user + system) / 1e6 }))
  count += violations.length
}

process.exitCode = count > 0 ? 1 : 0
