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
      'test/server/{airtime,charge,checkout,confirmation,late,payout}-transition.test.ts',
      'test/server/{attempt,charge-by-id,money,pay-in,recipients,references,reported-state,schedule,submission,transition,visit}.test.ts',
      'test/widget/{session,status-watcher}.test.ts',
    ],
  },
})
