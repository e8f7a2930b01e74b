// `npm run simulate -- --seeds N --from SEED` simulates N random days, and prints the story of each violation.
// `--seed SEED` simulates one day and prints its story.
// `--currencies` simulates a merchant with accounts in three currencies.
// `--only MISHAP` simulates days on which this mishap happens, and no other.
// `--variant NAME` runs a broken server until a day shows the defect.
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    variant: { type: 'string' },
    only: { type: 'string' },
    currencies: { type: 'boolean', default: false },
  },
})
const { module } = await runnerImport('./test/simulation/variants.ts', { configFile: false })
const loaded = await module.loadSimulation(values.variant ?? null)
const shares = values.only === undefined ? undefined : { [values.only]: 1 }
const simulate = values.currencies ? loaded.simulateThreeCurrencies : loaded.simulate
const first = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1
const startedAt = process.cpuUsage()
const sums = { days: 0, failed: 0, steps: 0, events: 0 }
const faults = new Map()
const variant =
  (values.variant === undefined ? '' : ` --variant '${values.variant}'`) +
  (values.only === undefined ? '' : ` --only ${values.only}`) +
  (values.currencies ? ' --currencies' : '')
for (let seed = first; seed < first + count; seed++) {
  const { violations, story, ...report } = await simulate(seed, shares)
  sums.days += 1
  sums.steps += report.steps
  sums.events += report.events
  for (const [type, times] of report.faults) {
    faults.set(type, (faults.get(type) ?? 0) + times)
  }

  if (violations.length > 0) {
    sums.failed += 1
  }
  if (violations.length > 0 || values.seed !== undefined) {
    console.log(
      [`seed ${seed}`, ...story, ...violations, `Replay: npm run simulate -- --seed ${seed}${variant}`].join(
        '\n  ',
      ),
    )
  }
  if (sums.failed > 0 && values.variant !== undefined) {
    break
  }
}

const { user, system } = process.cpuUsage(startedAt)
const ms = (user + system) / 1000 / sums.days
for (const [type, times] of [...faults].toSorted(([a], [b]) => a.localeCompare(b))) {
  console.log(`${String(times).padStart(9)}  ${type}`)
}

console.log(
  `${sums.days} days from seed ${first}, ${ms.toFixed(0)} ms each, ${sums.steps} steps, ${sums.events} events: ${sums.failed} with violations.`,
)
process.exitCode = sums.failed > 0 ? 1 : 0
