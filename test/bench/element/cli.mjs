// `npm run bench:element -- --check` exits with an error if an aim is missed. `--pairs N` sets the number of runs.
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, pairs: { type: 'string', default: '15' } },
})
// In development mode, Vite bundles Lit's development build, which is half as large again.
process.env.NODE_ENV = 'production'
const { module } = await runnerImport('./test/bench/element/bench.ts', {
  configFile: false,
  logLevel: 'error',
})
const missed = await module.bench(Number(values.pairs))
for (const each of missed) {
  console.log(`Missed: ${each}`)
}

process.exitCode = values.check && missed.length > 0 ? 1 : 0
