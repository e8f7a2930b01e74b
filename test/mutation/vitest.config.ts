import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { 'gateway-checkout/words': resolve('widget/words.ts') } },
  test: {
    // The files share one worker, because none of them changes global state.
    isolate: false,
    setupFiles: ['test/mutation/properties.ts'],
    include: [
      'test/contract/decimal.test.ts',
      'test/server/{airtime,charges,checkouts,payouts}/transition.test.ts',
      'test/server/airtime/recipients.test.ts',
      'test/server/charges/by-id.test.ts',
      'test/server/checkouts/{plan,record}.test.ts',
      'test/server/money/money.test.ts',
      'test/server/money-out/reported-status.test.ts',
      'test/server/payins/*.test.ts',
      'test/server/checkouts/references.test.ts',
      'test/server/transactions/{alarm,missing-report,schedule,standing,submission}.test.ts',
      'test/widget/{checkout/session-transition,state/next-steps,bff/status-watcher}.test.ts',
    ],
  },
})
