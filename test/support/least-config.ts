import { ConfigError } from '../../server/config/config-error.ts'
import { readConfig } from '../../server/config/config.ts'

import type { Surroundings } from '../../server/config/config.ts'
import type { Environment } from '../../server/config/variables.ts'

export const LEAST: Environment = {
  GATEWAY_ENVIRONMENT: 'production',
  GATEWAY_BASE_URL: 'https://gateway.example',
  GATEWAY_CONSUMER_KEY: 'the-consumer-key',
  GATEWAY_CONSUMER_SECRET: 'the-consumer-secret',
  GATEWAY_SERVICE_CODE: 'CHECKOUT-KES',
  GATEWAY_ACCOUNT_NUMBER: 'ACC-001',
  PUBLIC_URL: 'https://pay.shop.example',
  STORE_URL: 'sqlite:/data/checkout.sqlite',
}

export function problemsOf(env: Environment, surroundings?: Surroundings): readonly string[] {
  try {
    readConfig({ ...LEAST, ...env }, surroundings)
    return []
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems
    }
    throw error
  }
}
