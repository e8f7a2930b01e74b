import { tmpdir } from 'node:os'
import { join } from 'node:path'

const cache = 'node_modules/.cache/mutation'

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  // Stryker rewrites tsconfig.json through an API that TypeScript 7 lacks, and the rewrite is not needed.
  tsconfigFile: 'none',
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  mutate: [
    'server/transactions/{submission,schedule,transition,sync-requests}.ts',
    'server/{checkouts,payouts,charges,airtime}/{transition,outcome}.ts',
    'server/airtime/{recipient-transition,recipient-list}.ts',
    'server/checkouts/attempt.ts',
    'server/money/*.ts',
    'server/payins/{outcome,reported-state,service-confirmation}.ts',
    'server/contract/decimal.ts',
    'widget/session.ts',
    'widget/session/*.ts',
    'widget/status-watcher/next.ts',
  ],
  // Mutants in code that runs on import would need a reload of all tests for each mutant.
  ignoreStatic: true,
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: ['/.git', '**/dist', '**/*.webp'],
  concurrency: 2,
  timeoutMS: 10_000,
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false, allowEmojis: false },
  htmlReporter: { fileName: `${cache}/report.html` },
  jsonReporter: { fileName: `${cache}/report.json` },
  // Not in node_modules, where Vitest would treat the copied sources as packages.
  tempDirName: join(tmpdir(), 'gateway-checkout-mutation'),
}
