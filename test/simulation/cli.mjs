// npm run simulate -- --seeds N --from SEED: N random days; --seed SEED: one day and its story.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
})
const { module } = await runnerImport('./test/simulation/simulate.ts', {
  configFile: false,
  resolve: { alias: { 'gateway-checkout/words': resolve('widget/words.ts') } },
})
const first = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1
const startedAt = process.cpuUsage()
let told = 0
let failed = 0
for (let seed = first; seed < first + count; seed++) {
  const report = await module.simulate(seed)
  told += report.told
  if (report.broken.length === 0 && values.seed === undefined) continue
  if (report.broken.length > 0) failed += 1
  console.log(`seed ${seed}\n  ${[...report.story, ...report.broken].join('\n  ')}`)
}
const { user, system } = process.cpuUsage(startedAt)
const ms = (user + system) / 1000 / count
console.log(
  `${count} days from seed ${first}, ${ms.toFixed(0)} ms each, ${told} events: ${failed} ended badly.`,
)
process.exitCode = failed > 0 ? 1 : 0
