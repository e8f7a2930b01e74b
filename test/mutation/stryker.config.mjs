import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const cache = 'node_modules/.cache/mutation'

const MODULES = {
  'server/transactions': [
    'alarm',
    'consulted',
    'missing-report',
    'recovery',
    'resolving',
    'schedule',
    'standing',
    'submission',
    'told',
  ],
  'server/money-out': ['moved-money', 'reported-status'],
  'server/checkouts': ['transition', 'record', 'plan'],
  'server/payouts': ['record', 'transition', 'difference'],
  'server/charges': ['record', 'transition'],
  'server/airtime': ['record', 'transition', 'entry'],
  'server/payins': [
    'confirmation-after-report',
    'fulfilment',
    'held-payments',
    'ledger',
    'outcome',
    'progress',
    'reported-money',
    'service-confirmation',
    'status-answer',
    'succession',
  ],
  'server/money': ['currency', 'quote', 'splits', 'charge-total'],
  'server/contract': ['decimal'],
  widget: ['checkout/session-transition', 'state/next-steps', 'state/state', 'bff/polling'],
}
const mutate = Object.entries(MODULES).flatMap(([folder, names]) =>
  names.map((name) => `${folder}/${name}.ts`),
)

// Stryker only warns of a pattern that matches no file, and the module would no longer be tested.
const missing = mutate.filter((file) => !existsSync(file))
if (missing.length > 0) {
  throw new Error(`These modules do not exist: ${missing.join(', ')}`)
}

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  // Stryker rewrites tsconfig.json through an API that TypeScript 7 lacks, and the rewrite is not needed.
  tsconfigFile: 'none',
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  mutate,
  // Mutants in code that runs on import would need a reload of all tests for each mutant.
  ignoreStatic: true,
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: ['/.git', '**/dist', '**/*.webp'],
  concurrency: 2,
  timeoutMS: 10_000,
  thresholds: { high: 95, low: 90, break: 98 },
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false, allowEmojis: false },
  htmlReporter: { fileName: `${cache}/report.html` },
  jsonReporter: { fileName: `${cache}/report.json` },
  // Not in node_modules, where Vitest would treat the copied sources as packages.
  tempDirName: join(tmpdir(), 'gateway-checkout-mutation'),
}
