// npm run simulate -- --seeds N --from SEED: N random days, one line for each that ended badly.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '100' }, from: { type: 'string', default: '1' } },
})
const { module } = await runnerImport('./test/simulation/journey.ts', {
  configFile: false,
  resolve: { alias: { 'gateway-checkout/words': resolve('widget/words.ts') } },
})
const first = Number(values.from)
const last = first + Number(values.seeds) - 1
let told = 0
let failed = 0
for (let seed = first; seed <= last; seed++) {
  const report = await module.simulate(seed)
  told += report.told
  if (report.broken.length === 0) continue
  failed += 1
  console.log(`seed ${seed}\n  ${[...report.diary, ...report.broken].join('\n  ')}`)
}
console.log(`${last - first + 1} days from seed ${first}, ${told} events told: ${failed} ended badly.`)
process.exitCode = failed > 0 ? 1 : 0
