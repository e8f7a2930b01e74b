// `--only NAME` runs a single measurement, `--engine SQLite` or `--engine Postgres` a single store.
import { parseArgs } from 'node:util'
import { createServer } from 'vite'

const { values } = parseArgs({ options: { only: { type: 'string' }, engine: { type: 'string' } } })
// The store of Postgres loads its driver when it is first used, so modules can be loaded until the end.
const vite = await createServer({
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
})
const module = await vite.ssrLoadModule('./test/bench/server/bench.ts')
await module.bench(values)
await vite.close()
