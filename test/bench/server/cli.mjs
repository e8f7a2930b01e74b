// `--only NAME` runs a single measurement, `--engine SQLite` or `--engine Postgres` a single store.
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({ options: { only: { type: 'string' }, engine: { type: 'string' } } })
const { module } = await runnerImport('./test/bench/server/bench.ts', {
  configFile: false,
  logLevel: 'error',
})
await module.bench(values)
