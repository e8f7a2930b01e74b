// `npm run reference` runs the conformance checks, stores their results, and writes what is generated in the READMEs and
// in CONTRIBUTING.
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { runnerImport } from 'vite'

const { module } = await runnerImport('./test/reference/reference.ts', {
  configFile: false,
  logLevel: 'error',
  resolve: { alias: { 'gateway-checkout/words': resolve('widget/words.ts') } },
})
writeFileSync(module.RESULTS, await module.runChecks())
for (const [path, text] of Object.entries(module.generate())) {
  writeFileSync(path, text)
}
