import type { ChargeDialect } from '../../../demo/sandbox/index.ts'
import type { Environment } from '../../../server/config/variables.ts'

/** For each way in which the sandbox serves charges, the path for mobile money, and the variables of a server. */
export const CHARGE_DIALECTS = {
  spec: { path: '/v1/charges', env: { GATEWAY_CHARGE_PATH: '/v1/charges' } },
  flat: {
    path: '/v1/mobile-money/charge',
    env: {
      GATEWAY_CHARGE_PATH: '/v1/mobile-money/charge',
      GATEWAY_CHARGE_STATUS_PATH: '/v1/transaction/:charge_request_id/status',
    },
  },
} as const satisfies Record<ChargeDialect, { path: string; env: Environment }>

export const DIALECTS: readonly ChargeDialect[] = ['spec', 'flat']
