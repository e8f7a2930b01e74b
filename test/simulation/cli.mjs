// Simulates random days and prints the story of each day that broke a guarantee.
// `npm run simulate -- --seeds COUNT --from SEED` runs COUNT days. `--seed SEED` runs one day and prints its story.
// `--variant NAME` runs a broken server until a day shows the defect.
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    variant: { type: 'string' },
  },
})
const { module } = await runnerImport('./test/simulation/variants.ts', { configFile: false })
const { simulate } = await module.loadSimulation(values.variant ?? null)
const first = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1
const startedAt = process.cpuUsage()
let days = 0
let events = 0
let failed = 0
for (let seed = first; seed < first + count; seed++) {
  const report = await simulate(seed)
  days += 1
  events += report.events
  if (report.violations.length > 0) failed += 1
  if (report.violations.length > 0 || values.seed !== undefined)
    console.log(`seed ${seed}\n  ${[...report.story, ...report.violations].join('\n  ')}`)
  if (failed > 0 && values.variant !== undefined) break
}
const { user, system } = process.cpuUsage(startedAt)
const ms = (user + system) / 1000 / days
console.log(
  `${days} days from seed ${first}, ${ms.toFixed(0)} ms each, ${events} events: ${failed} with violations.`,
)
process.exitCode = failed > 0 ? 1 : 0
